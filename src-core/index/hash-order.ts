/** Rows in the order of their hashes: as they are, as digests have them, or as the signed numbers by which SQLite keeps them. */

import { giveBack } from '../codec/give-back.ts';
import type { WordRows } from '../codec/word-rows.ts';

/** Of rows by number. */
export interface Hashes {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
}

/** Digits of the upper half of the hash, from the lowest. */
const DIGIT_BITS = 11;
const DIGITS_COUNT = 1 << DIGIT_BITS;
const DIGIT = DIGITS_COUNT - 1;
const SHIFTS = [0, DIGIT_BITS, 2 * DIGIT_BITS];
const SIGN = 0x80000000;

/** Rows of words, some of which are a hash: upper half, lower half. */
export interface HashedWords {
  words: WordRows;
  /** Where the hash begins in each. */
  hashAt: number;
}

/** The numbers of `rows` by the rising hash. `rows` is used up: its memory is that of the result, or given back. */
export function byHash(words: HashedWords, rows: Uint32Array): Uint32Array {
  return wordsInOrder(words, rows, 0);
}

/** The numbers of `rows` by the rising signed hash: negative numbers come first. `rows` is used up. */
export function bySignedHash({ high, low }: Hashes, rows: Uint32Array): Uint32Array {
  const keys = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) keys[i] = high[rows[i]!]! ^ SIGN;
  return inOrder(keys, rows, (a, b) => low[a]! - low[b]! || a - b);
}

/** The numbers of the first `count` rows by the rising hash, those of one hash as `compare` says. */
export function firstByHash(
  { high, low }: Hashes,
  count: number,
  compare: (a: number, b: number) => number
): Uint32Array {
  const rows = new Uint32Array(count);
  for (let row = 0; row < count; row++) rows[row] = row;
  return inOrder(high.slice(0, count), rows, (a, b) => low[a]! - low[b]! || compare(a, b));
}

/** The same of rows of words. */
export function wordsBySignedHash(words: HashedWords, rows: Uint32Array): Uint32Array {
  return wordsInOrder(words, rows, SIGN);
}

function wordsInOrder({ words, hashAt }: HashedWords, rows: Uint32Array, turned: number): Uint32Array {
  const keys = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) keys[i] = words.get(rows[i]!, hashAt) ^ turned;
  const lowAt = hashAt + 1;
  return inOrder(keys, rows, (a, b) => words.get(a, lowAt) - words.get(b, lowAt) || a - b);
}

/**
 * Stable passes by digits of the upper half, which goes along with its row: looked up, each would be one at far memory. The few
 * rows that share it are put in order by `compare`.
 */
function inOrder(
  firstKeys: Uint32Array,
  rows: Uint32Array,
  compare: (a: number, b: number) => number
): Uint32Array {
  let order = rows;
  let keys = firstKeys;
  let nextOrder: Uint32Array = new Uint32Array(rows.length);
  let nextKeys: Uint32Array = new Uint32Array(rows.length);
  const starts = new Uint32Array(DIGITS_COUNT + 1);
  for (const shift of SHIFTS) {
    starts.fill(0);
    for (const key of keys) starts[((key >>> shift) & DIGIT) + 1]!++;
    for (let digit = 1; digit < starts.length; digit++) starts[digit]! += starts[digit - 1]!;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i]!;
      const at = starts[(key >>> shift) & DIGIT]!++;
      nextKeys[at] = key;
      nextOrder[at] = order[i]!;
    }
    [order, nextOrder] = [nextOrder, order];
    [keys, nextKeys] = [nextKeys, keys];
  }
  for (const used of [nextOrder, nextKeys]) giveBack(used);
  for (let start = 0, i = 1; i <= keys.length; i++) {
    if (i < keys.length && keys[i] === keys[start]) continue;
    if (i - start > 1) sortSome(order, { start, end: i }, compare);
    start = i;
  }
  giveBack(keys);
  return order;
}

/** Rows of one upper half. Those of one hash, which are nearly all of them, mostly are in order already. */
function sortSome(
  order: Uint32Array,
  { start, end }: { start: number; end: number },
  compare: (a: number, b: number) => number
): void {
  for (let i = start + 1; i < end; i++) {
    if (compare(order[i - 1]!, order[i]!) < 0) continue;
    order.subarray(start, end).sort(compare);
    return;
  }
}

/** Below 0, 0 or above 0. */
export function compareSigned(high: number, low: number, otherHigh: number, otherLow: number): number {
  return (high | 0) - (otherHigh | 0) || low - otherLow;
}
