/**
 * Whether no two names of several runs share a hash. All runs are in the order of their hashes, so they are gone through range by
 * range, each of which has no more names than a small table finds room for, near the processor; where a hash comes again its names
 * are compared byte for byte.
 */
import { lengthened } from '../codec/longer-column.ts';
import type { NamedHash } from './stream-run.ts';

/** Of a range, about. */
const NAMES_TOGETHER = 4096;
const FIRST_SLOTS = 4 * NAMES_TOGETHER;
const MOST_RANGES = 2 ** 20;
const HASH_END = 2 ** 32;

export class HashComparison {
  areApart = true;
  readonly #runs: readonly NamedHash[];
  /** Whether a run stands at a name. */
  readonly #isLeft: boolean[];
  readonly #rangeSize: number;
  #rangeEnd = 0;
  /** Entry plus one by hash, 0: nothing there. A power of two, at most half filled. */
  #slots = new Uint32Array(FIRST_SLOTS);
  #high = new Uint32Array(FIRST_SLOTS / 2);
  #low = new Uint32Array(FIRST_SLOTS / 2);
  #start = new Uint32Array(FIRST_SLOTS / 2);
  #end = new Uint32Array(FIRST_SLOTS / 2);
  readonly #names: Uint8Array[] = [];
  #count = 0;

  /** `names`: how many there are of all, about. */
  constructor(runs: readonly NamedHash[], names: number) {
    this.#runs = runs;
    this.#isLeft = runs.map((run) => run.next());
    const ranges = Math.min(MOST_RANGES, Math.max(1, Math.ceil(names / NAMES_TOGETHER)));
    this.#rangeSize = Math.ceil(HASH_END / ranges);
  }

  /** One range more. False: that was the last, or two names share a hash. */
  advance(): boolean {
    this.#rangeEnd += this.#rangeSize;
    for (const [i, run] of this.#runs.entries()) {
      if (!this.#isLeft[i]) continue;
      let isLeft = true;
      while (isLeft && run.high < this.#rangeEnd) {
        if (!this.#take(run)) return (this.areApart = false);
        isLeft = run.next();
      }
      this.#isLeft[i] = isLeft;
    }
    this.#clear();
    for (const run of this.#runs) run.releasePassed?.();
    return this.#rangeEnd < HASH_END;
  }

  /** False: another name has its hash. */
  #take({ high, low, names, nameStart, nameEnd }: NamedHash): boolean {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = low & mask;
    for (let entry = slots[slot]! - 1; entry >= 0; entry = slots[slot]! - 1) {
      if (this.#low[entry] === low && this.#high[entry] === high)
        return this.#isName(entry, names, nameStart, nameEnd);
      slot = (slot + 1) & mask;
    }
    const entry = this.#count++;
    this.#high[entry] = high;
    this.#low[entry] = low;
    this.#start[entry] = nameStart;
    this.#end[entry] = nameEnd;
    this.#names[entry] = names;
    slots[slot] = entry + 1;
    if (this.#count === this.#high.length) this.#grow();
    return true;
  }

  #isName(entry: number, names: Uint8Array, nameStart: number, nameEnd: number): boolean {
    const known = this.#names[entry]!;
    const start = this.#start[entry]!;
    const length = this.#end[entry]! - start;
    if (length !== nameEnd - nameStart) return false;
    // Names of a database mostly differ at their ends.
    for (let i = length - 1; i >= 0; i--) if (known[start + i] !== names[nameStart + i]) return false;
    return true;
  }

  #clear(): void {
    this.#slots.fill(0);
    this.#count = 0;
    this.#names.length = 0;
  }

  /** Hashes that are not as evenly spread as those of a database. */
  #grow(): void {
    const capacity = this.#high.length * 2;
    this.#high = lengthened(this.#high, capacity);
    this.#low = lengthened(this.#low, capacity);
    this.#start = lengthened(this.#start, capacity);
    this.#end = lengthened(this.#end, capacity);
    this.#slots = new Uint32Array(capacity * 2);
    const mask = this.#slots.length - 1;
    for (let entry = 0; entry < this.#count; entry++) {
      let slot = this.#low[entry]! & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = entry + 1;
    }
  }
}
