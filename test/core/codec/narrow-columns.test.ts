/** Columns of numbers in as few bytes as their values allow: at each limit of a width, and read back. */
import { describe, expect, test } from 'vitest';
import {
  columnArray,
  narrowColumn,
  narrowColumns,
  signedArray,
  signedColumn,
  widenColumn,
  type SignedBytes,
  type SignedColumn
} from '../../../src-core/codec/narrow-columns.ts';

/** Stands in the columns beside the one that is narrowed, and after its last row. */
const FOREIGN = 0.5;
const FROM = 1;
const STEP = 3;

/** The second of three columns; behind the last row are others that do not count. */
function besideOthers(column: readonly number[]): Float64Array {
  const values = new Float64Array((column.length + 2) * STEP).fill(FOREIGN);
  for (const [row, value] of column.entries()) values[FROM + row * STEP] = value;
  return values;
}

const narrowedOf = (column: readonly number[]) =>
  narrowColumns(besideOthers(column), { count: column.length, columnCount: STEP })[FROM]!;

describe('a column of numbers', () => {
  test.each<[string, number[], { base: number; bytes: number }]>([
    ['none', [], { base: 0, bytes: 0 }],
    ['one', [7.25], { base: 7.25, bytes: 0 }],
    ['the same ones', [-3, -3, -3], { base: -3, bytes: 0 }],
    ['those 255 apart', [1000, 1255, 1001], { base: 1000, bytes: 1 }],
    ['those 256 apart', [1256, 1000], { base: 1000, bytes: 2 }],
    ['those 65535 apart', [70_000, 135_535], { base: 70_000, bytes: 2 }],
    ['those 65536 apart', [135_536, 70_000], { base: 70_000, bytes: 4 }],
    ['those almost 2^32 apart', [5, 2 ** 32 + 4], { base: 5, bytes: 4 }],
    ['those 2^32 apart', [5, 2 ** 32 + 5], { base: 0, bytes: 8 }],
    ['those around zero, 255 apart', [-127, 128, 0], { base: -127, bytes: 1 }],
    ['those around zero, far apart', [-40_000, 40_000, 0], { base: -40_000, bytes: 4 }],
    ['fractions', [1.5, 2, 3], { base: 0, bytes: 8 }],
    ['those beyond whole doubles', [2 ** 53, 2 ** 53 + 2], { base: 0, bytes: 8 }]
  ])('of %s takes the bytes that it needs, and is read back', (_which, column, expected) => {
    const narrowed = narrowedOf(column);
    expect(narrowed.column).toEqual(expected);
    expect(narrowed.values).toHaveLength(expected.bytes === 0 ? 0 : column.length);
    expect(narrowed.values).toBeInstanceOf(columnArray(narrowed.column));
    if (expected.bytes > 0) expect(narrowed.values.BYTES_PER_ELEMENT).toBe(expected.bytes);
    const back = besideOthers(column.map(() => Number.NaN));
    const rows = { first: 0, end: column.length, from: FROM, step: STEP };
    widenColumn(narrowed.values, narrowed.column, back, rows);
    expect(back).toEqual(besideOthers(column));
  });

  test.each([
    ['of its own', [10, 20, 30, 40]],
    ['that is one for all', [10, 10, 10, 10]]
  ])('with a value %s is read back in parts', (_which, column) => {
    const narrowed = narrowedOf(column);
    const back = besideOthers([1, 2, 3, 4]);
    widenColumn(narrowed.values, narrowed.column, back, { first: 1, end: 3, from: FROM, step: STEP });
    expect(back).toEqual(besideOthers([1, column[1]!, column[2]!, 4]));
  });
});

test('a column alone, longer than a block of rows, is narrowed as it would be among others', () => {
  const column = Array.from({ length: 1000 }, (_, row) => 5000 + row);
  const { column: form, values } = narrowColumn(Float64Array.from(column));
  expect(form).toEqual({ base: 5000, bytes: 2 });
  expect([...values].map((value) => value + form.base)).toEqual(column);
  expect(narrowedOf(column)).toEqual({ column: form, values });
});

describe('a column of signed numbers', () => {
  test.each<[number, number[]]>([
    [1, []],
    [1, [-128, 127]],
    [2, [128]],
    [2, [-129]],
    [2, [-32_768, 32_767]],
    [4, [32_768]],
    [4, [-32_769]],
    [4, [-(2 ** 31), 2 ** 31 - 1]],
    [8, [2 ** 31]],
    [8, [-(2 ** 31) - 1]],
    [8, [0.5]],
    [8, [1, -0]],
    [8, [Number.NaN]]
  ])('takes %i bytes each for %j', (bytes, values) => {
    const narrow = signedColumn(Float64Array.from(values));
    expect(narrow.BYTES_PER_ELEMENT).toBe(bytes);
    expect([...narrow]).toEqual(values);
  });

  test.each<[SignedBytes, SignedColumn]>([
    [1, Int8Array.of(100)],
    [2, Int16Array.of(300)],
    [4, Int32Array.of(70_000)],
    [8, Float64Array.of(0.5)]
  ])('that needs the %i bytes it has stays the same one', (bytes, values) => {
    expect(signedColumn(values)).toBe(values);
    expect(values).toBeInstanceOf(signedArray(bytes));
  });
});
