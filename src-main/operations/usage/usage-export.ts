/** The items of a usage report for other programs: CSV, and the import format of ncdu (version 1.0). */
import { visibleText } from '../../../src-core/index.ts';
import type { UsageItemRow, UsageReport } from '../../contract/operations/usage-reports.ts';

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
  /** Unescaped names: for programs that neither display nor evaluate what they read. */
  isRaw?: boolean;
}

/** A header line, then one line for each item, according to RFC 4180. */
export function usageAsCsv(
  { items }: Pick<UsageReport, 'items'>,
  { isRaw = false }: ExportForm = {}
): string {
  const cell = (value: string | number): string =>
    csvCell(typeof value === 'number' || isRaw ? String(value) : harmlessCell(value));
  const lines = items.map((item) => CSV_COLUMNS.map((column) => cell(item[column])).join(','));
  return [CSV_COLUMNS.join(','), ...lines].map((text) => `${text}\r\n`).join('');
}

/** A name that a spreadsheet would run as a formula gets an apostrophe in front, which makes it text. */
function harmlessCell(name: string): string {
  return `${/^[=+\-@\t\r\n]/.test(name) ? "'" : ''}${visibleText(name)}`;
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

type NcduFile = { name: string; asize: number; dsize: number };
type NcduDirectory = [{ name: string }, ...(NcduFile | NcduDirectory)[]];

/** A directory for each category, a file for each stream. `root`: the name of the whole. */
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

/** A slash would mean a folder. */
function withoutSlash(name: string): string {
  return name.replaceAll('/', '∕');
}
