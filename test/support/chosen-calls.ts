/** Which calls of an operation a campaign cuts or refuses. */
import { Prng } from './prng.ts';

export interface CallChoice {
  /** One of n calls. Default 1: every call. */
  every?: number;
  /** Of a long operation at most so many. Default: any number. */
  most?: number;
  /** Which of them. Default 1. */
  seed?: number;
}

/**
 * Numbers from 1 to `calls`, rising. One is drawn of each stretch of neighbours: what an operation does for each of its files takes
 * the same number of calls, so that a fixed step may meet the same one of them each time.
 */
export function chosenCalls(
  calls: number,
  { every = 1, most = Number.POSITIVE_INFINITY, seed = 1 }: CallChoice = {}
): number[] {
  const step = Math.max(every, Math.ceil(calls / most));
  const random = new Prng(seed);
  const chosen: number[] = [];
  for (let start = 0; start < calls; start += step) {
    const call = start + 1 + (step === 1 ? 0 : random.below(step));
    // The last stretch may be a short one.
    if (call <= calls) chosen.push(call);
  }
  return chosen;
}
