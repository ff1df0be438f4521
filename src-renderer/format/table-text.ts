/**
 * Rows as text for other programs: tab-separated for the clipboard, CSV (RFC 4180) and JSON for files. Numbers are
 * plain. Names come from a log: none may look like another, end a line, or be run as a formula by a spreadsheet; JSON
 * has them as they are.
 */
import { visibleText } from '../../src-core/units/visible-text.ts';

export type TextValue = string | number | boolean | null;

/** A name that a spreadsheet would run as a formula gets an apostrophe in front, which makes it text. */
function harmless(value: TextValue): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  return `${/^[=+\-@\t\r\n]/.test(value) ? "'" : ''}${visibleText(value)}`;
}

/** One line without its end. */
export function tabbedLine(values: readonly TextValue[]): string {
  return values.map((value) => harmless(value).replaceAll(/[\t\r\n]/g, ' ')).join('\t');
}

/** One line with its end. */
export function csvLine(values: readonly TextValue[]): string {
  return `${values.map((value) => quoted(harmless(value))).join(',')}\r\n`;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** An object with a member for each key. */
export function jsonObject(keys: readonly string[], values: readonly TextValue[]): string {
  return JSON.stringify(Object.fromEntries(keys.map((key, at) => [key, values[at] ?? null])));
}
