// `npm run proof`: runs every campaign with counts of its own, keeps the counts, and writes them into docs/proof.md.
//   npm run proof                                       all of them
//   npm run proof -- test/crash/redaction-cuts.test.ts  those of some tests, leaving the others as they are
//   npm run proof -- --page                             only the page, from the counts that are kept
// Nothing is kept of a run in which a test fails.
import './answer-help.mjs';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './build.mjs';
import { countLines, keepCounts, keptCounts, keyOf, recordedCounts } from './proof/proof-counts.mjs';
import { proofPage } from './proof/proof-page.mjs';

const PAGE = path.join(root, 'docs/proof.md');
const { values, positionals } = parseArgs({
  options: { page: { type: 'boolean' } },
  allowPositionals: true
});

/** Every test that may record something: those that did, those of crashes, and those that name the recorder. */
function campaignTests() {
  const all = readdirSync(path.join(root, 'test'), { recursive: true })
    .map((file) => `test/${file.split(path.sep).join('/')}`)
    .filter((file) => /^test\/(?:core|main|scenarios|crash|fuzz|golden)\/.*\.test\.ts$/.test(file));
  const kept = new Set(keptCounts().map(({ test }) => test));
  const records = (file) => readFileSync(path.join(root, file), 'utf8').includes('proof-record');
  return all.filter((file) => kept.has(file) || file.startsWith('test/crash/') || records(file));
}

/** Runs these tests and keeps their counts. Says whether all went well. */
function runCampaigns(tests) {
  const scratch = mkdtempSync(path.join(tmpdir(), 'winnow-proof-'));
  try {
    const projects = ['core', 'main*', 'scenarios'].flatMap((project) => ['--project', project]);
    const { status } = spawnSync(
      process.execPath,
      [
        path.join(root, 'node_modules/vitest/vitest.mjs'),
        'run',
        ...projects,
        ...tests,
        '--testTimeout=3600000'
      ],
      { cwd: root, stdio: 'inherit', env: { ...process.env, WINNOW_PROOF: scratch } }
    );
    if (status !== 0) return false;
    const recorded = recordedCounts(scratch);
    keepCounts([...othersThan(recorded, tests), ...recorded]);
    for (const line of countLines(recorded)) console.log(line);
    return true;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** What is kept of other tests: not of those that ran, nor of campaigns that another test has taken over. */
function othersThan(recorded, tests) {
  const again = new Set(recorded.map(keyOf));
  return keptCounts().filter((campaign) => !tests.includes(campaign.test) && !again.has(keyOf(campaign)));
}

const isKept = values.page || runCampaigns(positionals.length > 0 ? positionals : campaignTests());
if (isKept) writeFileSync(PAGE, proofPage(readFileSync(PAGE, 'utf8'), keptCounts()));
process.exitCode = isKept ? 0 : 1;
