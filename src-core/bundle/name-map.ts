/**
 * What becomes of each name in a bundle: another one of as many bytes, which the key decides and nothing else. No two
 * names become the same, and what rules and projections look at stays: a metastream belongs to the same stream, streams of
 * one category stay together, `$ce-…` belongs to its category and `$et-…` to its type.
 *
 * No table of names is kept (keyed-text.ts), so memory does not grow with the streams; the newest results are, because a
 * name comes again and again. A part that must not look like something else (a name of a user's that would become one of
 * the server's) is permuted once more until it does not, which keeps different names different.
 */
import { createCipheriv, createHmac, type Cipheriv } from 'node:crypto';
import { KeyedText } from './keyed-text.ts';
import {
  SYSTEM_HEADS,
  SYSTEM_PROJECTIONS,
  SYSTEM_ROLES,
  SYSTEM_STREAMS,
  SYSTEM_TAILS,
  SYSTEM_TYPES,
  isRunId,
  type NamedRest
} from './system-names.ts';
import { withTextOf } from './name-bytes.ts';

const KEPT_NAMES = 65536;
const GUID_LENGTH = 16;

/** Length of a key in bytes. */
export const NAME_KEY_LENGTH = 32;

export class NameMap {
  readonly #text: KeyedText;
  readonly #ids: Cipheriv;
  readonly #key: Uint8Array;
  readonly #streams = new Map<string, string>();
  readonly #types = new Map<string, string>();
  /** Of streams that are met for the first time, most are of a category that is not. */
  readonly #categories = new Map<string, string>();
  readonly #onName: (kind: 'stream' | 'type', name: string, replaced: string) => void;

  /** `onName` hears of names as they are met, of one that was not met for long more than once. */
  constructor(
    key: Uint8Array,
    onName: (kind: 'stream' | 'type', name: string, replaced: string) => void = () => undefined
  ) {
    this.#key = key;
    this.#onName = onName;
    this.#text = new KeyedText(this.#derived('names'));
    this.#ids = createCipheriv('aes-256-ecb', this.#derived('ids'), null);
    this.#ids.setAutoPadding(false);
  }

  /** Tells keys apart and tells nothing else of one: a bundle that is continued must be continued with its own. */
  get fingerprint(): string {
    return Buffer.from(this.#derived('fingerprint').subarray(0, 8)).toString('hex');
  }

  stream(name: string): string {
    return this.#kept(this.#streams, 'stream', name, () => this.#streamOf(name));
  }

  eventType(name: string): string {
    return this.#kept(this.#types, 'type', name, () => this.#typeOf(name));
  }

  /** Of a list of rights. */
  role(name: string): string {
    return SYSTEM_ROLES.has(name) ? name : this.#until(name, 'user', (text) => !SYSTEM_ROLES.has(text));
  }

  /** Any other text of the user's, such as a host. */
  text(text: string): string {
    return this.#text.permute(text, 'text');
  }

  /** The bytes of a name where they lie, by those of what it becomes: as many, also where they are no valid UTF-8. */
  replaceStream(bytes: Buffer, start: number, end: number): void {
    withTextOf(bytes, start, end, (name) => this.stream(name));
  }

  replaceType(bytes: Buffer, start: number, end: number): void {
    withTextOf(bytes, start, end, (name) => this.eventType(name));
  }

  /** The id of an event where it lies; never an empty one. */
  replaceId(bytes: Buffer, start: number): void {
    do this.#ids.update(bytes.subarray(start, start + GUID_LENGTH)).copy(bytes, start);
    while (isEmpty(bytes, start));
  }

  /** 64 bits that follow from the key and a text, as two halves: for a hash whose name nobody knows. */
  hashFor(text: string, into: { high: number; low: number }): void {
    const hash = createHmac('sha256', this.#key).update(`hash\0${text}`).digest();
    into.high = hash.readUInt32LE(0);
    into.low = hash.readUInt32LE(4);
  }

  #derived(purpose: string): Buffer {
    return createHmac('sha256', this.#key).update(`winnow bundle ${purpose}`).digest();
  }

  #kept(kept: Map<string, string>, kind: 'stream' | 'type', name: string, make: () => string): string {
    const known = kept.get(name);
    if (known !== undefined) return known;
    const replaced = make();
    keep(kept, name, replaced);
    this.#onName(kind, name, replaced);
    return replaced;
  }

  #streamOf(name: string): string {
    if (!name.startsWith('$')) return this.#ordinary(name);
    if (SYSTEM_STREAMS.has(name)) return name;
    const head = headOf(name);
    if (head) return head[0] + this.#rest(name.slice(head[0].length), head[1], head[0]);
    const isForeign = (text: string) => !SYSTEM_STREAMS.has(`$${text}`) && !headOf(`$${text}`);
    let rest = name.slice(1);
    do rest = this.#ordinary(rest);
    while (!isForeign(rest));
    return `$${rest}`;
  }

  /** Category and the rest behind the first dash, each by itself; without a dash the name is that of a category. */
  #ordinary(name: string): string {
    const dash = name.indexOf('-');
    if (dash < 0) return this.#text.permute(name, 'category');
    const category = name.slice(0, dash);
    const rest = this.#text.permute(name.slice(dash + 1), `of ${category}`);
    return `${this.#categoryOf(category)}-${rest}`;
  }

  #categoryOf(category: string): string {
    const known = this.#categories.get(category);
    if (known !== undefined) return known;
    const replaced = this.#text.permute(category, 'category');
    keep(this.#categories, category, replaced);
    return replaced;
  }

  #rest(text: string, kind: NamedRest, head: string): string {
    switch (kind) {
      case 'stream':
        return this.#streamOf(text);
      case 'type':
        return this.#typeOf(text);
      case 'user':
        return this.#until(text, 'user', (other) => !SYSTEM_ROLES.has(other));
      case 'run':
        return isRunId(text) ? text : this.#until(text, 'run', (other) => !isRunId(other));
      case 'text':
        return this.#text.permute(text, head);
      case 'projection':
        return this.#withTail(text, (name) => this.#projection(name));
      case 'subscription':
        return this.#withTail(text, (name) => this.#subscription(name));
    }
  }

  #typeOf(name: string): string {
    if (SYSTEM_TYPES.has(name)) return name;
    return this.#until(name, 'type', (text) => !SYSTEM_TYPES.has(text));
  }

  #projection(name: string): string {
    if (SYSTEM_PROJECTIONS.has(name) || SYSTEM_STREAMS.has(`$projections-${name}`)) return name;
    const isForeign = (text: string) =>
      !SYSTEM_PROJECTIONS.has(text) && !SYSTEM_STREAMS.has(`$projections-${text}`);
    return this.#until(name, 'projection', isForeign);
  }

  /** `stream::group` */
  #subscription(name: string): string {
    const colons = name.indexOf('::');
    if (colons < 0) return this.#streamOf(name);
    const group = this.#text.permute(name.slice(colons + 2), 'group');
    return `${this.#streamOf(name.slice(0, colons))}::${group}`;
  }

  /** Keeps a tail that says what the stream is for. */
  #withTail(text: string, map: (name: string) => string): string {
    const tail = tailOf(text);
    const head = text.slice(0, text.length - tail.length);
    let replaced = head;
    do replaced = map(replaced);
    while (tailOf(replaced + tail) !== tail);
    return replaced + tail;
  }

  #until(text: string, purpose: string, isWanted: (text: string) => boolean): string {
    let replaced = text;
    do replaced = this.#text.permute(replaced, purpose);
    while (!isWanted(replaced));
    return replaced;
  }
}

/** The oldest go when there are too many: a log comes back to new streams more often than to old ones. */
function keep(kept: Map<string, string>, name: string, replaced: string): void {
  if (kept.size >= KEPT_NAMES) kept.delete(kept.keys().next().value!);
  kept.set(name, replaced);
}

function headOf(name: string): readonly [string, NamedRest] | undefined {
  return SYSTEM_HEADS.find(([head]) => name.startsWith(head));
}

function tailOf(text: string): string {
  return SYSTEM_TAILS.find((tail) => text.endsWith(tail)) ?? '';
}

function isEmpty(bytes: Buffer, start: number): boolean {
  for (let i = start; i < start + GUID_LENGTH; i++) if (bytes[i] !== 0) return false;
  return true;
}
