/**
 * Names, each with a row of numbers: open addressing over typed arrays by a hash and the bytes of the name. A look-up
 * makes nothing, and names that come in the order of their hashes find their slots one behind the other.
 *
 * A table holds names of one range of hashes, at most so many: one that is full gives up the upper half of its range, and
 * the one who fills it comes back with a table for that. So memory does not grow with the number of names, and what fits is
 * counted in one go.
 */
import type { GroupRows } from './group-rows.ts';

/** Of the upper half of a hash, exclusive. */
export const HASH_END = 2 ** 32;
/** Names in one table: some 90 MB of them, and two tables may be there at once. */
export const MOST_NAMES = 500_000;
/** From one in so many of them on it can be told how many there will be. */
const CERTAIN_SHARE = 64;
/** Half of the slots are free when all names are there. */
const TOO_MANY = 1.2;
const FIRST_ROWS = 1024;
/** Of a table that was read: they are made when a name is looked up. */
const NO_SLOTS = new Uint32Array(0);
const MEAN_NAME_BYTES = 16;

export interface GroupTableParts {
  columnCount: number;
  /** The first upper half of a hash in it, and the one before which it ends. */
  from?: number;
  to?: number;
  mostNames?: number | undefined;
}

export class GroupTable {
  readonly from: number;
  readonly columnCount: number;
  /** Row after row. */
  values: Float64Array<ArrayBuffer>;
  count = 0;
  readonly #mostNames: number;
  #to: number;
  /** The greatest upper half of a hash that is in it. */
  #highest = 0;
  #high: Uint32Array = new Uint32Array(FIRST_ROWS);
  #low: Uint32Array = new Uint32Array(FIRST_ROWS);
  /** Where each name ends; it starts where the one before ends. */
  #ends = new Float64Array(FIRST_ROWS);
  #names: Buffer = Buffer.allocUnsafe(FIRST_ROWS * MEAN_NAME_BYTES);
  /** Number of the name plus one; 0 is a free slot. Never more than half of them are taken. */
  #slots = new Uint32Array(FIRST_ROWS * 2);
  #scale: number;

  constructor({ columnCount, from = 0, to = HASH_END, mostNames = MOST_NAMES }: GroupTableParts) {
    this.columnCount = columnCount;
    this.from = from;
    this.#to = to;
    this.#mostNames = mostNames;
    this.values = new Float64Array(FIRST_ROWS * columnCount);
    this.#scale = this.#slots.length / (this.#to - from);
  }

  /** What it holds; the arrays are its own, and may be longer. */
  get rows(): GroupRows {
    return {
      count: this.count,
      columnCount: this.columnCount,
      high: this.#high,
      low: this.#low,
      ends: this.#ends,
      names: this.#names,
      values: this.values
    };
  }

  /** Over rows of this range of hashes, which are not copied. For those who only look: there is no room for another name. */
  static over(rows: GroupRows, range: { from: number; to: number }): GroupTable {
    const { count, columnCount, high, low, ends, names, values } = rows;
    const table = new GroupTable({ columnCount, ...range });
    table.count = count;
    table.values = values;
    table.#ends = ends;
    table.#high = high;
    table.#low = low;
    table.#names = Buffer.from(names.buffer, names.byteOffset, names.length);
    table.#slots = NO_SLOTS;
    return table;
  }

  /** Upper halves of hashes from here on are not in it. */
  get to(): number {
    return this.#to;
  }

  hashHigh(at: number): number {
    return this.#high[at]!;
  }

  hashLow(at: number): number {
    return this.#low[at]!;
  }

  /** The bytes of all names; where that of each lies in them. */
  get names(): Buffer {
    return this.#names;
  }
  nameStart(at: number): number {
    return at === 0 ? 0 : this.#ends[at - 1]!;
  }
  nameEnd(at: number): number {
    return this.#ends[at]!;
  }

  /** Invalid UTF-8 becomes U+FFFD, as everywhere names are shown. */
  name(at: number): string {
    return this.#names.toString('utf8', this.nameStart(at), this.#ends[at]);
  }

  /**
   * Makes room for so many more names. Needed before names come in the order of their hashes: in a table that grows with
   * them they would all crowd into its first slots.
   */
  reserve(more: number): void {
    const wanted = Math.min(this.count + more, this.#mostNames);
    let capacity = this.#high.length;
    while (capacity < wanted) capacity *= 2;
    if (capacity > this.#high.length) this.#growTo(capacity);
  }

  /** Number of a name that is in it, -1 otherwise. */
  find(high: number, low: number, bytes: Buffer, start: number, end: number): number {
    if (high < this.from || high >= this.#to) return -1;
    if (this.#slots === NO_SLOTS) this.#makeSlots();
    return this.#slots[this.#slotOf(high, low, bytes, start, end)]! - 1;
  }

  /** Number of the name; a new one gets a row of zeros. -1 when its hash lies outside of the range. */
  numberOf(high: number, low: number, bytes: Buffer, start: number, end: number): number {
    if (high < this.from || high >= this.#to) return -1;
    let slot = this.#slotOf(high, low, bytes, start, end);
    const taken = this.#slots[slot]!;
    if (taken !== 0) return taken - 1;
    if (this.#isFullFor(high)) {
      this.#giveUpHalf();
      return this.numberOf(high, low, bytes, start, end);
    }
    if (this.count === this.#high.length) {
      this.#growTo(this.count * 2);
      slot = this.#slotOf(high, low, bytes, start, end);
    }
    return this.#add(slot, high, low, bytes, start, end);
  }

  /**
   * No room for one more, or too little for what is to come: names that come in the order of their hashes show early how
   * many there will be in all, and would crowd in the slots of their part of the range if they were too many.
   */
  #isFullFor(high: number): boolean {
    const { from, count } = this;
    const range = this.#to - from;
    if (range <= 1) return false;
    if (count >= this.#mostNames) return true;
    const covered = Math.max(this.#highest, high) - from + 1;
    if (covered > range / 2 || count < this.#mostNames / CERTAIN_SHARE) return false;
    return (count * range) / covered > this.#mostNames * TOO_MANY;
  }

  /** The slot of the name, or the free one where it belongs. */
  #slotOf(high: number, low: number, bytes: Buffer, start: number, end: number): number {
    const mask = this.#slots.length - 1;
    let slot = Math.floor((high - this.from) * this.#scale) & mask;
    for (let taken = this.#slots[slot]!; taken !== 0; taken = this.#slots[slot]!) {
      const at = taken - 1;
      if (this.#low[at] === low && this.#high[at] === high && this.#isName(at, bytes, start, end)) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #isName(at: number, bytes: Buffer, start: number, end: number): boolean {
    const from = this.nameStart(at);
    const names = this.#names;
    let i = start;
    if (this.#ends[at]! - from === end - start) {
      for (let own = from; i < end && bytes[i] === names[own]; own++) i++;
      if (i === end) return true;
    }
    // Two streams that share a hash, or one name in two forms of broken UTF-8.
    return bytes.toString('utf8', start, end) === this.name(at);
  }

  #add(slot: number, high: number, low: number, bytes: Buffer, start: number, end: number): number {
    const at = this.count++;
    const from = this.nameStart(at);
    const to = from + end - start;
    if (to > this.#names.length) {
      const larger = Buffer.allocUnsafe(Math.max(to, this.#names.length * 2));
      this.#names.copy(larger, 0, 0, from);
      this.#names = larger;
    }
    for (let i = start, into = from; i < end; i++, into++) this.#names[into] = bytes[i]!;
    this.#ends[at] = to;
    this.#high[at] = high;
    this.#low[at] = low;
    this.#slots[slot] = at + 1;
    if (high > this.#highest) this.#highest = high;
    return at;
  }

  #growTo(capacity: number): void {
    this.#high = grown(this.#high, capacity);
    this.#low = grown(this.#low, capacity);
    this.#ends = grown(this.#ends, capacity);
    this.values = grown(this.values, capacity * this.columnCount);
    this.#slots = new Uint32Array(capacity * 2);
    this.#placeAll();
  }

  /** Hashes are spread evenly: half of the range is half of the names. */
  #giveUpHalf(): void {
    this.#to = this.from + Math.ceil((this.#to - this.from) / 2);
    const { columnCount } = this;
    let kept = 0;
    let nameEnd = 0;
    this.#highest = this.from;
    for (let at = 0, start = 0; at < this.count; at++) {
      const end = this.#ends[at]!;
      if (this.#high[at]! < this.#to) {
        this.#names.copyWithin(nameEnd, start, end);
        nameEnd += end - start;
        this.values.copyWithin(kept * columnCount, at * columnCount, (at + 1) * columnCount);
        this.#high[kept] = this.#high[at]!;
        this.#highest = Math.max(this.#highest, this.#high[kept]!);
        this.#low[kept] = this.#low[at]!;
        this.#ends[kept] = nameEnd;
        kept++;
      }
      start = end;
    }
    this.values.fill(0, kept * columnCount);
    this.count = kept;
    this.#slots.fill(0);
    this.#placeAll();
  }

  #makeSlots(): void {
    let slots = FIRST_ROWS * 2;
    while (slots < this.count * 2) slots *= 2;
    this.#slots = new Uint32Array(slots);
    this.#placeAll();
  }

  #placeAll(): void {
    const mask = this.#slots.length - 1;
    this.#scale = this.#slots.length / (this.#to - this.from);
    for (let at = 0; at < this.count; at++) {
      let slot = Math.floor((this.#high[at]! - this.from) * this.#scale) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = at + 1;
    }
  }
}

function grown<T extends Uint32Array | Float64Array>(old: T, length: number): T {
  const larger = new (old.constructor as new (size: number) => T)(length);
  larger.set(old);
  return larger;
}
