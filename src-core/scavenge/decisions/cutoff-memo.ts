/** Cut-offs of one scavenge by the maximum age they come of: streams share a few ages, and each takes a BigInt. */
import { cutoffOf, type Cutoff } from './should-discard.ts';

/** Then it is cleared: an age of its own for each stream would fill memory. */
const MOST_AGES = 4096;

export class CutoffMemo {
  readonly #effectiveNow: bigint;
  readonly #byAge = new Map<number, Cutoff>();
  #age = -1;
  #last: Cutoff = { isSet: false, high: 0, low: 0 };

  constructor(effectiveNow: bigint) {
    this.#effectiveNow = effectiveNow;
  }

  /** Of a maximum age in seconds, below 0: none. */
  read(maxAgeSeconds: number, into: Cutoff): void {
    into.isSet = maxAgeSeconds >= 0;
    if (!into.isSet) return;
    if (maxAgeSeconds !== this.#age) this.#find(maxAgeSeconds);
    into.high = this.#last.high;
    into.low = this.#last.low;
  }

  #find(maxAgeSeconds: number): void {
    let found = this.#byAge.get(maxAgeSeconds);
    if (!found) {
      if (this.#byAge.size === MOST_AGES) this.#byAge.clear();
      found = cutoffOf(this.#effectiveNow, maxAgeSeconds, { isSet: false, high: 0, low: 0 });
      this.#byAge.set(maxAgeSeconds, found);
    }
    this.#age = maxAgeSeconds;
    this.#last = found;
  }
}
