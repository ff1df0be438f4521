/** The filter line: what it takes, what it refuses and where, and which records it finds. */
import { describe, expect, it } from 'vitest';
import { EngineError } from '../../../src-core/index.ts';
import { positionBounds } from '../../../src-main/operations/records/match-record.ts';
import { MOST_TERMS, parseRecordQuery } from '../../../src-main/operations/records/record-query.ts';

function refusalOf(filter: string): EngineError {
  try {
    parseRecordQuery(filter);
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error(`"${filter}" was not refused`);
}

describe('the filter line', () => {
  it('takes names, kinds, flags, times, bounds and plain words', () => {
    const terms = parseRecordQuery(
      'stream:order-* type:Created kind:Prepare flag:isjson pos>4096 number<=3 size>1k after:2026-01-01 Paid'
    );
    expect(terms.map((term) => ('value' in term ? `${term.key} ${term.value}` : term.key))).toEqual([
      'stream order-*',
      'type Created',
      'kind prepare',
      'flag isJson',
      'pos 4096',
      'number 3',
      'size 1000',
      'after',
      'text Paid'
    ]);
  });

  it('keeps what stands in quotes together, and takes quotes and colons in them as they are', () => {
    const [term] = parseRecordQuery(String.raw`stream:"a b:\"c\""`);
    expect(term).toEqual({ key: 'stream', value: 'a b:"c"', isNegated: false });
  });

  it('turns a word round that has a minus before it', () => {
    expect(parseRecordQuery('-kind:system')).toEqual([{ key: 'kind', value: 'system', isNegated: true }]);
  });

  it('reads a time without a zone as UTC, and a day as its first moment', () => {
    const [day, moment] = parseRecordQuery('after:2026-01-31 after:2026-01-31T00:00');
    expect(day).toEqual(moment);
  });

  it.each([
    ['stream:a colour:red', 9, 10, /"colour" is not a filter key/],
    ['kind:event', 0, 10, /no kind "event"/],
    ['type:a flag:fast', 7, 9, /no flag "fast"/],
    ['after:yesterday', 0, 15, /not a time/],
    ['pos>many', 0, 8, /not a number for pos/],
    ['stream:', 0, 7, /has no value/],
    ['stream>a', 0, 8, /cannot be compared/],
    ['a stream:"b', 2, 9, /not closed/]
  ])('refuses %s and names the place of the wrong word', (filter, offset, length, message) => {
    const { code, details, remedy, message: said } = refusalOf(filter);
    expect(code).toBe('InvalidRequest');
    expect(details).toEqual({ field: 'filter', offset, length });
    expect(said).toMatch(message);
    expect(said).toContain(`character ${offset + 1}`);
    expect(remedy).not.toBe('');
  });

  it('narrows the range that has to be walked to what the positions leave', () => {
    expect(positionBounds(parseRecordQuery('pos>100 pos<=500'))).toEqual({ from: 101, to: 501 });
    expect(positionBounds(parseRecordQuery('pos:100'))).toEqual({ from: 100, to: 101 });
    expect(positionBounds(parseRecordQuery('-pos<100')).from).toBe(0);
  });
});

describe('the number of words', () => {
  it('is bounded, with the place of the first that is too many', () => {
    expect(parseRecordQuery('a '.repeat(MOST_TERMS))).toHaveLength(MOST_TERMS);
    expect(() => parseRecordQuery('a '.repeat(MOST_TERMS + 1))).toThrow(
      `A filter has at most ${MOST_TERMS} words. (at character ${2 * MOST_TERMS + 1} of the filter)`
    );
  });
});
