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
