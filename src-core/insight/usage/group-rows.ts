/**
 * Rows of names as they are written to a file and read again: hashes, names, and columns of numbers, each as narrow as it can be.
 * Every byte is checked before any is used.
 */
import { decodeColumns, encodeColumns } from '../../codec/column-file.ts';
import { ByteRoom } from '../../storage/byte-room.ts';
import {
  columnArray,
  narrowColumn,
  narrowColumns,
  widenColumn,
  type NarrowColumn
} from '../../codec/narrow-columns.ts';

/** All columns of so many rows lie in the cache of a processor. */
const ROWS_TOGETHER = 256;

export interface GroupRows {
  count: number;
  columnCount: number;
  high: Uint32Array;
  low: Uint32Array;
  /** Where each name ends in `names`; it starts where the one before ends. */
  ends: Float64Array<ArrayBuffer>;
  names: Uint8Array;
  /** Row after row. */
  values: Float64Array<ArrayBuffer>;
}

/** What was written, and of what. */
export interface GroupRowsFile {
  /** Eight characters. */
  form: string;
  identity: string;
}

interface Facts {
  lengths: NarrowColumn;
  columns: NarrowColumn[];
}

/** The rows as bytes; arrays longer than the rows are fine. */
export function encodeRows(file: GroupRowsFile, rows: GroupRows): Uint8Array {
  const { count, columnCount, high, low, ends, names, values } = rows;
  const whole = new Float64Array(count);
  for (let at = 0, start = 0; at < count; at++) {
    whole[at] = ends[at]! - start;
    start = ends[at]!;
  }
  const lengths = narrowColumn(whole);
  const columns = narrowColumns(values, { count, columnCount });
  const facts: Facts = { lengths: lengths.column, columns: columns.map(({ column }) => column) };
  return encodeColumns({ ...file, facts }, [
    high.subarray(0, count),
    low.subarray(0, count),
    names.subarray(0, count === 0 ? 0 : ends[count - 1]),
    lengths.values,
    ...columns.map((narrow) => narrow.values)
  ]);
}

/** Of rows that are needed only until the next ones are read. */
export class RowsRoom {
  readonly bytes = new ByteRoom();
  readonly ends = new ByteRoom();
  readonly values = new ByteRoom();
}

/** undefined unless the bytes are whole, unchanged and made of just this. */
export function decodeRows(
  bytes: Uint8Array<ArrayBuffer>,
  file: GroupRowsFile,
  room = new RowsRoom()
): GroupRows | undefined {
  const decoded = decodeColumns<Facts>(bytes, file);
  if (!decoded) return undefined;
  const { facts, next } = decoded;
  const [high, low, names] = [next(Uint32Array), next(Uint32Array), next(Uint8Array)];
  const count = high.length;
  const ends = room.ends.takeNumbers(count);
  widenColumn(next(columnArray(facts.lengths)), facts.lengths, ends, {
    first: 0,
    end: count,
    from: 0,
    step: 1
  });
  for (let at = 1; at < count; at++) ends[at]! += ends[at - 1]!;
  const columnCount = facts.columns.length;
  const values = room.values.takeNumbers(count * columnCount);
  const narrow = facts.columns.map((column) => ({ column, values: next(columnArray(column)) }));
  for (let first = 0; first < count; first += ROWS_TOGETHER) {
    const end = Math.min(count, first + ROWS_TOGETHER);
    for (let from = 0; from < columnCount; from++) {
      const { column, values: few } = narrow[from]!;
      widenColumn(few, column, values, { first, end, from, step: columnCount });
    }
  }
  return { count, columnCount, high, low, ends, names, values };
}
