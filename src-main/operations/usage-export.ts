/** The items of a usage report as other programs read them: CSV, and the format that ncdu imports (version 1.0). */
import type { UsageItemRow, UsageReport } from './usage-reports.ts';

const CSV_COLUMNS = [
  'name',
  'records',
  'bytes',
  'indexBytes',
  'discardableRecords',
  'discardableBytes',
  'firstChunk',
  'lastChunk'
] as const satisfies readonly (keyof UsageItemRow)[];

/** A line of names, then one for each item, as RFC 4180 has it. */
export function usageAsCsv({ items }: Pick<UsageReport, 'items'>): string {
  const lines = items.map((item) => CSV_COLUMNS.map((column) => csvCell(item[column])).join(','));
  return [CSV_COLUMNS.join(','), ...lines].map((text) => `${text}\r\n`).join('');
}

/** Names that a spreadsheet would run as a formula are kept as they are: whoever reads numbers needs them exact. */
function csvCell(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

type NcduFile = { name: string; asize: number; dsize: number };
type NcduDirectory = [{ name: string }, ...(NcduFile | NcduDirectory)[]];

/** A directory for each category, a file for each stream. `root`: what the whole is called. */
export function usageAsNcdu({ items }: Pick<UsageReport, 'items'>, root: string): string {
  const top: NcduDirectory = [{ name: root }];
  const categories = new Map<string, NcduDirectory>();
  for (const { name, bytes } of items) {
    const dash = name.indexOf('-');
    const file = { name: fileName(name), asize: bytes, dsize: bytes };
    if (dash <= 0) {
      top.push(file);
      continue;
    }
    const category = name.slice(0, dash);
    let directory = categories.get(category);
    if (!directory) {
      directory = [{ name: fileName(category) }];
      categories.set(category, directory);
      top.push(directory);
    }
    directory.push(file);
  }
  return `${JSON.stringify([1, 0, { progname: 'winnow', progver: '1' }, top])}\n`;
}

/** A slash would be taken for a folder. */
function fileName(name: string): string {
  return name.replaceAll('/', '∕');
}
