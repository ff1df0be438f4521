/**
 * One entry of the index: which event number of which stream hash lies where in the log. Everything sorted is
 * sorted descending by (hash unsigned, event number, position), and "key" means hash and number.
 *
 * Loops never meet an object per entry: they work on an EntryBlock, four typed arrays that are filled again and
 * again. Event numbers are doubles, a tombstone's is 2^63 (units/event-number.ts).
 */
import { giveBack } from '../codec/give-back.ts';
import type { AtNumber, AtPosition } from '../units/of-unit.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../units/event-number.ts';
import { hashText } from './stream-hash.ts';

export interface IndexEntry {
  /** Upper and lower 32 bits of the stream hash, unsigned. */
  hashHigh: number;
  hashLow: number;
  number: AtNumber;
  /** Log position of the prepare. */
  position: AtPosition;
}

export function emptyEntry(): IndexEntry {
  return { hashHigh: 0, hashLow: 0, number: 0, position: 0 };
}

/** Event numbers are never negative; above 2^53 there is only that of a tombstone. */
export function isPossibleEntry(number: AtNumber, position: AtPosition): boolean {
  return (
    number >= 0 &&
    position >= 0 &&
    position <= Number.MAX_SAFE_INTEGER &&
    (number <= Number.MAX_SAFE_INTEGER || number === DELETED_STREAM_EVENT_NUMBER)
  );
}

/** For messages. */
export function entryText(entry: IndexEntry): string {
  return `(${hashText(entry.hashHigh, entry.hashLow)}, ${entry.number}, ${entry.position})`;
}

export interface EntryColumns {
  hashHigh: Uint32Array;
  hashLow: Uint32Array;
  number: Float64Array;
  position: Float64Array;
}

function newColumns(capacity: number): EntryColumns {
  return {
    hashHigh: new Uint32Array(capacity),
    hashLow: new Uint32Array(capacity),
    number: new Float64Array(capacity),
    position: new Float64Array(capacity)
  };
}

/** A reusable window of entries. `count` says how many are valid. */
export class EntryBlock {
  readonly capacity: number;
  readonly hashHigh: Uint32Array;
  readonly hashLow: Uint32Array;
  readonly number: Float64Array;
  readonly position: Float64Array;
  count = 0;

  constructor(capacity: number, columns = newColumns(capacity)) {
    this.capacity = capacity;
    this.hashHigh = columns.hashHigh;
    this.hashLow = columns.hashLow;
    this.number = columns.number;
    this.position = columns.position;
  }

  /** A full block over these columns, which are as long as each other. */
  static over(columns: EntryColumns): EntryBlock {
    const block = new EntryBlock(columns.hashHigh.length, columns);
    block.count = block.capacity;
    return block;
  }

  /** Gives the memory back: nothing is asked any more. */
  release(): void {
    for (const column of [this.hashHigh, this.hashLow, this.number, this.position]) giveBack(column);
  }

  /** Copies `count` entries of another block to `at`. */
  copy(from: EntryBlock, first: number, count: number, at: number): void {
    this.hashHigh.set(from.hashHigh.subarray(first, first + count), at);
    this.hashLow.set(from.hashLow.subarray(first, first + count), at);
    this.number.set(from.number.subarray(first, first + count), at);
    this.position.set(from.position.subarray(first, first + count), at);
  }

  set(at: number, hashHigh: number, hashLow: number, number: AtNumber, position: AtPosition): void {
    this.hashHigh[at] = hashHigh;
    this.hashLow[at] = hashLow;
    this.number[at] = number;
    this.position[at] = position;
  }

  get(at: number, into: IndexEntry): IndexEntry {
    into.hashHigh = this.hashHigh[at]!;
    into.hashLow = this.hashLow[at]!;
    into.number = this.number[at]!;
    into.position = this.position[at]!;
    return into;
  }

  /** Below 0, 0 or above 0: the hash at `at` against a hash. */
  compareHash(at: number, hashHigh: number, hashLow: number): number {
    return this.hashHigh[at]! - hashHigh || this.hashLow[at]! - hashLow;
  }

  /** Below 0, 0 or above 0: the key at `at` against a key. */
  compareKey(at: number, hashHigh: number, hashLow: number, number: number): number {
    return (
      this.hashHigh[at]! - hashHigh || this.hashLow[at]! - hashLow || compareNumbers(this.number[at]!, number)
    );
  }
}

/** Not by subtraction: a difference of event numbers may leave the range in which doubles are exact. */
function compareNumbers(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Full order of two entries: below 0 when `a` belongs before `b` counted upward. */
export function compareEntries(a: IndexEntry, b: IndexEntry): number {
  return (
    a.hashHigh - b.hashHigh ||
    a.hashLow - b.hashLow ||
    compareNumbers(a.number, b.number) ||
    compareNumbers(a.position, b.position)
  );
}

/** The entries of a hash: from `first` up to, not including, `end`. Empty where it would begin. */
export interface EntrySpan {
  first: number;
  end: number;
}

/**
 * What a table on disk and the entries that only the log holds have in common. Indexes count from the greatest
 * key (0) downward in key.
 */
export interface SortedEntries {
  /** For messages: a file name, or where else the entries come from. */
  readonly name: string;
  readonly count: number;
  /** False only when no entry has this hash. */
  mayContain(hashHigh: number, hashLow: number): boolean;
  /** Smallest index whose key is at or below the given one; `count` when there is none. */
  firstAtOrBelow(hashHigh: number, hashLow: number, number: number): number;
  /** Smallest index whose key is below the given one; `count` when there is none. */
  firstBelow(hashHigh: number, hashLow: number, number: number): number;
  /**
   * Moves a span to a hash above its own, for those who ask in the rising order of hashes: near the span only, which takes no
   * search of all entries. False: the span of that hash lies further away, and the one handed over is as it was.
   */
  moveUp(span: EntrySpan, hashHigh: number, hashLow: number): boolean;
  readEntry(index: number, into: IndexEntry): IndexEntry;
  /** Fills `block` from `index` on, as far as it and the entries reach; returns the count. */
  readEntries(index: number, block: EntryBlock): number;
}
