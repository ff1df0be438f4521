/**
 * Names in bytes and the numbers they get, in the order they are first seen. A name that was met before costs a
 * look-up by its hash and a comparison of bytes; nothing is allocated for it. Holds the bytes of each name once.
 */
import { assert } from '../../assert.ts';

const FIRST_SLOTS = 1024;
const FIRST_ARENA_BYTES = 65536;

export class NameTable {
  /** Number of the name plus one; 0 is a free slot. Never more than half of them are taken. */
  #slots = new Int32Array(FIRST_SLOTS);
  #high = new Uint32Array(FIRST_SLOTS / 2);
  #low = new Uint32Array(FIRST_SLOTS / 2);
  /** Where each name ends in the arena; it starts where the one before ends. */
  #ends = new Uint32Array(FIRST_SLOTS / 2);
  #arena = Buffer.allocUnsafe(FIRST_ARENA_BYTES);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  hashHigh(at: number): number {
    return this.#high[at]!;
  }

  hashLow(at: number): number {
    return this.#low[at]!;
  }

  /** Invalid UTF-8 becomes U+FFFD, as everywhere names are shown. */
  name(at: number): string {
    return this.#arena.toString('utf8', this.#startOf(at), this.#ends[at]);
  }

  /** Number of the name whose bytes these are, and whose hash is given; a new name gets the next number. */
  numberOf(high: number, low: number, bytes: Buffer, start: number, end: number): number {
    const mask = this.#slots.length - 1;
    let slot = (high ^ low) & mask;
    for (let taken = this.#slots[slot]!; taken !== 0; taken = this.#slots[slot]!) {
      const at = taken - 1;
      if (this.#low[at] === low && this.#high[at] === high && this.#isName(at, bytes, start, end)) return at;
      slot = (slot + 1) & mask;
    }
    return this.#add(high, low, bytes, start, end);
  }

  #isName(at: number, bytes: Buffer, start: number, end: number): boolean {
    const from = this.#startOf(at);
    if (this.#ends[at]! - from !== end - start) return false;
    const arena = this.#arena;
    for (let i = start, own = from; i < end; i++, own++) if (bytes[i] !== arena[own]) return false;
    return true;
  }

  #startOf(at: number): number {
    return at === 0 ? 0 : this.#ends[at - 1]!;
  }

  #add(high: number, low: number, bytes: Buffer, start: number, end: number): number {
    const at = this.#count;
    if ((at + 1) * 2 > this.#slots.length) this.#grow();
    const from = this.#startOf(at);
    const to = from + end - start;
    if (to > this.#arena.length) {
      const larger = Buffer.allocUnsafe(Math.max(to, this.#arena.length * 2));
      this.#arena.copy(larger, 0, 0, from);
      this.#arena = larger;
    }
    bytes.copy(this.#arena, from, start, end);
    this.#high[at] = high;
    this.#low[at] = low;
    this.#ends[at] = to;
    this.#count++;
    this.#place(at);
    return at;
  }

  #place(at: number): void {
    const mask = this.#slots.length - 1;
    let slot = (this.#high[at]! ^ this.#low[at]!) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = at + 1;
  }

  #grow(): void {
    const slots = this.#slots.length * 2;
    assert(slots <= 2 ** 30, 'a chunk holds fewer names than there are slots');
    const larger = (old: Uint32Array<ArrayBuffer>) => {
      const grown = new Uint32Array(slots / 2);
      grown.set(old);
      return grown;
    };
    this.#high = larger(this.#high);
    this.#low = larger(this.#low);
    this.#ends = larger(this.#ends);
    this.#slots = new Int32Array(slots);
    for (let at = 0; at < this.#count; at++) this.#place(at);
  }
}
