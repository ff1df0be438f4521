import { describe, expect, test } from 'vitest';
import {
  entryCountOf,
  midpointEntryIndex,
  requiredMidpointCount,
  tableSizeBytes
} from '../../../src-core/index/index-table.ts';

describe('table arithmetic', () => {
  test.each([
    [0, 0, 272],
    [1, 2, 344],
    [5, 5, 512],
    [65_536, 65_536, 3_146_000],
    [65_537, 65_536, 3_146_024],
    [1_000_000, 65_536, 25_573_136],
    [22_369_621, 65_536, 538_444_040],
    [22_369_622, 131_072, 540_016_928],
    [44_739_243, 262_144, 1_080_033_560],
    [100_000_000, 524_288, 2_412_583_184]
  ])('gives %i entries %i midpoints and %i bytes', (entries, midpoints, bytes) => {
    expect(requiredMidpointCount(entries)).toBe(midpoints);
    expect(tableSizeBytes(4, entries, midpoints)).toBe(bytes);
    expect(entryCountOf(4, bytes, midpoints)).toBe(entries);
  });

  test('samples evenly, first and last entry included', () => {
    const all = (n: number, m: number) => Array.from({ length: m }, (_, k) => midpointEntryIndex(k, n, m));
    expect(all(10, 4)).toEqual([0, 3, 6, 9]);
    expect(all(11, 8)).toEqual([0, 1, 2, 4, 5, 7, 8, 10]);
    expect(all(1, 2)).toEqual([0, 0]);
    const large = [1, 2, 3, 32768, 65534, 65535].map((k) => midpointEntryIndex(k, 1_000_000, 65_536));
    expect(large).toEqual([15, 30, 45, 500_007, 999_983, 999_999]);
  });

  test.each([
    [2 ** 28, 2 ** 28 - 3, 2 ** 44 + 12345],
    // Products that a double rounds up to a whole multiple.
    [2 ** 27, 134_217_645, 83_476_879 + 1 + 5 * (2 ** 27 - 1)],
    [2 ** 28, 268_435_448, 230_087_533 + 1 + 3 * (2 ** 28 - 1)],
    // Of as many as that none is rounded.
    [2 ** 26, 2 ** 26 - 2, 2 ** 26 - 1 + 7 * (2 ** 26 - 1)]
  ])('stays exact where products leave the range of doubles: %i, the one at %i of %i', (m, k, n) => {
    expect(BigInt(midpointEntryIndex(k, n, m))).toBe((BigInt(k) * BigInt(n - 1)) / BigInt(m - 1));
  });

  test('refuses a length that no whole number of entries gives', () => {
    expect(entryCountOf(4, 511, 5)).toBeUndefined();
    expect(entryCountOf(4, 200, 0)).toBeUndefined();
    expect(entryCountOf(2, 144 + 20 * 7, 0)).toBe(7);
  });
});
