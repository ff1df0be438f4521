/** Rows by the signed number that their hashes are: the order in which SQLite keeps them. */

/** Of rows by number. */
interface Hashes {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
}

/** Digits of the upper half of the hash, from the lowest. */
const DIGIT_BITS = 11;
const DIGITS = [0, DIGIT_BITS, 2 * DIGIT_BITS];
const SIGN = 0x80000000;

/**
 * The numbers of `rows` in the order of their hashes. Stable passes by digits of the upper half; the few that share it
 * are put in order by the lower one.
 */
export function bySignedHash({ high, low }: Hashes, rows: Uint32Array): Uint32Array {
  let order = rows;
  let next: Uint32Array = new Uint32Array(rows.length);
  const starts = new Uint32Array((1 << DIGIT_BITS) + 1);
  for (const shift of DIGITS) {
    starts.fill(0);
    for (const row of order) starts[digitOf(high[row]!, shift) + 1]!++;
    for (let digit = 1; digit < starts.length; digit++) starts[digit]! += starts[digit - 1]!;
    for (const row of order) next[starts[digitOf(high[row]!, shift)]!++] = row;
    [order, next] = [next, order];
  }
  for (let i = 1; i < order.length; i++) {
    const row = order[i]!;
    let at = i;
    for (; at > 0 && high[order[at - 1]!] === high[row] && low[order[at - 1]!]! > low[row]!; at--) {
      order[at] = order[at - 1]!;
    }
    order[at] = row;
  }
  return order;
}

/** With the sign turned, negative numbers come first. */
function digitOf(high: number, shift: number): number {
  return ((high ^ SIGN) >>> shift) & ((1 << DIGIT_BITS) - 1);
}

/** Below 0, 0 or above 0. */
export function compareSigned(high: number, low: number, otherHigh: number, otherLow: number): number {
  return (high | 0) - (otherHigh | 0) || low - otherLow;
}
