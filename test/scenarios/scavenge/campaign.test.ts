/**
 * The beginning of the random campaign (`npm run crash`), with fixed seeds: random logs and options, runs that are
 * stopped, cut, killed and left without space, and the naive model that says what must be left.
 */
import { expect, it } from 'vitest';
import { runCase, type Interruption } from '../../campaign/campaign-case.ts';
import { recordCampaign } from '../../support/proof-record.ts';

const SEED = 20261121;

it.each<[string, Interruption[], number]>([
  ['a stop or a power cut', ['stop', 'powerCut', 'powerCut'], 22],
  ['a disk that runs full', ['quota'], 8],
  ['the end of its process', ['kill'], 2]
])('a scavenge that ends by %s is resumed, and nothing is lost', async (name, interruptions, cases) => {
  let interrupted = 0;
  for (let number = 0; number < cases; number++) {
    const { steps, faults, kills, fullDisks } = await runCase({ seed: SEED, number, interruptions });
    interrupted += kills + fullDisks;
    expect(faults, `npm run crash -- --seed ${SEED} --case ${number}: ${steps.join('; ')}`).toEqual([]);
  }
  expect(interrupted).toBeGreaterThan(0);
  recordCampaign({
    name: `random logs, scavenges that end by ${name}`,
    promise: 'random',
    operation: 'scavenge',
    faults: [...new Set(interruptions)].join(', '),
    counts: { cases },
    seed: SEED
  });
});
