/**
 * The filter line of `records` and of the window: words like `stream:order-* kind:prepare after:2026-01-01 pos>4096`.
 * Pure: text in, terms out; an invalid text is refused with the place of the wrong word.
 *
 * Words with different keys must all match; of several with the same key one is enough (`type:A type:B`), except
 * that bounds (`after`, `before`, `pos`, `number`, `size`) must all match. `-` before a word negates it. A word without
 * a key is searched for in the names of stream and type. Quotes allow spaces, `*` matches anything.
 */
import { EngineError, PrepareFlag, ticksFromIso } from '../../../src-core/index.ts';

export const NAME_KEYS = ['stream', 'type', 'kind', 'flag', 'id'] as const;
export const TIME_KEYS = ['after', 'before'] as const;
export const NUMBER_KEYS = ['pos', 'number', 'size'] as const;
const KINDS = ['prepare', 'commit', 'system'];
const FLAGS = Object.keys(PrepareFlag);

export type NameKey = (typeof NAME_KEYS)[number];
export type TimeKey = (typeof TIME_KEYS)[number];
export type NumberKey = (typeof NUMBER_KEYS)[number];
export type Comparison = '<' | '<=' | '=' | '>=' | '>';

export type QueryTerm = { isNegated: boolean } & (
  | { key: NameKey | 'text'; value: string }
  | { key: TimeKey; ticks: bigint }
  | { key: NumberKey; comparison: Comparison; value: number }
);

/** Each is applied to every record. */
export const MOST_TERMS = 32;

interface Word {
  text: string;
  offset: number;
}

const WORD = /(?:"(?:[^"\\]|\\.)*"?|[^\s"])+/g;
const TERM = /^(-?)(?:([a-z]+)\s*(:|<=|>=|<|>|=))?([\s\S]*)$/i;

/** Throws InvalidRequest with the offset and length of the wrong word in its details. */
export function parseRecordQuery(text: string): QueryTerm[] {
  const words = [...text.matchAll(WORD)].map((match): Word => ({ text: match[0], offset: match.index }));
  const surplus = words[MOST_TERMS];
  if (surplus) {
    throw wrong(
      surplus,
      `A filter has at most ${MOST_TERMS} words.`,
      'Remove some, or search in several steps.'
    );
  }
  return words.map(parseTerm);
}

function parseTerm(word: Word): QueryTerm {
  const [, minus, name, operator, rest] = TERM.exec(word.text) ?? [];
  const isNegated = minus === '-';
  const value = unquoted(rest ?? '', word);
  if (name === undefined) {
    if (value === '')
      throw wrong(word, 'There is nothing to search for here.', 'Write a word, or remove it.');
    return { key: 'text', value, isNegated };
  }
  const key = name.toLowerCase();
  if (isOneOf(NAME_KEYS, key)) return nameTerm(word, { key, operator: operator ?? ':', value, isNegated });
  if (isOneOf(TIME_KEYS, key)) return { key, ticks: timeOf(word, value), isNegated };
  if (isOneOf(NUMBER_KEYS, key)) {
    const comparison = operator === ':' || operator === undefined ? '=' : (operator as Comparison);
    return { key, comparison, value: numberOf(word, key, value), isNegated };
  }
  const keys = [...NAME_KEYS, ...TIME_KEYS, ...NUMBER_KEYS].join(', ');
  throw wrong(word, `"${name}" is not a filter key.`, `Use one of ${keys}; quote the word to search for it.`);
}

function nameTerm(
  word: Word,
  term: { key: NameKey; operator: string; value: string; isNegated: boolean }
): QueryTerm {
  const { key, operator, value, isNegated } = term;
  if (operator !== ':' && operator !== '=') {
    throw wrong(word, `"${key}" cannot be compared with ${operator}.`, `Write ${key}:${value || '…'}.`);
  }
  if (value === '') throw wrong(word, `"${key}:" has no value.`, `Write a value for ${key} after the colon.`);
  if (key === 'kind' && !KINDS.includes(value.toLowerCase())) {
    throw wrong(word, `There is no kind "${value}".`, `Use one of ${KINDS.join(', ')}.`);
  }
  if (key !== 'flag') return { key, value: key === 'kind' ? value.toLowerCase() : value, isNegated };
  const flag = FLAGS.find((known) => known.toLowerCase() === value.toLowerCase());
  if (!flag) throw wrong(word, `There is no flag "${value}".`, `Use one of ${FLAGS.join(', ')}.`);
  return { key, value: flag, isNegated };
}

/** A day starts at midnight UTC. */
function timeOf(word: Word, value: string): bigint {
  const full = /^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00Z` : value.replace(' ', 'T');
  const ticks = ticksFromIso(full);
  if (ticks !== undefined) return ticks;
  throw wrong(
    word,
    `"${value}" is not a time.`,
    'Write a day like 2026-01-31 or a time like 2026-01-31T18:00Z.'
  );
}

const FACTORS: Record<string, number> = {
  '': 1,
  k: 1e3,
  m: 1e6,
  g: 1e9,
  ki: 1024,
  mi: 1024 ** 2,
  gi: 1024 ** 3
};

function numberOf(word: Word, key: NumberKey, value: string): number {
  const match = /^(\d[\d_,]*)(?:(ki|mi|gi|k|m|g)b?|b)?$/i.exec(value);
  const number = Number((match?.[1] ?? '').replaceAll(/[_,]/g, ''));
  if (!match || !Number.isSafeInteger(number) || (match[2] !== undefined && key === 'number')) {
    throw wrong(word, `"${value}" is not a number for ${key}.`, `Write it like ${key}>4096.`);
  }
  return number * (FACTORS[(match[2] ?? '').toLowerCase()] ?? 1);
}

function unquoted(text: string, word: Word): string {
  if (!text.includes('"')) return text;
  if (!/^(?:"(?:[^"\\]|\\.)*"|[^"])*$/.test(text)) {
    throw wrong(word, 'A quote is not closed.', 'Close it with another ".');
  }
  return text.replaceAll(/"((?:[^"\\]|\\.)*)"/g, (_whole, inner: string) => inner.replaceAll(/\\(.)/g, '$1'));
}

function isOneOf<K extends string>(keys: readonly K[], key: string): key is K {
  return (keys as readonly string[]).includes(key);
}

/** `offset` and `length` count in the filter, in UTF-16 units. */
function wrong({ text, offset }: Word, message: string, remedy: string): EngineError {
  return new EngineError({
    code: 'InvalidRequest',
    message: `${message} (at character ${offset + 1} of the filter)`,
    remedy,
    details: { field: 'filter', offset, length: text.length }
  });
}
