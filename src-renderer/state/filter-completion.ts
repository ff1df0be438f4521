/** What can be written next in the filter line of records: keys, then the values of those that have few. Pure. */
import type { RecordRow } from '../../src-main/contract/verbs/workbench-contract.ts';

const KEYS = [
  'stream:',
  'type:',
  'kind:',
  'flag:',
  'after:',
  'before:',
  'pos>',
  'pos<',
  'number:',
  'size>',
  'id:'
] as const;

const VALUES: Record<string, readonly string[]> = {
  'kind:': ['prepare', 'commit', 'system'],
  'flag:': [
    'data',
    'transactionBegin',
    'transactionEnd',
    'streamDelete',
    'isCommitted',
    'isJson',
    'isRedacted',
    'isPropertyMetadata'
  ]
};

export interface Completion {
  /** What is offered, as it would stand in the line. */
  word: string;
  /** The whole line with it, and where the cursor then stands. */
  line: string;
  cursor: number;
}

/** `seen` are names of streams and types in sight, offered behind their keys. */
export function completionsOf(
  line: string,
  cursor: number,
  seen: { streams: readonly string[]; types: readonly string[] } = { streams: [], types: [] }
): Completion[] {
  const start = line.slice(0, cursor).search(/(?:"[^"]*"?|[^\s"])*$/);
  const typed = line.slice(start, cursor);
  const rest = line.slice(cursor).replace(/^\S*\s*/, '');
  const minus = typed.startsWith('-') ? '-' : '';
  const word = typed.slice(minus.length);
  return offersFor(word, seen)
    .filter((offer) => offer.toLowerCase().startsWith(word.toLowerCase()) && offer !== word)
    .slice(0, 12)
    .map((offer) => {
      const isOpen = KEYS.some((key) => key === offer);
      const written = `${line.slice(0, start)}${minus}${offer}`;
      const before = isOpen ? written : `${written} `;
      const gap = isOpen && rest !== '' ? ' ' : '';
      return { word: minus + offer, line: before + gap + rest, cursor: before.length };
    });
}

function offersFor(word: string, seen: { streams: readonly string[]; types: readonly string[] }): string[] {
  const key = KEYS.find((known) => word.toLowerCase().startsWith(known));
  if (key === undefined) return [...KEYS];
  const names = key === 'stream:' ? seen.streams : key === 'type:' ? seen.types : (VALUES[key] ?? []);
  return names.map((name) => key + (/[\s"]/.test(name) ? JSON.stringify(name) : name));
}

/** Streams and event types that stand in some rows, each once. */
export function namesIn(rows: readonly RecordRow[]): { streams: string[]; types: string[] } {
  const events = rows.filter((row) => row.kind === 'prepare');
  return {
    streams: [...new Set(events.map(({ stream }) => stream))],
    types: [...new Set(events.map(({ eventType }) => eventType))]
  };
}
