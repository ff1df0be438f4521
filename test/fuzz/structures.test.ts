/** A short run of `npm run structure-fuzz`: the same cases in every run. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordCampaign } from '../support/proof-record.ts';
import { STRUCTURES } from './structures/structured-mutations.ts';
import { StructuredCampaign } from './structures/structured-campaign.ts';

const SEED = 1;
const CASES = 1000;
/** Of each structure, at least. */
const LEAST_CASES = 8;
/** Scavenges that a reader of its own could judge, at least. */
const LEAST_JUDGED = 300;
const DOCUMENTS = ['scavenge state', 'backup manifest', 'restore journal', 'kept manifest', 'undo journal'];
/** Two minutes on a quiet machine of two processors are far more than it takes; others may be at work. */
const LIMIT_MS = 1_200_000;

let campaign: StructuredCampaign;
beforeAll(async () => {
  campaign = await StructuredCampaign.open(SEED);
}, LIMIT_MS);
afterAll(() => campaign.close());

it(
  `${CASES} structures changed with checksums that fit (seed ${SEED}) get a right answer or an error that names it`,
  async () => {
    const faulty: unknown[] = [];
    const counts = new Map<string, number>();
    let judged = 0;
    for (let number = 0; number < CASES; number++) {
      const { structure, outcome, steps, faults, isJudged } = await campaign.run(number);
      counts.set(structure, (counts.get(structure) ?? 0) + 1);
      if (isJudged) judged++;
      if (faults.length > 0) faulty.push({ number, structure, outcome, steps, faults });
    }
    recordCampaign({
      name: 'structures changed, with checksums that fit',
      promise: 'random',
      operation: 'verify, read, scavenge, undo, restore',
      faults: 'lengths, positions, numbers, names, rows',
      counts: { cases: CASES, judged, structures: counts.size },
      seed: SEED
    });
    expect(faulty).toEqual([]);
    expect(judged).toBeGreaterThanOrEqual(LEAST_JUDGED);
    for (const structure of [...Object.keys(STRUCTURES), ...DOCUMENTS])
      expect(counts.get(structure), structure).toBeGreaterThanOrEqual(LEAST_CASES);
  },
  LIMIT_MS
);
