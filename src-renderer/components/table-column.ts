/** Columns and order of a DataTable. */
export interface Column<Key extends string = string> {
  key: Key;
  title: string;
  /** A track of the grid, `minmax(120px, 2fr)` for example. */
  width: string;
  align?: 'end';
  isMono?: boolean;
  isSortable?: boolean;
  /** Left out when the table is narrower than this many pixels. */
  dropBelow?: number;
}

export interface Sort<Key extends string = string> {
  key: Key;
  isDescending: boolean;
}
