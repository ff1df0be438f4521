// The tables of docs/proof.md from the counts of campaigns; the promises between them are written by hand.
import { replaceBlocks } from '../bench/marked-blocks.mjs';
import { countText, tableText } from '../bench/figure-text.mjs';

/** The columns of each promise: a count, and its title. */
const COLUMNS = {
  cut: {
    calls: 'W',
    flushes: 'of them flushes',
    cut: 'calls cut',
    cases: 'disks left',
    resumed: 'that differ'
  },
  cutAgain: { calls: 'W', cut: 'first cuts', cases: 'second cuts' },
  refused: {
    calls: 'Calls',
    cases: 'Runs with a failing one',
    named: 'ended with a named error',
    failedFlushes: 'failed flushes',
    cuts: 'power cuts after them'
  },
  threads: { calls: 'W', cut: 'calls cut', kills: 'Kills', cases: 'Cases' },
  badMachine: { cases: 'Runs', faults: 'Faults' },
  bytes: { bytes: 'Bytes', cases: 'Flips', found: 'found', listed: 'on the list' },
  lengths: { files: 'Files', cases: 'Lengths', findings: 'found', room: 'of room that is not used' },
  random: { cases: 'Cases', judged: 'judged by the second reader' },
  cluster: { cases: 'Runs', kills: 'Coordinators killed', started: 'Node scavenges', pauses: 'Pauses' },
  users: { cases: 'Requests', combinations: 'Combinations there are' }
};

/** The page with the tables of these campaigns. */
export function proofPage(text, campaigns) {
  const blocks = Object.entries(COLUMNS).map(([promise, columns]) => [
    promise,
    tableOf(
      campaigns.filter((campaign) => campaign.promise === promise),
      columns
    )
  ]);
  return replaceBlocks(text, { sum: sumOf(campaigns), ...Object.fromEntries(blocks) });
}

function tableOf(campaigns, columns) {
  if (campaigns.length === 0) return 'No campaign shows this yet.';
  const rows = campaigns.map(({ name, faults, counts, test, seed }) => [
    name,
    faults,
    ...Object.keys(columns).map((what) => (counts[what] === undefined ? '' : countText(counts[what]))),
    seed === undefined ? '' : String(seed),
    `\`${test.replace(/^test\//, '')}\``
  ]);
  return tableText(['What', 'Faults', ...Object.values(columns), 'Seed', 'Test'], rows);
}

function sumOf(campaigns) {
  const sum = (what) => campaigns.reduce((total, { counts }) => total + (counts[what] ?? 0), 0);
  const tests = new Set(campaigns.map(({ test }) => test));
  return (
    `${countText(campaigns.length)} campaigns of ${countText(tests.size)} test files, ${countText(sum('cases'))} cases ` +
    'in each `npm test`.'
  );
}
