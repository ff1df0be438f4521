/**
 * Entries that no table holds: those of the log behind the map's check point, or of the whole log when there is
 * no usable index. They are kept in memory in table order and answer like a table. There may be millions, so they
 * are typed arrays, and sorting moves indexes, not entries.
 *
 * A table written from them is what the server would write (index-table-writer.ts).
 */
import { EntryBlock, type IndexEntry, type SortedEntries } from './index-entry.ts';

/** Below this many a comparison sort is faster than passes over all digits. */
const RADIX_MINIMUM = 4096;
const DIGIT_BITS = 16;
const DIGIT_COUNT = 1 << DIGIT_BITS;

/** Takes entries in the order of the log. */
export class RecentEntriesBuilder {
  #block: EntryBlock;

  constructor(expected = 1024) {
    this.#block = new EntryBlock(expected);
  }

  get count(): number {
    return this.#block.count;
  }

  add(hashHigh: number, hashLow: number, number: number, position: number): void {
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
  readonly name = 'the log behind the index';
  readonly #all: EntryBlock;

  /** `all` is in table order. */
  constructor(all: EntryBlock) {
    this.#all = all;
  }

  static none(): RecentEntries {
    return new RecentEntries(new EntryBlock(0));
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
  const order = count < RADIX_MINIMUM ? orderByComparison(block) : orderByHash(block);
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

function descending(block: EntryBlock): (a: number, b: number) => number {
  const { hashHigh, hashLow, number, position } = block;
  return (a, b) =>
    hashHigh[b]! - hashHigh[a]! ||
    hashLow[b]! - hashLow[a]! ||
    (number[a]! < number[b]! ? 1 : number[a]! > number[b]! ? -1 : position[b]! - position[a]!);
}

function orderByComparison(block: EntryBlock): Uint32Array {
  return Uint32Array.from({ length: block.count }, (_, i) => i).sort(descending(block));
}

/**
 * Four stable passes by 16 bits of the hash, greatest first, over indexes that start in reverse order of the log.
 * Within a hash the entries are then newest first, which nearly always is their order by number already; a run
 * where it is not is sorted by comparison.
 */
function orderByHash(block: EntryBlock): Uint32Array {
  const { count, hashHigh, hashLow } = block;
  let order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = count - 1 - i;
  let next = new Uint32Array(count);
  const starts = new Uint32Array(DIGIT_COUNT);
  for (const [words, shift] of [
    [hashLow, 0],
    [hashLow, DIGIT_BITS],
    [hashHigh, 0],
    [hashHigh, DIGIT_BITS]
  ] as const) {
    starts.fill(0);
    for (let i = 0; i < count; i++) starts[(words[i]! >>> shift) & 0xffff]!++;
    let start = 0;
    for (let digit = DIGIT_COUNT - 1; digit >= 0; digit--) {
      const size = starts[digit]!;
      starts[digit] = start;
      start += size;
    }
    for (let i = 0; i < count; i++) {
      const entry = order[i]!;
      const digit = (words[entry]! >>> shift) & 0xffff;
      next[starts[digit]!++] = entry;
    }
    [order, next] = [next, order];
  }
  sortRuns(block, order);
  return order;
}

function sortRuns(block: EntryBlock, order: Uint32Array): void {
  const compare = descending(block);
  const { hashHigh, hashLow } = block;
  let start = 0;
  let isOrdered = true;
  for (let i = 1; i <= order.length; i++) {
    const isSameHash =
      i < order.length &&
      hashHigh[order[i]!] === hashHigh[order[i - 1]!] &&
      hashLow[order[i]!] === hashLow[order[i - 1]!];
    if (isSameHash) {
      if (isOrdered && compare(order[i - 1]!, order[i]!) > 0) isOrdered = false;
      continue;
    }
    if (!isOrdered) order.subarray(start, i).sort(compare);
    start = i;
    isOrdered = true;
  }
}
