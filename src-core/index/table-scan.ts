/**
 * Walks all entries of a table from the first to the last in large reads, and refuses what no table may hold:
 * a wrong order, negative or impossible numbers. Copying a table walks it with this, so that damage is
 * reported instead of being copied under a fresh checksum.
 */
import { indexCorrupt } from '../errors.ts';
import { EntryBlock, isPossibleEntry } from './index-entry.ts';
import type { IndexTableReader } from './index-table-reader.ts';

/** Entries of one read. */
export const SCAN_BLOCK_ENTRIES = 4096;

export class TableScan {
  readonly table: IndexTableReader;
  /** Valid after `next` said true, until it is called again. */
  readonly block = new EntryBlock(SCAN_BLOCK_ENTRIES);
  /** Index in the table of the block's first entry. */
  start = 0;
  #next = 0;
  #high = 0xffffffff;
  #low = 0xffffffff;
  #number = Number.POSITIVE_INFINITY;
  #position = Number.POSITIVE_INFINITY;

  constructor(table: IndexTableReader) {
    this.table = table;
  }

  /** Moves to the next block; false at the end. Throws IndexCorrupt at the first wrong entry. */
  next(): boolean {
    this.start = this.#next;
    const count = this.table.readEntries(this.start, this.block);
    this.#next += count;
    const wrong = this.#firstWrong(count);
    if (wrong >= 0) {
      const index = this.start + wrong;
      const offset = this.table.offsetOf(index);
      throw indexCorrupt(
        `Entry ${index} of index table ${this.table.name} (offset ${offset}) is out of order or holds an impossible value.`,
        { file: this.table.name, offset }
      );
    }
    return count > 0;
  }

  /** Index in the block of the first entry above its predecessor or out of range; -1 when all are sound. */
  #firstWrong(count: number): number {
    const { hashHigh, hashLow, number, position } = this.block;
    let high = this.#high;
    let low = this.#low;
    let lastNumber = this.#number;
    let lastPosition = this.#position;
    for (let i = 0; i < count; i++) {
      const h = hashHigh[i]!;
      const l = hashLow[i]!;
      const n = number[i]!;
      const p = position[i]!;
      const isDescending =
        h < high ||
        (h === high &&
          (l < low || (l === low && (n < lastNumber || (n === lastNumber && p <= lastPosition)))));
      if (!isDescending || !isPossibleEntry(n, p)) return i;
      high = h;
      low = l;
      lastNumber = n;
      lastPosition = p;
    }
    this.#high = high;
    this.#low = low;
    this.#number = lastNumber;
    this.#position = lastPosition;
    return -1;
  }
}
