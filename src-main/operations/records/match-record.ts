/** Whether a record matches a filter line. Built once per walk: decodes only what a term needs. */
import { PrepareFlag, type LogRecord } from '../../../src-core/index.ts';
import { recordFilter } from './record-filter.ts';
import type { Comparison, QueryTerm } from './record-query.ts';
import { containsMatcher, wildcardMatcher } from './wildcard.ts';

type Test = (record: LogRecord) => boolean;

const BOUNDS: readonly string[] = ['after', 'before', 'pos', 'number', 'size'];
const FRAME_LENGTH = 8;

export function recordMatcher(terms: readonly QueryTerm[]): Test {
  const groups = [...Map.groupBy(terms, groupOf).values()].map((group) => anyOf(group.map(testOf)));
  if (groups.length === 0) return () => true;
  return (record) => groups.every((test) => test(record));
}

/** The range that the bounds on positions allow, so that a walk begins and ends there. */
export function positionBounds(terms: readonly QueryTerm[]): { from: number; to: number } {
  let from = 0;
  let to = Number.MAX_SAFE_INTEGER;
  for (const term of terms) {
    if (term.key !== 'pos' || term.isNegated) continue;
    const { comparison, value } = term;
    if (comparison === '>' || comparison === '>=')
      from = Math.max(from, comparison === '>' ? value + 1 : value);
    if (comparison === '<' || comparison === '<=') to = Math.min(to, comparison === '<' ? value : value + 1);
    if (comparison === '=') [from, to] = [Math.max(from, value), Math.min(to, value + 1)];
  }
  return { from, to };
}

/** Bounds and negated terms each apply on their own; terms with the same key are alternatives. */
function groupOf(term: QueryTerm): unknown {
  return term.isNegated || term.key === 'text' || BOUNDS.includes(term.key) ? term : term.key;
}

function anyOf(tests: Test[]): Test {
  const [only] = tests;
  if (tests.length === 1 && only) return only;
  return (record) => tests.some((test) => test(record));
}

function testOf(term: QueryTerm): Test {
  const test = positiveTestOf(term);
  return term.isNegated ? (record) => !test(record) : test;
}

function timeTest(ticks: bigint, isWanted: (order: number) => boolean): Test {
  const high = Number(BigInt.asIntN(32, ticks >> 32n));
  const low = Number(BigInt.asUintN(32, ticks));
  return ({ timeHigh, timeLow }) => isWanted(timeHigh === high ? timeLow - low : timeHigh - high);
}

function positiveTestOf(term: QueryTerm): Test {
  switch (term.key) {
    case 'stream':
      return streamTest(term.value);
    case 'type': {
      const matches = wildcardMatcher(term.value);
      return (record) => record.kind === 'prepare' && matches(record.eventType);
    }
    case 'text': {
      const isIn = containsMatcher(term.value);
      return (record) => record.kind === 'prepare' && (isIn(record.stream) || isIn(record.eventType));
    }
    case 'kind':
      return ({ kind }) => kind === term.value;
    case 'flag': {
      const bit = PrepareFlag[term.value as keyof typeof PrepareFlag];
      return ({ kind, flags }) => kind === 'prepare' && (flags & bit) !== 0;
    }
    case 'id': {
      const wanted = term.value.toLowerCase();
      return (record) => record.kind === 'prepare' && record.eventId === wanted;
    }
    case 'after':
      return timeTest(term.ticks, (order) => order >= 0);
    case 'before':
      return timeTest(term.ticks, (order) => order < 0);
    case 'pos':
      return numberTest(term, (record) => record.position);
    case 'size':
      return numberTest(term, (record) => record.length + FRAME_LENGTH);
    case 'number': {
      const compare = numberTest(term, (record) => record.eventNumber);
      return (record) => record.kind !== 'system' && compare(record);
    }
  }
}

function numberTest(
  term: { comparison: Comparison; value: number },
  of: (record: LogRecord) => number
): Test {
  const { comparison, value } = term;
  switch (comparison) {
    case '<':
      return (record) => of(record) < value;
    case '<=':
      return (record) => of(record) <= value;
    case '=':
      return (record) => of(record) === value;
    case '>=':
      return (record) => of(record) >= value;
    case '>':
      return (record) => of(record) > value;
  }
}

/** An exact name is compared as bytes; anything else needs the decoded name. */
function streamTest(pattern: string): Test {
  if (!pattern.includes('*')) return recordFilter({ stream: pattern });
  const prefix = pattern.slice(0, -1);
  if (prefix.includes('*') || prefix.includes('\ufffd')) {
    const matches = wildcardMatcher(pattern);
    return (record) => record.kind === 'prepare' && matches(record.stream);
  }
  const bytes = Buffer.from(prefix, 'utf8');
  return ({ kind, bytes: all, streamStart, streamEnd }) =>
    kind === 'prepare' &&
    streamEnd - streamStart >= bytes.length &&
    all.compare(bytes, 0, bytes.length, streamStart, streamStart + bytes.length) === 0;
}
