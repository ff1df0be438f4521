/**
 * A long campaign, in a thread that scripts/fuzz.mjs watches: it says which case it begins, so that one that never
 * ends can be named and run again.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { LONG_BASES } from './base-databases.ts';
import { runCase } from './campaign.ts';

interface Campaign {
  seed: number;
  seconds: number;
  first: number;
  /** Runs just this many cases; 0: until the time is up. */
  count: number;
}

const { seed, seconds, first, count } = workerData as Campaign;
const end = performance.now() + seconds * 1000;
for (let number = first; count > 0 ? number < first + count : performance.now() < end; number++) {
  parentPort?.postMessage({ kind: 'begin', number });
  const result = await runCase({ seed, number, bases: LONG_BASES });
  parentPort?.postMessage({ kind: 'end', number, ...result });
}
