/** Rows in the order of their hashes: as they are, as digests have them, or as the signed numbers by which SQLite keeps them. */

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

/** The numbers of `rows` by the rising hash. `rows` is used up. */
export function byHash(hashes: Hashes, rows: Uint32Array): Uint32Array {
  return inOrder(hashes, rows, 0);
}

/** The numbers of `rows` by the rising signed hash: negative numbers come first. `rows` is used up. */
export function bySignedHash(hashes: Hashes, rows: Uint32Array): Uint32Array {
  return inOrder(hashes, rows, SIGN);
}

/**
 * Stable passes by digits of the upper half, which goes along with its row: looked up, each would be one at far memory. The few
 * rows that share it are put in order by the lower half.
 */
function inOrder({ high, low }: Hashes, rows: Uint32Array, turned: number): Uint32Array {
  let order = rows;
  let keys: Uint32Array = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) keys[i] = high[rows[i]!]! ^ turned;
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
  for (let start = 0, i = 1; i <= keys.length; i++) {
    if (i < keys.length && keys[i] === keys[start]) continue;
    if (i - start > 1) order.subarray(start, i).sort((a, b) => low[a]! - low[b]! || a - b);
    start = i;
  }
  return order;
}

/** Below 0, 0 or above 0. */
export function compareSigned(high: number, low: number, otherHigh: number, otherLow: number): number {
  return (high | 0) - (otherHigh | 0) || low - otherLow;
}
