/**
 * Tables for people. A table of known rows is sized by its contents; rows of a stream are formatted batch by batch,
 * because their widths are not known before the end, and a column never gets narrower. All cells pass
 * through visibleText here, so that no command can forget it.
 *
 * Formatted in one pass over the cells: a log may have ten thousand chunks, and common table libraries compare each
 * row with all others for cells that span several. Widths are those of a terminal (wide and combining characters).
 */
import type { Colours } from './command-line.ts';
import { visibleText } from './visible-text.ts';
import { columnsOf } from './wide-text.ts';

export interface Column {
  title: string;
  align?: 'left' | 'right';
}

const GAP = '  ';
/** Keeps a row of a stream readable on one line; the whole text is in `--json`. */
const LONGEST_CELL = 120;

/** A table of known rows, ending with a line break. Empty text when there are no rows. */
export function formatTable(columns: Column[], rows: string[][], colours: Colours): string {
  return new TableLayout(columns, colours).format(rows.map((row) => row.map(visibleText)));
}

/** Names and values, one per line: `writer    1,024`. */
export function formatFacts(facts: [string, string][], colours: Colours): string {
  const width = facts.reduce((widest, [name]) => Math.max(widest, name.length), 0);
  return facts
    .map(([name, value]) => `${colours.dim(name.padEnd(width))}${GAP}${visibleText(value)}\n`)
    .join('');
}

/** Rows that arrive in batches: the header once, then each batch with columns at least as wide as before. */
export class StreamTable {
  readonly #layout: TableLayout;

  constructor(columns: Column[], colours: Colours) {
    this.#layout = new TableLayout(columns, colours);
  }

  /** The text of one batch. */
  format(rows: string[][]): string {
    return this.#layout.format(rows.map((row) => row.map((cell) => shortened(visibleText(cell)))));
  }
}

/** The widths of the columns so far, and whether the header has been written. */
class TableLayout {
  readonly #columns: Column[];
  readonly #colours: Colours;
  readonly #widths: number[];
  #hasHeader = false;

  constructor(columns: Column[], colours: Colours) {
    this.#columns = columns;
    this.#colours = colours;
    this.#widths = columns.map(({ title }) => title.length);
  }

  /** `rows` are visible text already. */
  format(rows: string[][]): string {
    if (rows.length === 0) return '';
    for (const row of rows) {
      row.forEach((cell, i) => {
        this.#widths[i] = Math.max(this.#widths[i] ?? 0, columnsOf(cell));
      });
    }
    const lines = rows.map((row) => this.#line(row));
    if (!this.#hasHeader) {
      lines.unshift(this.#colours.bold(this.#line(this.#columns.map(({ title }) => title))));
      this.#hasHeader = true;
    }
    return `${lines.join('\n')}\n`;
  }

  #line(cells: string[]): string {
    return cells
      .map((cell, i) => {
        const space = ' '.repeat((this.#widths[i] ?? 0) - columnsOf(cell));
        return this.#columns[i]?.align === 'right' ? space + cell : cell + space;
      })
      .join(GAP)
      .trimEnd();
  }
}

function shortened(text: string): string {
  return text.length <= LONGEST_CELL ? text : `${text.slice(0, LONGEST_CELL - 1)}…`;
}
