/**
 * Numbers of rows by stream hash: open addressing over typed arrays, some 16 bytes a row. Rows are numbered from 0 as
 * they come and none is ever removed; the owner of the rows marks those that do not count.
 */
import { giveBack } from '../../../codec/give-back.ts';
import { lengthened } from '../../../codec/longer-column.ts';
import { compareSigned } from '../../../index/hash-order.ts';

const FIRST_ROWS = 1024;
const NEAR_ROWS = 8;
/** Of rows in order: they are made when a row is looked for. */
const NO_SLOTS = new Uint32Array(0);

export interface HashRowsImage {
  high: Uint32Array<ArrayBuffer>;
  low: Uint32Array<ArrayBuffer>;
}

export class HashRows {
  count = 0;
  /** The rows lie in the order of their hashes, first those above 2^31 in the upper half: then `findNear` is of use. */
  #isInOrder = false;
  /** The first rows, which have a hash. */
  #keyedCount = 0;
  #near = 0;
  high = new Uint32Array(FIRST_ROWS);
  low = new Uint32Array(FIRST_ROWS);
  /** Row plus one by hash, 0: nothing there. A power of two, at most two thirds filled. */
  #slots = new Uint32Array(FIRST_ROWS * 2);

  /** Rows as an image of them says; their columns are not copied. The first `keyedCount` have a hash, the others a name. */
  static over({ high, low }: HashRowsImage, keyedCount: number): HashRows {
    const rows = new HashRows();
    rows.high = high;
    rows.low = low;
    rows.#slots = NO_SLOTS;
    rows.count = high.length;
    rows.#isInOrder = true;
    rows.#keyedCount = keyedCount;
    return rows;
  }

  get image(): HashRowsImage {
    const { high, low, count } = this;
    return { high: high.subarray(0, count), low: low.subarray(0, count) };
  }

  /** Of memory that is in use; what lies beyond the rows was never touched. */
  get bytes(): number {
    return this.count * 8 + this.#slots.byteLength;
  }

  get capacity(): number {
    return this.high.length;
  }

  /** -1: none. */
  find(high: number, low: number): number {
    const slots = this.#slots === NO_SLOTS ? this.#makeSlots() : this.#slots;
    const mask = slots.length - 1;
    for (let slot = (high ^ low) & mask; ; slot = (slot + 1) & mask) {
      const row = slots[slot]! - 1;
      if (row < 0 || (this.low[row] === low && this.high[row] === high)) return row;
    }
  }

  /**
   * As `find`, for those who ask in the order of hashes, up or down: the row is looked for around the one that was found
   * last, which is in the processor's cache, where a slot would be one at far memory.
   */
  findNear(high: number, low: number): number {
    if (this.#isInOrder && this.#keyedCount > 0) {
      const step = this.#compare(this.#near, high, low) < 0 ? 1 : -1;
      let row = this.#near;
      for (let steps = 0; steps < NEAR_ROWS && row >= 0 && row < this.#keyedCount; steps++, row += step) {
        const difference = this.#compare(row, high, low);
        if (difference === 0) return (this.#near = row);
        if (difference > 0 === step > 0) return -1; // it would lie between this one and the one before
      }
    }
    const row = this.find(high, low);
    if (row >= 0) this.#near = row;
    return row;
  }

  #compare(row: number, high: number, low: number): number {
    return compareSigned(this.high[row]!, this.low[row]!, high, low);
  }

  /** The row of a hash that has none yet. */
  add(high: number, low: number): number {
    if (this.#slots === NO_SLOTS) this.#makeSlots();
    this.#isInOrder = false;
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
      const longer = Math.max(FIRST_ROWS, this.count * 2);
      this.high = lengthened(this.high, longer);
      this.low = lengthened(this.low, longer);
    }
    return this.count++;
  }

  #makeSlots(): Uint32Array<ArrayBuffer> {
    let slots = FIRST_ROWS * 2;
    while (slots < this.count * 1.5) slots *= 2;
    this.#slots = new Uint32Array(slots);
    for (let row = 0; row < this.#keyedCount; row++) this.#put(row);
    return this.#slots;
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
    giveBack(old);
    this.#put(this.count - 1);
  }
}
