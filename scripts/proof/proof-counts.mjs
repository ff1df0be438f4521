// What campaigns recorded in a run (test/support/proof-record.ts), and what the last complete one had: test/proof-counts.json.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../build.mjs';

const KEPT = path.join(root, 'test/proof-counts.json');
export const keyOf = ({ promise, name }) => `${promise}: ${name}`;

export function keptCounts() {
  return JSON.parse(readFileSync(KEPT, 'utf8'));
}

export function keepCounts(campaigns) {
  const sorted = [...campaigns].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  writeFileSync(KEPT, `${JSON.stringify(sorted, null, 2)}\n`);
}

/** What was recorded into a directory. */
export function recordedCounts(directory) {
  if (!existsSync(directory)) return [];
  return readdirSync(directory).map((file) => JSON.parse(readFileSync(path.join(directory, file), 'utf8')));
}

/** The step of `npm test` that runs a test. */
export function stepOf({ test }) {
  const [, folder] = test.split('/');
  return folder === 'crash' || folder === 'fuzz' ? 'scenarios' : folder;
}

/** One line for each campaign. */
export function countLines(campaigns) {
  return campaigns.map((campaign) => {
    const counts = Object.entries(campaign.counts).map(([what, count]) => `${count} ${what}`);
    return `${keyOf(campaign)}: ${counts.join(', ')}`;
  });
}

/** What has dropped or is missing, in words. `isAsked`: this campaign was to run. */
export function faultsOf(kept, recorded, isAsked = () => true) {
  const now = new Map(recorded.map((campaign) => [keyOf(campaign), campaign]));
  return kept.filter(isAsked).flatMap((campaign) => {
    const found = now.get(keyOf(campaign));
    if (!found) return [`"${keyOf(campaign)}" of ${campaign.test} did not run.`];
    return Object.entries(campaign.counts)
      .filter(([what, count]) => !(found.counts[what] >= count))
      .map(
        ([what, count]) =>
          `"${keyOf(campaign)}" has ${found.counts[what] ?? 'no'} ${what}, where ${count} are known. ` +
          'Say which were lost and why before "npm run proof" keeps less.'
      );
  });
}

/** Campaigns of which nothing is kept yet: none of their counts could drop unseen once `npm run proof` has run. */
export function unkeptOf(kept, recorded) {
  const known = new Set(kept.map(keyOf));
  return recorded
    .filter((campaign) => !known.has(keyOf(campaign)))
    .map((campaign) => `"${keyOf(campaign)}" is not kept yet: npm run proof -- ${campaign.test}`);
}
