/**
 * Numbers of rows by stream hash: open addressing over typed arrays, some 16 bytes a row. Rows are numbered from 0 as
 * they come and none is ever removed; the owner of the rows marks those that do not count.
 *
 * Rows that come in the order of their hashes are found by that order: slots are made once one comes that breaks it, or when
 * so many are looked for, all over the rows, that slots are worth their memory.
 */
import { giveBack } from '../../../codec/give-back.ts';
import { lengthened } from '../../../codec/longer-column.ts';
import { compareSigned } from '../../../index/hash-order.ts';

const FIRST_ROWS = 1024;
/** Making slots takes as long as searching for one of so many rows. */
const ROWS_OF_SEARCH = 8;
const NO_SLOTS = new Uint32Array(0);

export interface HashRowsImage {
  high: Uint32Array<ArrayBuffer>;
  low: Uint32Array<ArrayBuffer>;
}

export class HashRows {
  count = 0;
  /** The rows that have a hash are the first ones, in the order of their hashes: first those above 2^31 in the upper half. */
  #isInOrder = true;
  /** Of rows in order: the first ones, which have a hash. */
  #keyedCount = 0;
  #near = 0;
  #searches = 0;
  high = new Uint32Array(FIRST_ROWS);
  low = new Uint32Array(FIRST_ROWS);
  /** Row plus one by hash, 0: nothing there. A power of two, at most two thirds filled. */
  #slots = NO_SLOTS;

  /** Rows as an image of them says; their columns are not copied. The first `keyedCount` have a hash, the others a name. */
  static over({ high, low }: HashRowsImage, keyedCount: number): HashRows {
    const rows = new HashRows();
    rows.high = high;
    rows.low = low;
    rows.count = high.length;
    rows.#keyedCount = keyedCount;
    return rows;
  }

  /** Of memory that is in use; what lies beyond the rows was never touched. */
  get bytes(): number {
    return this.count * 8 + this.#slots.byteLength;
  }

  get capacity(): number {
    return this.high.length;
  }

  /** So many rows have a hash, are the first ones, and lie in the order of their hashes; undefined: it is not so. */
  get inOrder(): number | undefined {
    return this.#isInOrder ? this.#keyedCount : undefined;
  }

  /** -1: none. */
  find(high: number, low: number): number {
    if (this.#slots === NO_SLOTS) {
      if (++this.#searches * ROWS_OF_SEARCH < this.#keyedCount) {
        const row = this.#firstFrom(high, low, 0, this.#keyedCount);
        return row < this.#keyedCount && this.#compare(row, high, low) === 0 ? row : -1;
      }
      this.#makeSlots();
    }
    const slots = this.#slots;
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
    if (!this.#isInOrder) return this.find(high, low);
    const count = this.#keyedCount;
    if (count === 0) return -1;
    // The row is at or after `from`, and before `to` unless it is not there at all.
    let from = 0;
    let to = count;
    const near = this.#near;
    const difference = this.#compare(near, high, low);
    if (difference === 0) return near;
    if (difference < 0) {
      from = near + 1;
      for (let step = 1, row = near + 1; row < count; step *= 2, row += step) {
        const isBelow = this.#compare(row, high, low) < 0;
        if (!isBelow) {
          to = row + 1;
          break;
        }
        from = row + 1;
      }
    } else {
      to = near;
      for (let step = 1, row = near - 1; row >= 0; step *= 2, row -= step) {
        if (this.#compare(row, high, low) <= 0) {
          from = row;
          break;
        }
        to = row;
      }
    }
    const row = this.#firstFrom(high, low, from, to);
    if (row === to || this.#compare(row, high, low) !== 0) {
      this.#near = Math.min(row, count - 1);
      return -1;
    }
    return (this.#near = row);
  }

  /** The row of a hash that has none yet. */
  add(high: number, low: number): number {
    const isNext = this.#isInOrder && this.#keyedCount === this.count;
    if (isNext && (this.count === 0 || this.#compare(this.count - 1, high, low) < 0)) {
      const row = this.addUnkeyed();
      this.high[row] = high;
      this.low[row] = low;
      this.#keyedCount = this.count;
      this.#near = row;
      if (this.#slots !== NO_SLOTS) this.#putOrGrow(row);
      return row;
    }
    if (this.#slots === NO_SLOTS) this.#makeSlots();
    this.#isInOrder = false;
    const row = this.addUnkeyed();
    this.high[row] = high;
    this.low[row] = low;
    this.#putOrGrow(row);
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

  #compare(row: number, high: number, low: number): number {
    return compareSigned(this.high[row]!, this.low[row]!, high, low);
  }

  /** Of rows in order: the first of these that does not lie before the hash, `to` when all do. */
  #firstFrom(high: number, low: number, from: number, to: number): number {
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#compare(middle, high, low) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #makeSlots(): void {
    let slots = FIRST_ROWS * 2;
    while (slots < this.count * 1.5) slots *= 2;
    this.#slots = new Uint32Array(slots);
    for (let row = 0; row < this.#keyedCount; row++) this.#put(row);
  }

  #putOrGrow(row: number): void {
    if (this.count * 1.5 > this.#slots.length) this.#growSlots();
    else this.#put(row);
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
