/** Texts of every table: columns, order, selection, copies, exports. */
import { counted } from '../format/count.ts';

const rows = (count: number): string => counted(count, 'row');

export const tableTexts = {
  table: {
    headOf: (label: string) => `Columns of ${label}`,
    sortBy: (title: string) => `Sort by ${title}`,
    sorted: (title: string, isDescending: boolean) =>
      `${title}, sorted ${isDescending ? 'descending' : 'ascending'}`,
    column: (title: string) => `Column ${title}`,
    headKeys: 'Shift and arrows change the width, Ctrl+Shift and arrows move the column.',
    menu: 'Columns and export',
    columns: 'Columns',
    up: (title: string) => `Move ${title} up`,
    down: (title: string) => `Move ${title} down`,
    reset: 'Reset columns',
    allRows: 'All rows',
    rowsOf: (count: number) => (count === 0 ? 'No rows' : rows(count)),
    exportCsv: 'Export as CSV…',
    exportJson: 'Export as JSON…',
    copy: (count: number) => (count === 1 ? 'Copy row' : `Copy ${rows(count)}`),
    copied: (count: number) => `Copied ${rows(count)}.`,
    tooMany: 'These are too many rows for the clipboard. Export them instead.',
    exporting: (done: string, total: string) => `Exporting ${done} of ${total} rows`,
    exportingSome: (count: number) => `Exporting: ${rows(count)} so far`,
    exported: (count: number, file: string) => `Exported ${rows(count)} to ${file}.`,
    stop: 'Stop',
    rowMenu: 'Actions of the row',
    more: 'More actions',
    filter: (title: string) => `Filter by ${title}`,
    allOf: 'All',
    noneLeft: 'No row has this state.',
    showAll: 'Show all rows'
  }
};
