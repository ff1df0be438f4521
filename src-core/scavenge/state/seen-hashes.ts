/**
 * Which stream hashes may be stored already: 32 bits of each in an open table. "Not seen" is certain, "seen" is
 * wrong for a few in ten thousand and costs a look into the database. It spares that look for every new stream, which
 * in a log of many streams is most of what accumulation would ask the database.
 */
import { giveBack } from '../../codec/give-back.ts';

const FIRST_SLOTS = 4096;
const FULLEST = 0.7;

/** Never 0, which marks an empty slot. */
function tagOf(high: number, low: number): number {
  return (high ^ Math.imul(low, 0x9e3779b1)) >>> 0 || 1;
}

export class SeenHashes {
  readonly #mostSlots: number;
  #tags: Uint32Array<ArrayBuffer>;
  #count = 0;
  #isFull = false;

  /** A power of two; with more hashes than fit it says "seen" to everything from then on. */
  constructor(mostSlots: number) {
    this.#mostSlots = mostSlots;
    this.#tags = new Uint32Array(Math.min(FIRST_SLOTS, mostSlots));
  }

  has(high: number, low: number): boolean {
    if (this.#isFull) return true;
    const tag = tagOf(high, low);
    const mask = this.#tags.length - 1;
    for (let slot = tag & mask; ; slot = (slot + 1) & mask) {
      const found = this.#tags[slot];
      if (found === tag) return true;
      if (found === 0) return false;
    }
  }

  add(high: number, low: number): void {
    if (this.#isFull) return;
    if (this.#count + 1 > this.#tags.length * FULLEST) this.#grow();
    if (this.#isFull) return;
    this.#put(tagOf(high, low));
    this.#count++;
  }

  /** Says "seen" to everything from then on. */
  release(): void {
    if (this.#isFull) return;
    this.#isFull = true;
    giveBack(this.#tags);
  }

  #put(tag: number): void {
    const mask = this.#tags.length - 1;
    let slot = tag & mask;
    while (this.#tags[slot] !== 0) slot = (slot + 1) & mask;
    this.#tags[slot] = tag;
  }

  #grow(): void {
    const old = this.#tags;
    if (old.length === this.#mostSlots) {
      this.release();
      return;
    }
    this.#tags = new Uint32Array(old.length * 2);
    for (const tag of old) if (tag !== 0) this.#put(tag);
    giveBack(old);
  }
}
