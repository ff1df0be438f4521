/** Rows that are all at hand, as a table wants them: those of the chosen values, in the chosen order. Pure. */
import type { CellValue, Column, Filters, Sort } from './table-column.ts';

export interface Arrangement<Row extends object, Key extends string> {
  columns: readonly Column<Key, Row>[];
  /** null: as they are given. */
  sort: Sort<Key> | null;
  filters: Filters;
  /** Rows that come first in every order but that in which they are given: what is wrong has no measure. */
  isFirst?: ((row: Row) => boolean) | undefined;
  /** Rows that come last in every order: one that stands for all that are not named. */
  isLast?: ((row: Row) => boolean) | undefined;
}

export function arrangeRows<Row extends object, Key extends string>(
  rows: readonly Row[],
  { columns, sort, filters, isFirst, isLast }: Arrangement<Row, Key>
): readonly Row[] {
  const wanted = columns.flatMap((column) => {
    const values = filters[column.key] ?? [];
    return values.length === 0 ? [] : [(row: Row) => values.includes(String(column.value(row)))];
  });
  const chosen = wanted.length === 0 ? rows : rows.filter((row) => wanted.every((isWanted) => isWanted(row)));
  const by = columns.find(({ key }) => key === sort?.key);
  if (!sort || !by) return chosen;
  const sign = sort.isDescending ? -1 : 1;
  const keyed = chosen.map((row) => ({
    row,
    value: by.value(row),
    isFirst: isFirst?.(row) ?? false,
    isLast: isLast?.(row) ?? false
  }));
  keyed.sort((a, b) => {
    if (a.isFirst !== b.isFirst) return a.isFirst ? -1 : 1;
    if (a.isLast !== b.isLast) return a.isLast ? 1 : -1;
    // What is not known comes last, whichever way.
    if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
    return sign * compared(a.value, b.value);
  });
  return keyed.map(({ row }) => row);
}

function compared(a: NonNullable<CellValue>, b: NonNullable<CellValue>): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
