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
  widenColumns,
  type NarrowColumn
} from '../../codec/narrow-columns.ts';

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
  widenColumns(narrow, values, { count });
  return { count, columnCount, high, low, ends, names, values };
}
