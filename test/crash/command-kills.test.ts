/**
 * Real commands on a real disk, killed at random moments: each command that writes, the node service and the engine under
 * the window. Whatever the moment, a reader sees what it saw before, and the same command then ends as if it had been left
 * alone. A longer campaign: `npm run crash -- --kill 2000`.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { KILL_SUBJECTS, killCommands, type KillResult } from '../campaign/kills/kill-campaign.ts';
import { removeUnpacked } from '../support/golden.ts';
import { recordCampaign } from '../support/proof-record.ts';

/** Of each of the commands: together with those of the other tests here, 200 in a run. */
const KILLS = 9;
const LONGEST_MS = 1_200_000;
let results: KillResult[] = [];

beforeAll(async () => {
  const seed = Number(process.env['WINNOW_SEED'] ?? 1);
  console.log(`seed of the kills: ${seed} (WINNOW_SEED=${seed} repeats their moments)`);
  results = await killCommands({ seed, kills: KILLS });
}, LONGEST_MS);
afterAll(removeUnpacked);

it.each(KILL_SUBJECTS.map(({ name }) => name))('a killed %s loses nothing and ends well', (name) => {
  const result = results.find((one) => one.name === name);
  expect(result?.faults).toEqual([]);
  expect(result?.kills).toBe(KILLS);
  recordCampaign({
    ...{ name: `killed: ${name}`, promise: 'threads', operation: name, faults: 'SIGKILL at random moments' },
    counts: { kills: KILLS, cases: KILLS }
  });
});
