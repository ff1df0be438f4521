/**
 * Tables for people. A table of known rows is laid out by its contents; rows of a stream are laid out batch by batch,
 * because nobody knows their widths before the end, and a column never gets narrower again. All cells pass
 * through visibleText here, so that no command can forget it.
 *
 * Laid out in one pass over the cells: a log has ten thousand chunks, and table libraries of the field compare each
 * row with all others for cells that span several. Widths are those of a terminal (wide and combining characters).
 */
import stringWidth from 'string-width';
import type { Colours } from './command-line.ts';
import { visibleText } from './visible-text.ts';

export interface Column {
  title: string;
  align?: 'left' | 'right';
}

const GAP = '  ';
/** A row of a stream stays one line that can be read; the whole text is in `--json`. */
const LONGEST_CELL = 120;

/** A table of known rows, ending with a line break. Empty text when there are no rows. */
export function formatTable(columns: Column[], rows: string[][], colours: Colours): string {
  return new TableLayout(columns, colours).format(rows.map((row) => row.map(visibleText)));
}

/** Names and values, one a line: `writer    1,024`. */
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

/** The widths of the columns so far, and whether the header is out. */
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
        this.#widths[i] = Math.max(this.#widths[i] ?? 0, widthOf(cell));
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
        const space = ' '.repeat((this.#widths[i] ?? 0) - widthOf(cell));
        return this.#columns[i]?.align === 'right' ? space + cell : cell + space;
      })
      .join(GAP)
      .trimEnd();
  }
}

/** Printable ASCII is one column a character: nearly all cells need no look at what each character is. */
function widthOf(text: string): number {
  return /^[ -~]*$/.test(text) ? text.length : stringWidth(text);
}

function shortened(text: string): string {
  return text.length <= LONGEST_CELL ? text : `${text.slice(0, LONGEST_CELL - 1)}…`;
}
