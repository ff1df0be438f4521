import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  cronOf,
  HOUR_STEPS,
  isSameSchedule,
  plainSchedule,
  type PlainSchedule
} from '../../../src-renderer/format/plain-schedule.ts';
import { parseCron } from '../../../src-core/auto-scavenge/cron-schedule.ts';
import { describeSchedule } from '../../../src-main/operations/scavenge/describe-schedule.ts';
import { texts } from '../../../src-renderer/texts.ts';

describe('a schedule in words', () => {
  test.each([
    ['0 6 * * SAT', { every: 'week', days: [6], at: '06:00' }],
    ['0 6 * * 6', { every: 'week', days: [6], at: '06:00' }],
    ['30 1 * * MON-FRI', { every: 'week', days: [1, 2, 3, 4, 5], at: '01:30' }],
    ['15 23 * * 5-7', { every: 'week', days: [0, 5, 6], at: '23:15' }],
    ['0 2 * * *', { every: 'day', at: '02:00' }],
    ['0 3 1 * *', { every: 'month', day: 1, at: '03:00' }],
    ['0 */6 * * *', { every: 'hours', hours: 6, minute: 0 }],
    ['5 * * * *', { every: 'hours', hours: 1, minute: 5 }]
  ])('%s', (expression, expected) => expect(plainSchedule(expression)).toEqual(expected));

  const saidOf = (expression: string): string =>
    describeSchedule({ expression, timeZone: 'UTC', count: 1 }, Date.now).words;

  /** Each form of the sentence, its CRON, and the headline above both. */
  const SENTENCES: [PlainSchedule, string, string][] = [
    [{ every: 'week', days: [6], at: '06:00' }, '0 6 * * SAT', 'At 06:00, only on Saturday'],
    [
      { every: 'week', days: [0, 6], at: '22:30' },
      '30 22 * * SUN,SAT',
      'At 22:30, only on Sunday and Saturday'
    ],
    [
      { every: 'week', days: [1, 2, 3, 4, 5], at: '01:30' },
      '30 1 * * MON-FRI',
      'At 01:30, Monday through Friday'
    ],
    [
      { every: 'week', days: [1, 3, 5], at: '00:00' },
      '0 0 * * MON,WED,FRI',
      'At 00:00, only on Monday, Wednesday, and Friday'
    ],
    [{ every: 'day', at: '02:00' }, '0 2 * * *', 'At 02:00'],
    [{ every: 'day', at: '23:59' }, '59 23 * * *', 'At 23:59'],
    [{ every: 'month', day: 1, at: '03:00' }, '0 3 1 * *', 'At 03:00, on day 1 of the month'],
    [{ every: 'month', day: 31, at: '04:05' }, '5 4 31 * *', 'At 04:05, on day 31 of the month'],
    [{ every: 'hours', hours: 1, minute: 15 }, '15 * * * *', 'At 15 minutes past the hour'],
    [{ every: 'hours', hours: 2, minute: 0 }, '0 */2 * * *', 'On the hour, every 2 hours'],
    [{ every: 'hours', hours: 3, minute: 15 }, '15 */3 * * *', 'At 15 minutes past the hour, every 3 hours'],
    [{ every: 'hours', hours: 4, minute: 15 }, '15 */4 * * *', 'At 15 minutes past the hour, every 4 hours'],
    [{ every: 'hours', hours: 6, minute: 0 }, '0 */6 * * *', 'On the hour, every 6 hours'],
    [{ every: 'hours', hours: 8, minute: 59 }, '59 */8 * * *', 'At 59 minutes past the hour, every 8 hours'],
    [{ every: 'hours', hours: 12, minute: 15 }, '15 */12 * * *', 'At 00:15 and 12:15']
  ];
  test.each(SENTENCES)('%o is %s, and back', (schedule, expression, said) => {
    expect(cronOf(schedule)).toBe(expression);
    expect(plainSchedule(expression)).toEqual(schedule);
    // What the coordinator keeps leads back to the same sentence.
    expect(plainSchedule(parseCron(expression).normalised)).toEqual(schedule);
    expect(saidOf(expression)).toBe(said);
  });

  test.each([
    ['* * * * *', 'Every minute'],
    ['0 */5 * * *', 'At 00:00, 05:00, 10:00, 15:00 and 20:00'],
    ['0 6,18 * 1 *', 'At 06:00 and 18:00, only in January'],
    ['0 6 1 * SAT', 'At 06:00, on day 1 of the month and only on Saturday'],
    ['*/30 1-4 * * 1-5', 'Every 30 minutes, between 01:00 and 04:59, Monday through Friday']
  ])('that no form has is said from its CRON alone: %s', (expression, said) => {
    expect(plainSchedule(expression)).toBeUndefined();
    expect(saidOf(expression)).toBe(said);
  });

  test.each(texts.schedule.presetList.map(({ name, expression }) => [name, expression]))(
    'says the preset “%s”',
    (_name, expression) => {
      const schedule = plainSchedule(expression);
      expect(schedule && isSameSchedule(cronOf(schedule), expression)).toBe(true);
    }
  );

  test.each([
    '* * * * *',
    '0 */5 * * *',
    '0 6,18 * * *',
    '0 6 1 * SAT',
    '0 6 * JAN *',
    '0 6 * * SAT-MON',
    '0 6 * * SAT#1',
    '61 6 * * *',
    '0 24 * * *',
    '0 6 32 * *',
    '0 6 * *',
    ''
  ])('has no form for "%s"', (expression) => expect(plainSchedule(expression)).toBeUndefined());

  const time = fc
    .tuple(fc.nat(23), fc.nat(59))
    .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
  const plain = fc.oneof<fc.Arbitrary<PlainSchedule>[]>(
    fc.record({ every: fc.constant('day' as const), at: time }),
    fc.record({ every: fc.constant('month' as const), day: fc.integer({ min: 1, max: 31 }), at: time }),
    fc.record({
      every: fc.constant('hours' as const),
      hours: fc.constantFrom(...HOUR_STEPS),
      minute: fc.nat(59)
    }),
    fc.record({
      every: fc.constant('week' as const),
      days: fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1, maxLength: 6 }),
      at: time
    })
  );

  it('is written as CRON that the coordinator takes, and read back as it was', () => {
    fc.assert(
      fc.property(plain, (schedule) => {
        const expression = cronOf(schedule);
        expect(plainSchedule(expression)).toEqual(schedule);
        // The coordinator's own spelling of it says the same.
        expect(isSameSchedule(parseCron(expression).normalised, expression)).toBe(true);
      }),
      { seed: 8 }
    );
  });

  it('of every day of the week is that of every day', () => {
    const week = { every: 'week', days: [0, 1, 2, 3, 4, 5, 6], at: '06:00' } as const;
    expect(plainSchedule(cronOf(week))).toEqual({ every: 'day', at: '06:00' });
  });
});
