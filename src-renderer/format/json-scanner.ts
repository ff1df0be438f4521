/**
 * Reads a JSON text once, strictly by RFC 8259, and tells each value where it lies. Without recursion, since a hostile text
 * may be nested as deep as it is long; in steps, since it may be long. Pure.
 */
export type JsonKind = 'null' | 'boolean' | 'number' | 'string' | 'object' | 'array';

export interface ScannedLine {
  kind: JsonKind;
  depth: number;
  ordinal: number;
  /** -1: none. */
  parent: number;
  nameStart: number;
  nameEnd: number;
  start: number;
  end: number;
}

export interface JsonSink {
  value: (line: ScannedLine) => void;
  /** An object or array ends: its line, the character after it, its members. */
  end: (line: number, valueEnd: number, members: number) => void;
  /** The number of the first line. */
  base: number;
  /** Lines at most. */
  most: number;
}

const STEP_CHARACTERS = 100_000;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Yields now and then; returns what the text is. */
export function* scanJson(
  text: string,
  sink: JsonSink
): Generator<undefined, 'json' | 'notJson' | 'tooLong'> {
  /** Lines that are open, the innermost last, with their members so far. */
  const open: { line: number; isArray: boolean; members: number }[] = [];
  let count = 0;
  let at = 0;
  let rested = 0;
  let nameStart = 0;
  let nameEnd = 0;
  let expected: 'value' | 'valueOrEnd' | 'name' | 'nameOrEnd' | 'more' | 'nothing' = 'value';
  for (;;) {
    at = afterBlanks(text, at);
    if (at - rested > STEP_CHARACTERS) {
      rested = at;
      yield;
    }
    if (at >= text.length) return expected === 'nothing' ? 'json' : 'notJson';
    const code = text.charCodeAt(at);
    const inner = open.at(-1);
    if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) {
      const mayEnd = expected === 'more' || expected === (code === CLOSE_ARRAY ? 'valueOrEnd' : 'nameOrEnd');
      if (!inner || !mayEnd || inner.isArray !== (code === CLOSE_ARRAY)) return 'notJson';
      open.pop();
      sink.end(inner.line, ++at, inner.members);
      expected = open.length === 0 ? 'nothing' : 'more';
      continue;
    }
    if (expected === 'nothing') return 'notJson';
    if (expected === 'more') {
      if (code !== COMMA) return 'notJson';
      at++;
      expected = inner?.isArray === true ? 'value' : 'name';
      continue;
    }
    if (expected === 'name' || expected === 'nameOrEnd') {
      const end = code === QUOTE ? endOfString(text, at) : -1;
      if (end === -1) return 'notJson';
      [nameStart, nameEnd] = [at, end];
      at = afterBlanks(text, end);
      if (text.charCodeAt(at) !== COLON) return 'notJson';
      at++;
      expected = 'value';
      continue;
    }
    const kind = kindAt(code);
    const isContainer = kind === 'object' || kind === 'array';
    const end = isContainer ? at + 1 : kind === 'string' ? endOfString(text, at) : endOfScalar(text, at);
    if (end === -1) return 'notJson';
    if (count === sink.most) return 'tooLong';
    sink.value({
      kind,
      depth: open.length,
      ordinal: inner?.members ?? 0,
      parent: inner?.line ?? -1,
      nameStart,
      nameEnd,
      start: at,
      end
    });
    if (inner) inner.members++;
    if (isContainer) open.push({ line: sink.base + count, isArray: kind === 'array', members: 0 });
    count++;
    at = end;
    [nameStart, nameEnd] = [0, 0];
    if (isContainer) expected = kind === 'array' ? 'valueOrEnd' : 'nameOrEnd';
    else expected = open.length === 0 ? 'nothing' : 'more';
  }
}

function afterBlanks(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
  }
  return at;
}

function kindAt(code: number): JsonKind {
  switch (code) {
    case OPEN_OBJECT:
      return 'object';
    case OPEN_ARRAY:
      return 'array';
    case QUOTE:
      return 'string';
    case 0x6e:
      return 'null';
    case 0x74:
    case 0x66:
      return 'boolean';
    default:
      return 'number';
  }
}

/** The character after the string that begins here; -1: it is none. By hand: a pattern would need a stack for a long one. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code < 0x20) return -1;
    if (code !== BACKSLASH) continue;
    at++;
    const escaped = text[at] ?? '';
    if (escaped === 'u') {
      if (!/^[0-9a-fA-F]{4}$/.test(text.slice(at + 1, at + 5))) return -1;
      at += 4;
    } else if (!'"\\/bfnrt'.includes(escaped) || escaped === '') return -1;
  }
  return -1;
}

function endOfScalar(text: string, from: number): number {
  SCALAR.lastIndex = from;
  return SCALAR.test(text) ? SCALAR.lastIndex : -1;
}
