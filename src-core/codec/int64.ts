/**
 * Signed 64-bit integers as numbers, from two 32-bit halves: no BigInt in hot loops. Exact for
 * |value| <= 2^53; beyond that the nearest double, which is how 2^63-1 becomes 2^63.
 */
import { assert } from '../assert.ts';

export function readInt64(view: DataView, offset: number): number {
  return view.getInt32(offset + 4, true) * 4294967296 + view.getUint32(offset, true);
}

/** Writes a whole number; 2^63 and above becomes 2^63-1. */
export function writeInt64(view: DataView, offset: number, value: number): void {
  if (value >= 2 ** 63) {
    view.setUint32(offset, 0xffffffff, true);
    view.setInt32(offset + 4, 0x7fffffff, true);
    return;
  }
  assert(Number.isSafeInteger(value), `int64 ${value} is exact`);
  const high = Math.floor(value / 4294967296);
  view.setUint32(offset, value - high * 4294967296, true);
  view.setInt32(offset + 4, high, true);
}
