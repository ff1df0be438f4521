/**
 * JSON texts as the lines of a tree, in columns: one line for each value, as it is written (numbers keep their digits,
 * repeated names stay). A line takes 37 bytes, so a body of 16 MiB is no list of objects. Strict as the standard is: what
 * is not JSON has no lines. Pure.
 */
import { scanJson, type JsonKind, type ScannedLine } from './json-scanner.ts';

/** A text with what it is called at the root. */
export interface JsonSource {
  title: string;
  text: string;
}

export interface JsonPart extends JsonSource {
  /** Its lines; none if it is not JSON, or has more of them than fit. */
  from: number;
  to: number;
  problem: 'notJson' | 'tooLong' | null;
}

/** Twenty pixels each: the highest list that a page can have. */
export const MOST_LINES = 1_500_000;
/** Characters of a value that a line shows. */
const SHOWN_CHARACTERS = 300;
const INDENT = '  ';

export class JsonOutline {
  readonly parts: JsonPart[] = [];
  #count = 0;
  #kinds = new Uint8Array(64);
  /** By name, see the getters. */
  #columns = Array.from({ length: 9 }, () => new Uint32Array(64));

  /** Lines of all parts. */
  get count(): number {
    return this.#count;
  }

  /** Scans a text, in steps: the caller rests between them. */
  *add({ title, text }: JsonSource): Generator<undefined, void> {
    const from = this.#count;
    const isJson = yield* scanJson(text, {
      value: (line) => this.#append(line),
      end: (line, valueEnd, members) => this.#close(line, valueEnd, members),
      base: from,
      most: MOST_LINES - from
    });
    if (isJson !== 'json') this.#count = from;
    this.parts.push({ title, text, from, to: this.#count, problem: isJson === 'json' ? null : isJson });
  }

  kindOf(line: number): JsonKind {
    return KINDS[this.#kinds[line] ?? 0] ?? 'null';
  }
  isContainer(line: number): boolean {
    return (this.#kinds[line] ?? 0) >= FIRST_CONTAINER;
  }
  depthOf(line: number): number {
    return this.#columns[0]?.[line] ?? 0;
  }
  /** The line after its last descendant. */
  endOf(line: number): number {
    return this.#columns[1]?.[line] ?? 0;
  }
  /** Its place among its siblings, from 0. */
  ordinalOf(line: number): number {
    return this.#columns[2]?.[line] ?? 0;
  }
  membersOf(line: number): number {
    return this.#columns[3]?.[line] ?? 0;
  }
  /** -1: a root. */
  parentOf(line: number): number {
    return (this.#columns[4]?.[line] ?? 0) - 1;
  }

  partOf(line: number): JsonPart | undefined {
    return this.parts.find(({ from, to }) => line >= from && line < to);
  }

  /** Its name, its index, or the title of its part. */
  nameOf(line: number): string {
    const parent = this.parentOf(line);
    if (parent === -1) return this.partOf(line)?.title ?? '';
    return this.kindOf(parent) === 'array' ? String(this.ordinalOf(line)) : decoded(this.#nameText(line));
  }

  /** The beginning of a value as a line shows it; of an object or array nothing. */
  excerptOf(line: number): string {
    if (this.isContainer(line)) return '';
    const [start, end] = this.#rangeOf(line);
    const text = this.partOf(line)?.text ?? '';
    if (end - start <= SHOWN_CHARACTERS * 4) {
      const shown = shownText(text.slice(start, end));
      return shown.length <= SHOWN_CHARACTERS ? shown : `${shown.slice(0, SHOWN_CHARACTERS)}…`;
    }
    return `${text.slice(start, start + SHOWN_CHARACTERS)}…`;
  }

  /** A value to be copied: a string without its quotes, an object or array with indents, anything else as written. */
  valueOf(line: number): string {
    if (this.isContainer(line)) return this.pretty(line);
    const [start, end] = this.#rangeOf(line);
    const text = (this.partOf(line)?.text ?? '').slice(start, end);
    return this.kindOf(line) === 'string' ? decoded(text) : text;
  }

  /** As JSONPath, from the root of its part. */
  pathOf(line: number): string {
    let path = '';
    for (let at = line; this.parentOf(at) !== -1; at = this.parentOf(at)) {
      const name = this.nameOf(at);
      const isIndex = this.kindOf(this.parentOf(at)) === 'array';
      const step = isIndex
        ? `[${name}]`
        : /^[A-Za-z_$][\w$]*$/.test(name)
          ? `.${name}`
          : `[${JSON.stringify(name)}]`;
      path = step + path;
    }
    return `$${path}`;
  }

  /** With line breaks and indents, every value as written. */
  pretty(line: number): string {
    const text = this.partOf(line)?.text ?? '';
    const pieces: string[] = [];
    const open: number[] = [];
    const closeUntil = (depth: number): void => {
      while (open.length > depth) {
        const closed = open.pop() ?? 0;
        pieces.push(`\n${INDENT.repeat(open.length)}${this.kindOf(closed) === 'array' ? ']' : '}'}`);
      }
    };
    for (let at = line; at < this.endOf(line); at++) {
      const depth = this.depthOf(at) - this.depthOf(line);
      closeUntil(depth);
      if (at > line) {
        const isFirst = this.ordinalOf(at) === 0;
        pieces.push(`${isFirst ? '' : ','}\n${INDENT.repeat(depth)}`);
        if (this.kindOf(this.parentOf(at)) === 'object') pieces.push(`${this.#nameText(at)}: `);
      }
      const [start, end] = this.#rangeOf(at);
      if (!this.isContainer(at)) pieces.push(text.slice(start, end));
      else if (this.membersOf(at) === 0) pieces.push(this.kindOf(at) === 'array' ? '[]' : '{}');
      else {
        pieces.push(this.kindOf(at) === 'array' ? '[' : '{');
        open.push(at);
      }
    }
    closeUntil(0);
    return pieces.join('');
  }

  /** What a search looks at: name and value, without regard to case. */
  holds(line: number, wanted: string): boolean {
    if (this.nameOf(line).toLowerCase().includes(wanted)) return true;
    if (this.isContainer(line)) return false;
    const [start, end] = this.#rangeOf(line);
    const text = (this.partOf(line)?.text ?? '').slice(start, end);
    return (text.includes('\\') ? decoded(text) : text).toLowerCase().includes(wanted);
  }

  /** As it is written, with its quotes. */
  #nameText(line: number): string {
    const [, , , , , start = EMPTY, end = EMPTY] = this.#columns;
    return (this.partOf(line)?.text ?? '').slice(start[line], end[line]);
  }

  #rangeOf(line: number): [start: number, end: number] {
    return [this.#columns[7]?.[line] ?? 0, this.#columns[8]?.[line] ?? 0];
  }

  #append({ kind, depth, ordinal, parent, nameStart, nameEnd, start, end }: ScannedLine): void {
    const line = this.#count++;
    if (line === this.#kinds.length) {
      this.#kinds = grown(this.#kinds, new Uint8Array(line * 2));
      this.#columns = this.#columns.map((column) => grown(column, new Uint32Array(line * 2)));
    }
    this.#kinds[line] = KINDS.indexOf(kind);
    const values = [depth, line + 1, ordinal, 0, parent + 1, nameStart, nameEnd, start, end];
    for (let index = 0; index < values.length; index++) this.#columns[index]![line] = values[index] ?? 0;
  }

  #close(line: number, valueEnd: number, members: number): void {
    this.#columns[1]![line] = this.#count;
    this.#columns[3]![line] = members;
    this.#columns[8]![line] = valueEnd;
  }
}

const KINDS: readonly JsonKind[] = ['null', 'boolean', 'number', 'string', 'object', 'array'];
const FIRST_CONTAINER = KINDS.indexOf('object');
const EMPTY = new Uint32Array(0);

function grown<T extends Uint8Array | Uint32Array>(old: T, next: T): T {
  next.set(old);
  return next;
}

/** The string that a JSON text of one stands for. */
function decoded(text: string): string {
  if (!text.includes('\\')) return text.slice(1, -1);
  return JSON.parse(text) as string;
}

/** Escapes that only hide a letter are shown as that letter. */
function shownText(text: string): string {
  return text.startsWith('"') && text.includes('\\') ? JSON.stringify(JSON.parse(text)) : text;
}
