/** Columns, order and row actions of a DataTable. */

/** What a cell stands for in a copy, an export and an order; null: nothing, or not known. */
export type CellValue = string | number | boolean | null;

export interface Column<Key extends string = string, Row extends object = object> {
  key: Key;
  title: string;
  /** Name of the member in an export as JSON, where that of the column says too little; as the HTTP API has it. */
  member?: string;
  /** A track of the grid, `minmax(120px, 2fr)` for example: how wide it is until somebody drags its edge. */
  width: string;
  /** What the column says, where its title does not say it all. */
  help?: string;
  align?: 'end';
  isMono?: boolean;
  isSortable?: boolean;
  /** Left out when the table is narrower than this many pixels, unless it was chosen. */
  dropBelow?: number;
  /** Shown only where it was chosen. */
  isOptional?: boolean;
  /** Words of its values, by which rows can be chosen. */
  choices?: Readonly<Record<string, string>>;
  value(row: Row): CellValue;
  /** What an export as JSON names besides: the end of a range of which `value` is the start. */
  further?: { member: string; value(row: Row): CellValue };
}

/** By column the values that are wanted; all, where none is named. */
export type Filters = Readonly<Record<string, readonly string[]>>;

export interface Sort<Key extends string = string> {
  key: Key;
  isDescending: boolean;
}

/** What can be done with a row, from its menu. */
export interface RowAction {
  label: string;
  run: () => void;
  /** A line above it. */
  isApart?: boolean;
  /** Why it cannot be done now: it is shown with this reason. */
  whyNot?: string | undefined;
}

/** Rows of a list in steps, for a copy or an export: at most `limit` from `offset` on. */
export type ReadRows<Row> = (offset: number, limit: number, signal: AbortSignal) => Promise<readonly Row[]>;
