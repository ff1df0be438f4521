/**
 * First users of hashes that the open transaction has found and not yet written. They are written in the order of
 * their keys: a tree that is larger than its cache is then walked once, where keys in the order of the log would
 * each fetch and write back a page of their own.
 */
import { giveBack } from '../../codec/give-back.ts';
import type { NameBytes } from './known-names.ts';

const FIRST_CAPACITY = 1024;
/** Ordinals fill the lower bits of a sorting key, the upper half of the hash the 32 above: 52 in all. No more may wait. */
const ORDINAL_RANGE = 2 ** 20;

export class PendingUsers {
  count = 0;
  #high = new Uint32Array(FIRST_CAPACITY);
  #low = new Uint32Array(FIRST_CAPACITY);
  #nameStart = new Uint32Array(FIRST_CAPACITY + 1);
  #names = Buffer.allocUnsafe(FIRST_CAPACITY * 16);
  /** Ordinal plus one by hash, open addressing. */
  #slots = new Uint32Array(FIRST_CAPACITY * 2);

  /** Of a hash that is among them already, `find` and `isUser` know the name that came first. */
  add(high: number, low: number, { bytes, streamStart, streamEnd }: Omit<NameBytes, 'view'>): void {
    if (this.count === this.#high.length) this.#grow();
    const start = this.#nameStart[this.count]!;
    const end = start + streamEnd - streamStart;
    if (end > this.#names.length) this.#growNames(end);
    bytes.copy(this.#names, start, streamStart, streamEnd);
    this.#high[this.count] = high;
    this.#low[this.count] = low;
    this.#nameStart[++this.count] = end;
    this.#put(this.count);
  }

  /** The name that waits for this hash. */
  find(high: number, low: number): string | undefined {
    const place = this.#placeOf(high, low);
    return place === 0 ? undefined : this.#nameAt(place - 1);
  }

  /** Whether this very name waits for this hash; undefined: no name does. */
  isUser(high: number, low: number, name: Omit<NameBytes, 'view'>): boolean | undefined {
    const place = this.#placeOf(high, low);
    return place === 0 ? undefined : this.#isNameAt(place - 1, name);
  }

  /** Another name waits for this hash, whether or not this one does too. */
  hasOther(high: number, low: number, name: Omit<NameBytes, 'view'>): boolean {
    if (this.count === 0) return false;
    const mask = this.#slots.length - 1;
    for (let slot = (high ^ low) & mask; ; slot = (slot + 1) & mask) {
      const i = this.#slots[slot]! - 1;
      if (i < 0) return false;
      if (this.#low[i] === low && this.#high[i] === high && !this.#isNameAt(i, name)) return true;
    }
  }

  /** Hands all out by rising signed key, and is empty. */
  drain(write: (high: number, low: number, name: string) => void): void {
    const { count } = this;
    const order = new Float64Array(count);
    for (let i = 0; i < count; i++) order[i] = (this.#high[i]! | 0) * ORDINAL_RANGE + i;
    order.sort();
    for (const packed of order) {
      const i = packed - Math.floor(packed / ORDINAL_RANGE) * ORDINAL_RANGE;
      write(this.#high[i]!, this.#low[i]!, this.#nameAt(i));
    }
    this.clear();
  }

  /** Nothing is asked any more. */
  release(): void {
    for (const column of [this.#high, this.#low, this.#nameStart, this.#slots, this.#names]) giveBack(column);
  }

  clear(): void {
    if (this.count > 0) this.#slots.fill(0);
    this.count = 0;
  }

  #isNameAt(i: number, { bytes, streamStart, streamEnd }: Omit<NameBytes, 'view'>): boolean {
    return (
      bytes.compare(this.#names, this.#nameStart[i], this.#nameStart[i + 1], streamStart, streamEnd) === 0
    );
  }

  #nameAt(i: number): string {
    return this.#names.toString('utf8', this.#nameStart[i], this.#nameStart[i + 1]);
  }

  /** Ordinal plus one of a hash, 0 when it is not among them. */
  #placeOf(high: number, low: number): number {
    if (this.count === 0) return 0;
    const mask = this.#slots.length - 1;
    for (let slot = (high ^ low) & mask; ; slot = (slot + 1) & mask) {
      const place = this.#slots[slot]!;
      if (place === 0 || (this.#low[place - 1] === low && this.#high[place - 1] === high)) return place;
    }
  }

  #put(place: number): void {
    const mask = this.#slots.length - 1;
    let slot = (this.#high[place - 1]! ^ this.#low[place - 1]!) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = place;
  }

  #grow(): void {
    const larger = (old: Uint32Array<ArrayBuffer>, length: number) => {
      const copy = new Uint32Array(length);
      copy.set(old);
      giveBack(old);
      return copy;
    };
    const capacity = this.#high.length * 2;
    this.#high = larger(this.#high, capacity);
    this.#low = larger(this.#low, capacity);
    this.#nameStart = larger(this.#nameStart, capacity + 1);
    giveBack(this.#slots);
    this.#slots = new Uint32Array(capacity * 2);
    for (let place = 1; place <= this.count; place++) this.#put(place);
  }

  #growNames(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(this.#names.length * 2, needed));
    this.#names.copy(larger, 0, 0, this.#nameStart[this.count]);
    giveBack(this.#names);
    this.#names = larger;
  }
}
