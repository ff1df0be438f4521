/**
 * Reads JSON as leniently as the server's reader does, token by token, so that Winnow applies exactly what the server
 * applies: both kinds of quotes, names without quotes, trailing commas, hexadecimal and octal numbers, NaN,
 * undefined, constructors. It never looks behind the value it was asked for and never builds a tree. Invariants:
 * every character is read a bounded number of times; nesting is bounded by MAX_DEPTH, so recursion is too; every
 * failure is a MalformedJson. Format: docs/format/stream-metadata.md.
 */
import { assert } from '../assert.ts';

/** The server's limit: the 65th container inside one another makes the text malformed. */
const MAX_DEPTH = 64;
/** Whole numbers beyond 64 bits are read up to this many characters. */
const MAX_BIG_NUMBER_LENGTH = 380;
const INT64_DIGITS = 19;
const INT64_OCTAL_DIGITS = 22;
const INT64_LOW = -(2n ** 63n);
const INT64_HIGH = 2n ** 63n - 1n;

const DECIMAL = /^-?\d+$/;
/** Written without neighbouring repetitions of one class: a failing match takes linear time. */
const FLOAT = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const NAME_CHARACTER = /[\p{L}\p{Nd}_$]/u;
const CONSTRUCTOR_CHARACTER = /[\p{L}\p{Nd}]/u;
const BLANK_BEYOND_ASCII = /[\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;
const WORDS = ['true', 'false', 'null', 'undefined', 'NaN', 'Infinity', '-Infinity'];
const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  '\\': '\\',
  '"': '"',
  "'": "'",
  '/': '/'
};

/** Never leaves src-core/records: the caller turns it into "no metadata". */
export class MalformedJson extends Error {}

/** The start of a value: scalars are read whole, of containers only the opening character. */
export type JsonValue =
  | { kind: 'integer'; value: bigint }
  | { kind: 'boolean'; value: boolean }
  | { kind: 'string'; value: string }
  /** null, undefined, NaN, Infinity, a number with a fraction or exponent, or beyond 64 bits. */
  | { kind: 'otherScalar' }
  | { kind: 'object' | 'array' | 'constructor' };

const OTHER_SCALAR: JsonValue = { kind: 'otherScalar' };

export class LenientJson {
  readonly #text: string;
  #index = 0;
  #depth = 0;
  /** Inside a skipped value comments are blank; elsewhere the server does not expect them and gives up. */
  #isSkipping = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads the value, or start of a value, that is next. A comma in its place is read as undefined. */
  readValue(): JsonValue {
    this.#skipBlank();
    const character = this.#text[this.#index];
    switch (character) {
      case '{':
        return this.#open('object');
      case '[':
        return this.#open('array');
      case '"':
      case "'":
        return { kind: 'string', value: this.#readString(character) };
      case ',':
        return OTHER_SCALAR; // stays unread: it also separates
      case undefined:
        throw new MalformedJson('no value');
    }
    if (this.#text.startsWith('new', this.#index)) return this.#openConstructor();
    const word = WORDS.find((candidate) => this.#text.startsWith(candidate, this.#index));
    if (word === undefined) return this.#readNumber();
    this.#index += word.length;
    return word === 'true' || word === 'false' ? { kind: 'boolean', value: word === 'true' } : OTHER_SCALAR;
  }

  /** Goes to the next member of an open object: its name, or undefined once the closing brace is read. */
  nextName({ isFirst }: { isFirst: boolean }): string | undefined {
    if (!isFirst && !this.#separate('}')) return undefined;
    this.#skipBlank();
    const character = this.#text[this.#index] ?? '';
    if (character === '}') return this.#close();
    const isQuoted = character === '"' || character === "'";
    const name = isQuoted ? this.#readString(character) : this.#readWord(NAME_CHARACTER);
    this.#skipBlank({ withComments: false });
    if (this.#text[this.#index] !== ':') throw new MalformedJson('no colon');
    this.#index++;
    return name;
  }

  /** Goes to the next element of an open array: false once the closing bracket is read. */
  nextElement({ isFirst }: { isFirst: boolean }): boolean {
    return this.#nextElement(isFirst, ']');
  }

  /** Reads on to the end of the container that `value` opened; of scalars nothing is left to read. */
  skipRest(value: JsonValue): void {
    const wasSkipping = this.#isSkipping;
    this.#isSkipping = true;
    switch (value.kind) {
      case 'object':
        for (let isFirst = true; this.nextName({ isFirst }) !== undefined; isFirst = false) {
          this.skipRest(this.readValue());
        }
        break;
      case 'array':
      case 'constructor': {
        const end = value.kind === 'array' ? ']' : ')';
        for (let isFirst = true; this.#nextElement(isFirst, end); isFirst = false) {
          this.skipRest(this.readValue());
        }
        break;
      }
      default: // a scalar
    }
    this.#isSkipping = wasSkipping;
  }

  #nextElement(isFirst: boolean, end: string): boolean {
    if (!isFirst && !this.#separate(end)) return false;
    this.#skipBlank();
    if (this.#text[this.#index] !== end) return true;
    this.#close();
    return false;
  }

  /** Behind a value: true when a comma was read, false when the container ended. */
  #separate(end: string): boolean {
    this.#skipBlank();
    const character = this.#text[this.#index];
    if (character === ',') {
      this.#index++;
      return true;
    }
    if (character !== end) throw new MalformedJson('neither a comma nor the end');
    this.#close();
    return false;
  }

  #open(kind: 'object' | 'array' | 'constructor'): JsonValue {
    this.#index++;
    this.#depth++;
    if (this.#depth > MAX_DEPTH) throw new MalformedJson('nested too deeply');
    return { kind };
  }

  #close(): undefined {
    this.#index++;
    this.#depth--;
    assert(this.#depth >= 0, 'a container that ends was opened');
  }

  /** `new Date(1)`: a name and a list in parentheses. */
  #openConstructor(): JsonValue {
    this.#index += 3;
    const nameStart = this.#index;
    this.#skipBlank({ withComments: false });
    if (this.#index === nameStart) throw new MalformedJson('no blank behind new');
    this.#readWord(CONSTRUCTOR_CHARACTER);
    this.#skipBlank({ withComments: false });
    if (this.#text[this.#index] !== '(') throw new MalformedJson('no parenthesis behind the name');
    return this.#open('constructor');
  }

  #readWord(allowed: RegExp): string {
    const start = this.#index;
    while (this.#index < this.#text.length && allowed.test(this.#text[this.#index]!)) this.#index++;
    if (this.#index === start) throw new MalformedJson('no name');
    return this.#text.slice(start, this.#index);
  }

  #readString(quote: string): string {
    let value = '';
    let start = ++this.#index;
    for (;;) {
      const character = this.#text[this.#index];
      if (character === undefined) throw new MalformedJson('string without end');
      if (character !== quote && character !== '\\') {
        this.#index++;
        continue;
      }
      value += this.#text.slice(start, this.#index);
      this.#index++;
      if (character === quote) return value.toWellFormed();
      value += this.#readEscape();
      start = this.#index;
    }
  }

  #readEscape(): string {
    const letter = this.#text[this.#index++] ?? '';
    if (letter === 'u') {
      const digits = this.#text.slice(this.#index, this.#index + 4);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw new MalformedJson('bad escape');
      this.#index += 4;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const character = ESCAPES[letter];
    if (character === undefined) throw new MalformedJson('bad escape');
    return character;
  }

  #readNumber(): JsonValue {
    const start = this.#index;
    if (!/[-.0-9]/.test(this.#text[start] ?? '')) throw new MalformedJson('no value');
    while (/[-+.0-9a-fA-FxX]/.test(this.#text[this.#index] ?? '')) this.#index++;
    return decodeNumber(this.#text.slice(start, this.#index));
  }

  #skipBlank({ withComments = this.#isSkipping } = {}): void {
    while (this.#index < this.#text.length) {
      const character = this.#text[this.#index]!;
      // The server skips NUL like a blank.
      const isBlank =
        character === ' ' ||
        (character >= '\t' && character <= '\r') ||
        character === '\0' ||
        BLANK_BEYOND_ASCII.test(character);
      if (isBlank) this.#index++;
      else if (character === '/' && withComments) this.#skipComment();
      else return;
    }
  }

  #skipComment(): void {
    const kind = this.#text[this.#index + 1];
    this.#index += 2;
    if (kind === '*') {
      const end = this.#text.indexOf('*/', this.#index);
      if (end < 0) throw new MalformedJson('comment without end');
      this.#index = end + 2;
    } else if (kind === '/') {
      while (this.#index < this.#text.length && !/[\r\n]/.test(this.#text[this.#index]!)) this.#index++;
    } else {
      throw new MalformedJson('no comment');
    }
  }
}

/** A longer number that starts with 0 is hexadecimal or octal, and 64 bits of it wrap to negative ones. */
function decodeNumber(text: string): JsonValue {
  const isOtherBase = text.length > 1 && text.startsWith('0') && !/[.eE]/.test(text[1]!);
  if (isOtherBase) {
    const isHexadecimal = /^0[xX][0-9a-fA-F]+$/.test(text);
    if (!isHexadecimal && !/^[0-7]+$/.test(text)) throw new MalformedJson('not a number');
    const digits = text.slice(isHexadecimal ? 2 : 1).replace(/^0+/, '');
    // The length is checked first: turning very many digits into a number takes more than linear time.
    const value =
      digits.length > INT64_OCTAL_DIGITS ? null : BigInt(`0${isHexadecimal ? 'x' : 'o'}0${digits}`);
    if (value === null || value > 0xffffffffffffffffn) throw new MalformedJson('beyond 64 bits');
    return { kind: 'integer', value: BigInt.asIntN(64, value) };
  }
  if (!DECIMAL.test(text)) {
    if (!FLOAT.test(text)) throw new MalformedJson('not a number');
    return OTHER_SCALAR;
  }
  if (text.replace('-', '').length <= INT64_DIGITS) {
    const value = BigInt(text);
    if (value >= INT64_LOW && value <= INT64_HIGH) return { kind: 'integer', value };
  }
  if (text.length > MAX_BIG_NUMBER_LENGTH) throw new MalformedJson('number too long');
  return OTHER_SCALAR;
}
