/**
 * What an erasure report is asked about: streams, categories of streams, single events. And the bytes by which each
 * of them shows itself wherever it lies: names in UTF-8, in UTF-16 and escaped as in JSON, ids in both byte orders
 * and as text. Pure.
 */
import { encodeGuid } from '../../codec/guid.ts';
import { invalidRequest } from '../../errors.ts';

export type AskedKind = 'stream' | 'category' | 'event';

export interface Subject {
  asked: AskedKind;
  /** Name of the stream or the category, or the event's id in lower case. */
  name: string;
}

export interface ErasureQuestion {
  streams: readonly string[];
  categories: readonly string[];
  eventIds: readonly string[];
}

export interface Pattern {
  /** Index of the subject. */
  readonly subject: number;
  readonly bytes: Buffer;
  /** `name`: as a record holds it. The others are looked for as they are. */
  readonly form: 'name' | 'escaped' | 'utf16' | 'id' | 'idText';
}

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What was asked for, without repetitions. */
export function subjectsOf({ streams, categories, eventIds }: ErasureQuestion): Subject[] {
  const subjects: Subject[] = [];
  const add = (asked: AskedKind, name: string) => {
    if (name === '') throw invalidRequest(`An empty name was given.`, asked);
    if (!subjects.some((other) => other.asked === asked && other.name === name))
      subjects.push({ asked, name });
  };
  for (const stream of streams) add('stream', stream);
  for (const category of categories) add('category', category.replace(/-$/, ''));
  for (const id of eventIds) {
    const lower = id.toLowerCase();
    if (!GUID.test(lower)) throw invalidRequest(`"${id}" is not an event id.`, 'eventIds', 'Give a GUID.');
    add('event', lower);
  }
  if (subjects.length === 0) {
    throw invalidRequest(
      'The request names nothing to search for.',
      'streams',
      'Name a stream, a category or the id of an event.'
    );
  }
  return subjects;
}

/** What the names of a subject's streams are or begin with. */
export function nameOf({ asked, name }: Subject): string {
  return asked === 'category' ? `${name}-` : name;
}

export function isNameOf(subject: Subject, stream: string): boolean {
  if (subject.asked === 'stream') return stream === subject.name;
  return subject.asked === 'category' && stream.startsWith(`${subject.name}-`);
}

export function patternsOf(subjects: readonly Subject[]): Pattern[] {
  return subjects.flatMap((subject, i) =>
    subject.asked === 'event' ? idPatterns(subject.name, i) : namePatterns(nameOf(subject), i)
  );
}

function namePatterns(name: string, subject: number): Pattern[] {
  const patterns: Pattern[] = [
    { subject, bytes: Buffer.from(name), form: 'name' },
    { subject, bytes: Buffer.from(name, 'utf16le'), form: 'utf16' }
  ];
  const quoted = JSON.stringify(name).slice(1, -1);
  const escapes = (text: string, upper: boolean) =>
    text.replace(/[^\x20-\x7e]/g, (unit) => {
      const digits = unit.charCodeAt(0).toString(16).padStart(4, '0');
      return `\\u${upper ? digits.toUpperCase() : digits}`;
    });
  const spellings = new Set([quoted, escapes(quoted, false), escapes(quoted, true)]);
  spellings.delete(name);
  for (const spelling of spellings) patterns.push({ subject, bytes: Buffer.from(spelling), form: 'escaped' });
  return patterns;
}

function idPatterns(id: string, subject: number): Pattern[] {
  const stored = Buffer.alloc(16);
  encodeGuid(id, stored, 0);
  const digits = id.replaceAll('-', '');
  const written = Buffer.from(digits, 'hex');
  // Each once: without letters, or the same in both byte orders, an id has fewer spellings.
  const orders = stored.equals(written) ? [stored] : [stored, written];
  const texts = [...new Set([id, id.toUpperCase(), digits, digits.toUpperCase()])];
  return [
    ...orders.map((bytes): Pattern => ({ subject, bytes, form: 'id' })),
    ...texts.flatMap((text): Pattern[] => [
      { subject, bytes: Buffer.from(text), form: 'idText' },
      { subject, bytes: Buffer.from(text, 'utf16le'), form: 'utf16' }
    ])
  ];
}
