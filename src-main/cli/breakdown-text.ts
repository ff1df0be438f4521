/** What a plan removes: by rule, by category and by stream, each with a sum that is the plan's. */
import type { RemovedReport } from '../contract/operations/reports.ts';
import { formatBytes, formatCount } from './byte-size.ts';
import type { Colours } from './command-line.ts';
import { formatTable } from './tables.ts';
import { visibleText } from './visible-text.ts';

/** Lines of categories and streams; all that a plan names are in its JSON. */
const MOST_LINES = 10;

export function breakdownText(
  { records, bytes, byRule, byCategory, byStream }: RemovedReport,
  colours: Colours
): string {
  const total = ['total', '', formatCount(records), formatBytes(bytes)];
  const table = (title: string, rows: string[][]): string =>
    '\n' +
    formatTable(
      [
        { title },
        { title: 'streams', align: 'right' },
        { title: 'records', align: 'right' },
        { title: 'bytes', align: 'right' }
      ],
      rows,
      colours
    );
  return (
    table('rule', [
      ...byRule.map((row) => [
        row.rule,
        formatCount(row.streams),
        formatCount(row.records),
        formatBytes(row.bytes)
      ]),
      total
    ]) +
    table('category', [...rowsOf(byCategory), total]) +
    table('stream', [...rowsOf(byStream), total])
  );
}

/** The largest, and the rest in one line. */
function rowsOf({ items }: RemovedReport['byStream']): string[][] {
  const shown = items.slice(0, MOST_LINES);
  const rest = items.slice(MOST_LINES);
  const sum = (of: (item: (typeof items)[number]) => number): number =>
    rest.reduce((total, item) => total + of(item), 0);
  const rows = shown.map((item) => [
    visibleText(item.name),
    formatCount(item.streams),
    formatCount(item.records),
    formatBytes(item.bytes)
  ]);
  if (rest.length === 0) return rows;
  return [
    ...rows,
    [
      '(others)',
      formatCount(sum(({ streams }) => streams)),
      formatCount(sum((item) => item.records)),
      formatBytes(sum((item) => item.bytes))
    ]
  ];
}
