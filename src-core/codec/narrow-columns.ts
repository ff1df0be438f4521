/**
 * Rows of numbers as columns, each as narrow as its values allow: whole numbers that lie close together take one, two or four
 * bytes, one value for all takes none. For files that are ours alone.
 */

/** How a column lies in the file. */
export interface NarrowColumn {
  /** Added to each value. */
  base: number;
  /** Of one value; 0: all are `base`. */
  bytes: 0 | 1 | 2 | 4 | 8;
}

export type NarrowValues = Uint8Array | Uint16Array | Uint32Array | Float64Array;

export interface Narrowed {
  column: NarrowColumn;
  values: NarrowValues;
}

/** All columns of so many rows lie in the cache of a processor. */
const ROWS_TOGETHER = 256;

/** Of values that lie row after row; those behind the last row do not count. */
export function narrowColumns(
  values: Float64Array,
  { count, columnCount }: { count: number; columnCount: number }
): Narrowed[] {
  const ranges = Array.from({ length: columnCount }, () => ({
    least: Infinity,
    most: -Infinity,
    isWhole: true
  }));
  for (let first = 0; first < count; first += ROWS_TOGETHER) {
    const end = Math.min(count, first + ROWS_TOGETHER);
    for (let from = 0; from < columnCount; from++)
      extend(ranges[from]!, values, { first, end, from, columnCount });
  }
  const narrowed = ranges.map((range) => newNarrowed(range, count));
  for (let first = 0; first < count; first += ROWS_TOGETHER) {
    const end = Math.min(count, first + ROWS_TOGETHER);
    for (let from = 0; from < columnCount; from++) {
      const { column, values: into } = narrowed[from]!;
      if (column.bytes === 0) continue;
      for (let row = first, at = from + first * columnCount; row < end; row++, at += columnCount) {
        into[row] = values[at]! - column.base;
      }
    }
  }
  return narrowed;
}

/** Of one column. */
export function narrowColumn(values: Float64Array): Narrowed {
  return narrowColumns(values, { count: values.length, columnCount: 1 })[0]!;
}

interface ValueRange {
  least: number;
  most: number;
  isWhole: boolean;
}

function extend(
  range: ValueRange,
  values: Float64Array,
  { first, end, from, columnCount }: { first: number; end: number; from: number; columnCount: number }
): void {
  let { least, most, isWhole } = range;
  for (let row = first, at = from + first * columnCount; row < end; row++, at += columnCount) {
    const value = values[at]!;
    if (value < least) least = value;
    if (value > most) most = value;
    if (Math.floor(value) !== value) isWhole = false;
  }
  range.least = least;
  range.most = most;
  range.isWhole = isWhole;
}

function newNarrowed({ least, most, isWhole }: ValueRange, count: number): Narrowed {
  if (count === 0) return { column: { base: 0, bytes: 0 }, values: new Uint8Array(0) };
  if (least === most) return { column: { base: least, bytes: 0 }, values: new Uint8Array(0) };
  const range = most - least;
  // What lies between two safe whole numbers is one.
  const isNarrow = isWhole && Number.isSafeInteger(least) && Number.isSafeInteger(most) && range < 2 ** 32;
  const values = isNarrow ? newColumn(range, count) : new Float64Array(count);
  const bytes = values.BYTES_PER_ELEMENT as NarrowColumn['bytes'];
  return { column: { base: isNarrow ? least : 0, bytes }, values };
}

function newColumn(range: number, count: number): NarrowValues {
  if (range < 2 ** 8) return new Uint8Array(count);
  return range < 2 ** 16 ? new Uint16Array(count) : new Uint32Array(count);
}

/** Puts all columns back where they were taken from, row after row. */
export function widenColumns(
  narrowed: readonly Narrowed[],
  values: Float64Array,
  { count }: { count: number }
): void {
  const step = narrowed.length;
  for (let first = 0; first < count; first += ROWS_TOGETHER) {
    const end = Math.min(count, first + ROWS_TOGETHER);
    for (let from = 0; from < step; from++) {
      const { column, values: narrow } = narrowed[from]!;
      widenColumn(narrow, column, values, { first, end, from, step });
    }
  }
}

/** Puts the values of the rows from `first` on back where they were taken from. */
export function widenColumn(
  narrow: NarrowValues,
  { base, bytes }: NarrowColumn,
  values: Float64Array,
  { first, end, from, step }: { first: number; end: number; from: number; step: number }
): void {
  let at = from + first * step;
  if (bytes === 0) for (let i = first; i < end; i++, at += step) values[at] = base;
  else for (let i = first; i < end; i++, at += step) values[at] = narrow[i]! + base;
}

/** Makes an array over bytes. */
export interface NarrowArray {
  new (buffer: ArrayBuffer, from: number, length: number): NarrowValues;
  readonly BYTES_PER_ELEMENT: number;
}

/** The kind of array in which a column lies. */
export function columnArray({ bytes }: NarrowColumn): NarrowArray {
  switch (bytes) {
    case 2:
      return Uint16Array;
    case 4:
      return Uint32Array;
    case 8:
      return Float64Array;
    default:
      return Uint8Array;
  }
}

/** Numbers as they are, in as few bytes as hold all of them. */
export type SignedColumn =
  Int8Array<ArrayBuffer> | Int16Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** Of one value of a signed column. */
export type SignedBytes = 1 | 2 | 4 | 8;

const SIGNED = { 1: Int8Array, 2: Int16Array, 4: Int32Array, 8: Float64Array } as const;

/** Makes an array over bytes. */
export interface SignedArray {
  new (buffer: ArrayBuffer, from: number, length: number): SignedColumn;
  readonly BYTES_PER_ELEMENT: number;
}

export function signedArray(bytes: SignedBytes): SignedArray {
  return SIGNED[bytes];
}

/** The values in a narrower column, where they fit into one. */
export function signedColumn(values: SignedColumn): SignedColumn {
  let bytes: SignedBytes = 1;
  for (const value of values) {
    if (!fits(value, bytes)) bytes = bytesOfSigned(value);
    if (bytes === 8) break;
  }
  return bytes >= values.BYTES_PER_ELEMENT ? values : new SIGNED[bytes](values);
}

/** That a number takes in a signed column. */
export function bytesOfSigned(value: number): SignedBytes {
  let bytes: SignedBytes = 1;
  while (bytes < 8 && !fits(value, bytes)) bytes = (bytes * 2) as SignedBytes;
  return bytes;
}

function fits(value: number, bytes: number): boolean {
  const limit = 2 ** (bytes * 8 - 1);
  return Number.isInteger(value) && value >= -limit && value < limit && !Object.is(value, -0);
}
