/**
 * The order of a table over entries that came in the order of the log: which entry stands at which place. Moves
 * indexes, not entries, and touches no file.
 */
import type { EntryBlock } from './index-entry.ts';

/** Below this many a comparison sort is faster than passes over all digits. */
const RADIX_MINIMUM = 4096;
const DIGIT_BITS = 16;
const DIGIT_COUNT = 1 << DIGIT_BITS;

/** Indexes of the block's entries in table order: descending by hash, number, position. */
export function tableOrder(block: EntryBlock): Uint32Array {
  return block.count < RADIX_MINIMUM ? orderByComparison(block) : orderByHash(block);
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
 * Two stable passes by 16 bits of one half of the hash, greatest first, over indexes that start in reverse order of the log:
 * hardly any two streams have that half in common. Within a hash the entries are then newest first, which nearly always is their
 * order by number already. What is not in order within an equal half is sorted by comparison.
 */
function orderByHash(block: EntryBlock): Uint32Array {
  const { count } = block;
  const words = decidingHalf(block);
  let order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = count - 1 - i;
  let next = new Uint32Array(count);
  const starts = new Uint32Array(DIGIT_COUNT);
  for (const shift of [0, DIGIT_BITS]) {
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
  sortRuns(block, words, order);
  return order;
}

/** The upper half of the hashes; the lower one where all have the same upper half, as hashes of 32 bits do. */
function decidingHalf({ count, hashHigh, hashLow }: EntryBlock): Uint32Array {
  for (let i = 1; i < count; i++) {
    if (hashHigh[i] !== hashHigh[0]) return hashHigh;
  }
  return hashLow;
}

/** Entries of one hash are in order already, as a rule; a run of an equal half that is not is sorted. */
function sortRuns(block: EntryBlock, words: Uint32Array, order: Uint32Array): void {
  const compare = descending(block);
  let start = 0;
  let isOrdered = true;
  let last = order[0]!;
  for (let i = 1; i < order.length; i++) {
    const entry = order[i]!;
    if (words[entry] !== words[last]) {
      if (!isOrdered) order.subarray(start, i).sort(compare);
      start = i;
      isOrdered = true;
    } else if (compare(last, entry) > 0) isOrdered = false;
    last = entry;
  }
  if (!isOrdered) order.subarray(start).sort(compare);
}
