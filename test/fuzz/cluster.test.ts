/** A short run of `npm run cluster-fuzz`. */
import { expect, it } from 'vitest';
import { runClusterCampaign } from './cluster-campaign.ts';

const RUNS = 40;
const SEED = 1;

it(`in ${RUNS} runs with random faults (seeds from ${SEED}) no two nodes scavenge at once, and cycles end`, async () => {
  const { faults, counts } = await runClusterCampaign(RUNS, SEED);
  expect(faults).toEqual([]);
  expect(counts.get('cycles ended')).toBe(RUNS);
});
