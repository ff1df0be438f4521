/**
 * Numbers of rows by stream hash: open addressing over typed arrays, some 16 bytes a row. Rows are numbered from 0 as
 * they come and none is ever removed; the owner of the rows marks those that do not count.
 */
import { longerColumn } from '../../../codec/longer-column.ts';

const FIRST_ROWS = 1024;

export class HashRows {
  count = 0;
  high = new Uint32Array(FIRST_ROWS);
  low = new Uint32Array(FIRST_ROWS);
  /** Row plus one by hash, 0: nothing there. A power of two, at most two thirds filled. */
  #slots = new Uint32Array(FIRST_ROWS * 2);

  /** Of memory that is in use; what lies beyond the rows was never touched. */
  get bytes(): number {
    return this.count * 8 + this.#slots.byteLength;
  }

  get capacity(): number {
    return this.high.length;
  }

  /** -1: none. */
  find(high: number, low: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = (high ^ low) & mask; ; slot = (slot + 1) & mask) {
      const row = slots[slot]! - 1;
      if (row < 0 || (this.low[row] === low && this.high[row] === high)) return row;
    }
  }

  /** The row of a hash that has none yet. */
  add(high: number, low: number): number {
    const row = this.addUnkeyed();
    this.high[row] = high;
    this.low[row] = low;
    if (this.count * 1.5 > this.#slots.length) this.#growSlots();
    else this.#put(row);
    return row;
  }

  /** A row that is found by something else. */
  addUnkeyed(): number {
    if (this.count === this.high.length) {
      this.high = longerColumn(this.high, this.count * 2);
      this.low = longerColumn(this.low, this.count * 2);
    }
    return this.count++;
  }

  #put(row: number): void {
    const mask = this.#slots.length - 1;
    let slot = (this.high[row]! ^ this.low[row]!) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = row + 1;
  }

  #growSlots(): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(old.length * 2);
    for (const place of old) if (place !== 0) this.#put(place - 1);
    this.#put(this.count - 1);
  }
}
