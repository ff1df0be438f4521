/** What is added up of links: as rows of numbers, one for each source and one for each category. */
import { GroupTable } from '../usage/group-table.ts';
import { LINK_SOURCES, SOURCE_COUNT } from './link-source.ts';

/** Of a source: places in its row. */
export const SourceColumn = {
  records: 0,
  /** Records with an entry in the index. */
  events: 1,
  bytes: 2,
  deadRecords: 3,
  deadBytes: 4,
  /** Written in the last days of the log, and still there. */
  recentEvents: 5,
  recentBytes: 6
} as const;
export const SOURCE_COLUMNS = 7;

/** Of a category: its own records, then four sums for each source of links to them. */
export const CategoryColumn = { records: 0, events: 1, bytes: 2, firstSource: 3 } as const;
export const LinkColumn = { events: 0, bytes: 1, deadRecords: 2, deadBytes: 3 } as const;
const LINK_COLUMNS = 4;
export const CATEGORY_COLUMNS = CategoryColumn.firstSource + LINK_SOURCES.length * LINK_COLUMNS;

/** A quarter of a million rows of 23 numbers: 46 MB. */
const MOST_CATEGORIES = 250_000;

/** Where the sums of a source begin in the row of a category. */
export function linksFrom(source: number): number {
  return CategoryColumn.firstSource + source * LINK_COLUMNS;
}

export function newCategoryTable(from = 0, mostNames = MOST_CATEGORIES): GroupTable {
  return new GroupTable({ columnCount: CATEGORY_COLUMNS, from, mostNames });
}

/** Sums of the whole log, whatever part of the categories is counted. */
export class SourceSums {
  readonly sources = new Float64Array(SOURCE_COUNT * SOURCE_COLUMNS);
  /** Of everything that projections did not write. */
  readonly own = new Float64Array(SOURCE_COLUMNS);
}
