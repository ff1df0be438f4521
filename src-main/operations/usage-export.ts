/** The items of a usage report as other programs read them: CSV, and the format that ncdu imports (version 1.0). */
import { visibleText } from '../../src-core/index.ts';
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

export interface ExportForm {
  /** Names exactly as they are: for programs that neither draw nor calculate what they read. */
  isRaw?: boolean;
}

/** A line of names, then one for each item, as RFC 4180 has it. */
export function usageAsCsv(
  { items }: Pick<UsageReport, 'items'>,
  { isRaw = false }: ExportForm = {}
): string {
  const cell = (value: string | number): string =>
    csvCell(typeof value === 'number' || isRaw ? String(value) : harmlessCell(value));
  const lines = items.map((item) => CSV_COLUMNS.map((column) => cell(item[column])).join(','));
  return [CSV_COLUMNS.join(','), ...lines].map((text) => `${text}\r\n`).join('');
}

/** A name that a spreadsheet would run as a formula begins with an apostrophe, which it shows as text. */
function harmlessCell(name: string): string {
  return `${/^[=+\-@\t\r\n]/.test(name) ? "'" : ''}${visibleText(name)}`;
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

type NcduFile = { name: string; asize: number; dsize: number };
type NcduDirectory = [{ name: string }, ...(NcduFile | NcduDirectory)[]];

/** A directory for each category, a file for each stream. `root`: what the whole is called. */
export function usageAsNcdu(
  { items }: Pick<UsageReport, 'items'>,
  root: string,
  { isRaw = false }: ExportForm = {}
): string {
  const fileName = (name: string): string => withoutSlash(isRaw ? name : visibleText(name));
  const top: NcduDirectory = [{ name: isRaw ? root : visibleText(root) }];
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
function withoutSlash(name: string): string {
  return name.replaceAll('/', '∕');
}
