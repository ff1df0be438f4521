/** What a table of streams holds of each besides its sums. */
import { GroupTable, type GroupTableParts } from './group-table.ts';
import { addSums, Sum, SUM_COUNT } from './usage-sums.ts';

/** Places in a row, after the sums. */
export const StreamColumn = {
  /** Of the event with the highest number that is committed by itself: its number, -1 without one. */
  lastNumber: SUM_COUNT,
  /** Milliseconds since the year 1. */
  lastMs: SUM_COUNT + 1,
  lastBytes: SUM_COUNT + 2,
  /** The highest number before the scavenge point, -1 without one. */
  lastBeforePoint: SUM_COUNT + 3,
  /** 1: an original stream that the scavenge state knows and that is not deleted for good. */
  isRuled: SUM_COUNT + 4,
  /** Of a stream that is ruled, once all of it was counted: its rules, -1 for one that is not set. Seconds. */
  maxAge: SUM_COUNT + 5,
  truncateBefore: SUM_COUNT + 6,
  maxCount: SUM_COUNT + 7
} as const;
export const STREAM_COLUMNS = SUM_COUNT + 8;
/** Before a stream's first record was counted. */
const NEW_ROW = [StreamColumn.lastNumber, StreamColumn.lastBeforePoint] as const;

/** Adds what is known of a stream from one chunk; rules are not among it. */
export function addStreamRow(into: Float64Array, row: number, from: Float64Array, other: number): void {
  if (into[row + Sum.records] === 0) for (const column of NEW_ROW) into[row + column] = -1;
  addSums(into, row, from, other);
  const last = from[other + StreamColumn.lastNumber]!;
  if (last >= 0 && last >= into[row + StreamColumn.lastNumber]!) {
    into[row + StreamColumn.lastNumber] = last;
    into[row + StreamColumn.lastMs] = from[other + StreamColumn.lastMs]!;
    into[row + StreamColumn.lastBytes] = from[other + StreamColumn.lastBytes]!;
  }
  const before = from[other + StreamColumn.lastBeforePoint]!;
  if (before > into[row + StreamColumn.lastBeforePoint]!) into[row + StreamColumn.lastBeforePoint] = before;
  into[row + StreamColumn.isRuled] = from[other + StreamColumn.isRuled]!;
}

export function newStreamTable(parts: Omit<GroupTableParts, 'columnCount'> = {}): GroupTable {
  return new GroupTable({ ...parts, columnCount: STREAM_COLUMNS });
}

export function isMetastreamAt(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start >= 2 && bytes[start] === 0x24 && bytes[start + 1] === 0x24;
}
