/**
 * Tables for people. A whole table is laid out by its contents; rows of a stream are laid out batch by batch,
 * because nobody knows their widths before the end, and a column never gets narrower again. All cells pass
 * through visibleText here, so that no command can forget it.
 */
import Table from 'cli-table3';
import type { Colours } from './command-line.ts';
import { visibleText } from './visible-text.ts';

export interface Column {
  title: string;
  align?: 'left' | 'right';
}

const GAP = '  ';
/** A row of a stream stays one line that can be read; the whole text is in `--json`. */
const LONGEST_CELL = 120;
const NO_LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: GAP
};

/** A table of known rows, ending with a line break. Empty text when there are no rows. */
export function formatTable(columns: Column[], rows: string[][], colours: Colours): string {
  if (rows.length === 0) return '';
  const table = new Table({
    head: columns.map((column) => colours.bold(column.title)),
    colAligns: columns.map((column) => column.align ?? 'left'),
    chars: NO_LINES,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true }
  });
  for (const row of rows) table.push(row.map(visibleText));
  return `${withoutTrailingSpace(table.toString())}\n`;
}

/** Names and values, one a line: `writer    1,024`. */
export function formatFacts(facts: [string, string][], colours: Colours): string {
  const width = Math.max(0, ...facts.map(([name]) => name.length));
  return facts
    .map(([name, value]) => `${colours.dim(name.padEnd(width))}${GAP}${visibleText(value)}\n`)
    .join('');
}

/** Rows that arrive in batches: the header once, then each batch with columns at least as wide as before. */
export class StreamTable {
  readonly #columns: Column[];
  readonly #colours: Colours;
  readonly #widths: number[];
  #hasHeader = false;

  constructor(columns: Column[], colours: Colours) {
    this.#columns = columns;
    this.#colours = colours;
    this.#widths = columns.map((column) => column.title.length);
  }

  /** The text of one batch. */
  format(rows: string[][]): string {
    const cells = rows.map((row) => row.map((cell) => shortened(visibleText(cell))));
    for (const row of cells) {
      row.forEach((cell, i) => {
        this.#widths[i] = Math.max(this.#widths[i] ?? 0, cell.length);
      });
    }
    let text = '';
    if (!this.#hasHeader && rows.length > 0) {
      text = `${this.#colours.bold(this.#line(this.#columns.map((column) => column.title)))}\n`;
      this.#hasHeader = true;
    }
    for (const row of cells) text += `${this.#line(row)}\n`;
    return text;
  }

  #line(cells: string[]): string {
    return cells
      .map((cell, i) => {
        const width = this.#widths[i] ?? 0;
        return this.#columns[i]?.align === 'right' ? cell.padStart(width) : cell.padEnd(width);
      })
      .join(GAP)
      .trimEnd();
  }
}

function shortened(text: string): string {
  return text.length <= LONGEST_CELL ? text : `${text.slice(0, LONGEST_CELL - 1)}…`;
}

function withoutTrailingSpace(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
