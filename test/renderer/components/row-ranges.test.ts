import { expect, test } from 'vitest';
import {
  countOf,
  holds,
  rangeBetween,
  toggled,
  withRange
} from '../../../src-renderer/components/row-ranges.ts';

test('a range goes either way, both ends included', () => {
  expect(rangeBetween(7, 3)).toEqual([3, 8]);
  expect(rangeBetween(3, 7)).toEqual([3, 8]);
});

test('ranges that meet are one', () => {
  expect(
    withRange(
      [
        [0, 2],
        [6, 8]
      ],
      [2, 6]
    )
  ).toEqual([[0, 8]]);
  expect(withRange([[6, 8]], [0, 2])).toEqual([
    [0, 2],
    [6, 8]
  ]);
});

test('one row is taken out of a million without listing them', () => {
  const ranges = toggled([[0, 1_000_000]], 500);
  expect(ranges).toEqual([
    [0, 500],
    [501, 1_000_000]
  ]);
  expect(countOf(ranges)).toBe(999_999);
  expect([holds(ranges, 499), holds(ranges, 500)]).toEqual([true, false]);
  expect(toggled(ranges, 500)).toEqual([[0, 1_000_000]]);
});
