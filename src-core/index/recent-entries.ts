/**
 * Entries that no table holds: those of the log behind the map's check point, or of the whole log when there is
 * no usable index. They are kept in memory in table order and answer like a table. There may be millions, so they
 * are typed arrays, and sorting (table-order.ts) moves indexes, not entries.
 *
 * A table written from them is what the server would write (index-table-writer.ts).
 */
import type { AtNumber, AtPosition } from '../units/of-unit.ts';
import { EntryBlock, type EntrySpan, type IndexEntry, type SortedEntries } from './index-entry.ts';
import { moveSpanUp } from './span-search.ts';
import { tableOrder } from './table-order.ts';

/** Takes entries in the order of the log. */
export class RecentEntriesBuilder {
  #block: EntryBlock;

  constructor(expected = 1024) {
    this.#block = new EntryBlock(expected);
  }

  get count(): number {
    return this.#block.count;
  }

  add(hashHigh: number, hashLow: number, number: AtNumber, position: AtPosition): void {
    if (this.#block.count === this.#block.capacity) this.#grow();
    this.#block.set(this.#block.count++, hashHigh, hashLow, number, position);
  }

  build(): RecentEntries {
    return new RecentEntries(sortEntries(this.#block));
  }

  #grow(): void {
    const old = this.#block;
    const block = new EntryBlock(Math.max(1024, old.capacity * 2));
    block.hashHigh.set(old.hashHigh);
    block.hashLow.set(old.hashLow);
    block.number.set(old.number);
    block.position.set(old.position);
    block.count = old.count;
    this.#block = block;
  }
}

export class RecentEntries implements SortedEntries {
  readonly name = 'the log after the index';
  readonly #all: EntryBlock;

  /** `all` is in table order. */
  constructor(all: EntryBlock) {
    this.#all = all;
  }

  static none(): RecentEntries {
    return new RecentEntries(new EntryBlock(0));
  }

  /** In table order; not to be changed. */
  get block(): EntryBlock {
    return this.#all;
  }

  get count(): number {
    return this.#all.count;
  }

  mayContain(hashHigh: number, hashLow: number): boolean {
    const at = this.firstAtOrBelow(hashHigh, hashLow, Number.POSITIVE_INFINITY);
    return at < this.#all.count && this.#all.hashHigh[at] === hashHigh && this.#all.hashLow[at] === hashLow;
  }

  firstAtOrBelow(hashHigh: number, hashLow: number, number: number): number {
    let from = 0;
    let to = this.#all.count;
    while (from < to) {
      const middle = Math.floor((from + to) / 2);
      if (this.#all.compareKey(middle, hashHigh, hashLow, number) <= 0) to = middle;
      else from = middle + 1;
    }
    return from;
  }

  firstBelow(hashHigh: number, hashLow: number, number: number): number {
    let from = 0;
    let to = this.#all.count;
    while (from < to) {
      const middle = Math.floor((from + to) / 2);
      if (this.#all.compareKey(middle, hashHigh, hashLow, number) < 0) to = middle;
      else from = middle + 1;
    }
    return from;
  }

  moveUp(span: EntrySpan, high: number, low: number): boolean {
    return moveSpanUp(this.#all, span, { high, low, isWhole: true });
  }

  readEntry(index: number, into: IndexEntry): IndexEntry {
    return this.#all.get(index, into);
  }

  readEntries(index: number, block: EntryBlock): number {
    const all = this.#all;
    const count = Math.max(0, Math.min(block.capacity, all.count - index));
    block.hashHigh.set(all.hashHigh.subarray(index, index + count));
    block.hashLow.set(all.hashLow.subarray(index, index + count));
    block.number.set(all.number.subarray(index, index + count));
    block.position.set(all.position.subarray(index, index + count));
    block.count = count;
    return count;
  }
}

/** The entries of `block` in table order, in a block of just their size. */
function sortEntries(block: EntryBlock): EntryBlock {
  const { count } = block;
  const order = tableOrder(block);
  const sorted = new EntryBlock(count);
  for (let i = 0; i < count; i++) {
    const from = order[i]!;
    sorted.hashHigh[i] = block.hashHigh[from]!;
    sorted.hashLow[i] = block.hashLow[from]!;
    sorted.number[i] = block.number[from]!;
    sorted.position[i] = block.position[from]!;
  }
  sorted.count = count;
  return sorted;
}
