import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EngineError } from '../../../src-core/errors.ts';
import { nextOccurrence, nextTimes, parseCron } from '../../../src-core/auto-scavenge/cron-schedule.ts';
import type { LocalTime } from '../../../src-core/auto-scavenge/local-time.ts';

interface Case {
  id: string;
  expression: string;
  expect: {
    normalised?: string;
    error?: { reason: string };
    next?: { base: string; next: string }[];
    following?: { base: string; times: string[] };
  };
}

const NEVER = '9999-12-31T23:59:59.9999999';

function casesOf(group: string): Case[] {
  const file = new URL(`../../fixtures/auto-scavenge/${group}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { cases: Case[] }).cases;
}

function local(text: string): LocalTime {
  const [year, month, day, hour, minute] = text.split(/[-T:]/).map(Number);
  return { year: year!, month: month!, day: day!, hour: hour!, minute: minute! };
}

function written(time: LocalTime | undefined): string {
  if (!time) return NEVER;
  const two = (value: number): string => String(value).padStart(2, '0');
  const { year, month, day, hour, minute } = time;
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:00`;
}

function next(expression: string, base: string): string {
  return written(nextOccurrence(parseCron(expression), local(base)));
}

function reasonOf(expression: string): unknown {
  try {
    parseCron(expression);
  } catch (error) {
    expect(error).toBeInstanceOf(EngineError);
    expect((error as EngineError).code).toBe('InvalidRequest');
    return (error as EngineError).details['reason'];
  }
  return undefined;
}

describe('the examples of the document, from 2026-08-01 10:17:25.5, a Saturday', () => {
  it.each([
    ['0 6 * * 6', '0 6 * * 6', '2026-08-08T06:00:00'],
    ['* * * * *', '* * * * *', '2026-08-01T10:18:00'],
    ['*/5 * * * *', '0,5,10,15,20,25,30,35,40,45,50,55 * * * *', '2026-08-01T10:20:00'],
    ['0 0 1-7 * MON', '0 0 1-7 * 1', '2026-08-03T00:00:00'],
    ['30 2 * * Fri-Mon', '30 2 * * 1-5', '2026-08-03T02:30:00'],
    ['0 22-2 * * *', '0 2-22 * * *', '2026-08-01T11:00:00'],
    ['5/15 * * * *', '5,20,35,50 * * * *', '2026-08-01T10:20:00'],
    ['0 0 * jan,Ju 0', '0 0 * 1,6 0', '2027-01-03T00:00:00'],
    ['0 0 31 * *', '0 0 31 * *', '2026-08-31T00:00:00'],
    ['0 0 29 2 *', '0 0 29 2 *', '2028-02-29T00:00:00'],
    ['0 0 13 * 5', '0 0 13 * 5', '2026-11-13T00:00:00'],
    ['1,2,3,5 * * * *', '1-3,5 * * * *', '2026-08-01T11:01:00'],
    ['*/0 * * * *', '* * * * *', '2026-08-01T10:18:00'],
    ['10-40/10 * * * *', '10,20,30,40 * * * *', '2026-08-01T10:20:00'],
    ['0  3   * * Sun', '0 3 * * 0', '2026-08-02T03:00:00']
  ])('%s is %s, next at %s', (expression, normalised, expected) => {
    expect(parseCron(expression).normalised).toBe(normalised);
    expect(next(expression, '2026-08-01T10:17:25.5')).toBe(expected);
  });

  it.each([
    ...[
      '0 0 * * 7',
      '60 * * * *',
      '0 24 * * *',
      '0 0 0 * *',
      '* * * *',
      '0 0 * * * *',
      '@daily',
      '0 0 ? * MON'
    ],
    ...[
      '0 0 L * *',
      '1,,2 * * * *',
      '1- * * * *',
      '-1 * * * *',
      '*/x * * * *',
      '*/ * * * *',
      '0 0 * * Sundays'
    ],
    ...['', '0\t0\t*\t*\t*']
  ])('refuses "%s"', (expression) => {
    expect(reasonOf(expression)).toBeDefined();
  });
});

describe('what the server was seen to do', () => {
  it.each(casesOf('cron-next').map((row) => [row.id, row.expression, row] as const))(
    '%s: %s',
    (_id, expression, row) => {
      const schedule = parseCron(expression);
      expect(schedule.normalised).toBe(row.expect.normalised);
      for (const { base, next: expected } of row.expect.next ?? [])
        expect(next(expression, base)).toBe(expected);
      let base = row.expect.following?.base ?? '';
      for (const expected of row.expect.following?.times ?? []) {
        base = next(expression, base);
        expect(base).toBe(expected);
      }
    }
  );

  it.each(casesOf('cron-invalid').map((row) => [row.id, row.expression, row.expect.error?.reason] as const))(
    '%s: refuses %j because of %s',
    (_id, expression, reason) => {
      expect(reasonOf(expression)).toBe(reason);
    }
  );
});

describe('the dialect', () => {
  it.each([
    ['5/1 * * * *', '5-59 * * * *'],
    ['5\t * * * *', '5 * * * *'],
    ['*/+5 * * * *', '0,5,10,15,20,25,30,35,40,45,50,55 * * * *'],
    ['0 0 1/2147483647 * *', '0 0 1 * *'],
    ['0 0 * * 6-0', '0 0 * * *'],
    ['0 0 1 m *', '0 0 1 3 *'],
    ['0 0 1 ma-may *', '0 0 1 3-5 *']
  ])('reads %j as %s', (expression, normalised) => {
    expect(parseCron(expression).normalised).toBe(normalised);
  });

  it.each([
    ['5/2147483647 * * * *', 'overflow'],
    ['*/2147483648 * * * *', 'overflow'],
    ['1, * * * *', 'empty'],
    ['1- * * * *', 'empty'],
    ['/5 * * * *', 'notNumeric'],
    ['\t5 * * * *', 'notNumeric'],
    ['70/5 * * * *', 'tooHigh'],
    ['0 0 0/5 * *', 'tooLow'],
    ['0 0 40-0 * *', 'tooLow'],
    ['60/x * * * *', 'numberFormat'],
    ['0 0 * * 7', 'tooHigh'],
    ['5 25 * * x', 'tooHigh']
  ])('refuses %j: %s', (expression, reason) => {
    expect(reasonOf(expression)).toBe(reason);
  });

  it.each([
    ['0 0 * * 7', '7 is too high for the day of week: 0 to 6; Sunday is 0.'],
    ['0 25 * * *', '25 is too high for the hour: 0 to 23.'],
    ['0 0 ? * *', '"?" is not a day of month: give a number from 1 to 31.'],
    ['1,,2 * * * *', 'A value of the minute is missing.'],
    [
      '@daily',
      'A schedule has five fields separated by spaces: minute, hour, day of month, month, day of week. "@daily" has 1.'
    ]
  ])('explains why it refuses %s', (expression, message) => {
    expect(() => parseCron(expression)).toThrow(message);
  });
});

describe('time zones', () => {
  function times(expression: string, timeZone: string, from: string, count = 4): string[] {
    return nextTimes(parseCron(expression), { fromMs: Date.parse(from), timeZone, count }).map((ms) =>
      new Date(ms).toISOString().replace(':00.000Z', 'Z')
    );
  }

  it('counts in UTC without any change', () => {
    expect(times('30 2 * * *', 'UTC', '2026-03-28T12:00:00Z')).toEqual([
      '2026-03-29T02:30Z',
      '2026-03-30T02:30Z',
      '2026-03-31T02:30Z',
      '2026-04-01T02:30Z'
    ]);
  });

  it('fires at the first minute after the gap in spring', () => {
    expect(times('30 2 * * *', 'Europe/Berlin', '2026-03-27T12:00:00Z')).toEqual([
      '2026-03-28T01:30Z',
      '2026-03-29T01:00Z', // 03:00 summer time
      '2026-03-30T00:30Z',
      '2026-03-31T00:30Z'
    ]);
    expect(times('30 2 * * *', 'America/New_York', '2026-03-07T12:00:00Z', 2)).toEqual([
      '2026-03-08T07:00Z',
      '2026-03-09T06:30Z'
    ]);
  });

  it('makes one of several times inside the gap, and of the one at its end', () => {
    expect(times('*/20 2-3 * * *', 'Europe/Berlin', '2026-03-28T23:00:00Z')).toEqual([
      '2026-03-29T01:00Z',
      '2026-03-29T01:20Z',
      '2026-03-29T01:40Z',
      '2026-03-30T00:00Z'
    ]);
  });

  it('fires once in the doubled hour in autumn, the first time', () => {
    expect(times('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30Z', // 02:30 summer time
      '2026-10-26T01:30Z'
    ]);
    expect(times('0 * * * *', 'Europe/Berlin', '2026-10-24T23:30:00Z', 3)).toEqual([
      '2026-10-25T00:00Z',
      '2026-10-25T02:00Z', // the second 02:00 is passed over
      '2026-10-25T03:00Z'
    ]);
    expect(times('30 1 * * *', 'America/New_York', '2026-10-31T12:00:00Z', 2)).toEqual([
      '2026-11-01T05:30Z',
      '2026-11-02T06:30Z'
    ]);
  });

  it('finds nothing more in the second pass of the doubled hour', () => {
    expect(times('*/15 * * * *', 'Europe/Berlin', '2026-10-25T01:20:00Z', 2)).toEqual([
      '2026-10-25T02:00Z',
      '2026-10-25T02:15Z'
    ]);
  });

  it('goes over a day that a zone left out', () => {
    expect(times('0 12 * * *', 'Pacific/Apia', '2011-12-29T00:00:00Z', 3)).toEqual([
      '2011-12-29T22:00Z',
      '2011-12-30T10:00Z', // the 30th was left out: midnight of the 31st
      '2011-12-30T22:00Z'
    ]);
  });

  it('does not return the minute it starts in', () => {
    expect(times('0 12 * * *', 'UTC', '2026-01-01T12:00:30Z', 1)).toEqual(['2026-01-02T12:00Z']);
    expect(times('0 12 * * *', 'UTC', '2026-01-01T12:00:00Z', 1)).toEqual(['2026-01-02T12:00Z']);
    expect(times('0 12 * * *', 'UTC', '2026-01-01T11:59:59.999Z', 1)).toEqual(['2026-01-01T12:00Z']);
  });

  it('returns nothing for a day that never comes, and fewer times at the end of the calendar', () => {
    expect(times('0 0 30 2 *', 'Europe/Berlin', '2026-01-01T00:00:00Z')).toEqual([]);
    expect(times('0 0 * * *', 'UTC', '9999-12-30T00:00:00Z')).toEqual(['9999-12-31T00:00Z']);
  });

  it('refuses a zone it does not know and names the field', () => {
    expect(() => times('0 0 * * *', 'Europe/Atlantis', '2026-01-01T00:00:00Z')).toThrow(
      expect.objectContaining({ code: 'InvalidRequest', details: { field: 'timeZone' } })
    );
  });
});
