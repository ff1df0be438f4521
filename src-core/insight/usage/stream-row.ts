/** What a table of streams holds of each besides its sums. */
import { GroupTable, type GroupTableParts } from './group-table.ts';
import { SUM_COUNT } from './usage-sums.ts';

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
  isRuled: SUM_COUNT + 4
} as const;
export const STREAM_COLUMNS = SUM_COUNT + 5;

export function newStreamTable(parts: Omit<GroupTableParts, 'columnCount'> = {}): GroupTable {
  return new GroupTable({ ...parts, columnCount: STREAM_COLUMNS });
}

export function isMetastreamAt(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start >= 2 && bytes[start] === 0x24 && bytes[start + 1] === 0x24;
}
