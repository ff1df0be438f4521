import { describe, expect, it } from 'vitest';
import { describeSchedule } from '../../../src-main/operations/scavenge/describe-schedule.ts';
import { requests, type RequestOf } from '../../../src-main/contract/operations/operation-contract.ts';
import { scheduleReport, type ScheduleReport } from '../../../src-main/contract/operations/reports.ts';

const NOW_MS = Date.parse('2026-08-01T10:17:25.500Z');

function described(request: RequestOf<'describeSchedule'>): ScheduleReport {
  return describeSchedule(requests.describeSchedule.parse(request), () => NOW_MS);
}

function words(expression: string): string {
  return described({ expression, timeZone: 'UTC' }).words;
}

describe('the words', () => {
  it.each([
    ['0 6 * * 6', 'At 06:00, only on Saturday'],
    ['* * * * *', 'Every minute'],
    ['*/5 * * * *', 'Every 5 minutes'],
    ['0,30 * * * *', 'Every 30 minutes'],
    ['5/15 * * * *', 'Every 15 minutes, starting at 5 minutes past the hour'],
    ['30 * * * *', 'At 30 minutes past the hour'],
    ['30 2 * * Fri-Mon', 'At 02:30, Monday through Friday'],
    ['0 0 * jan,Ju 0', 'At 00:00, only on Sunday, only in January and June'],
    ['0 0 31 * *', 'At 00:00, on day 31 of the month'],
    ['0 0 29 2 *', 'At 00:00, on day 29 of the month, only in February'],
    ['1,2,3,5 * * * *', 'At 1 through 3 and 5 minutes past the hour'],
    ['0 3 * * Sun', 'At 03:00, only on Sunday'],
    ['0 2,14 * * 1,3,5', 'At 02:00 and 14:00, only on Monday, Wednesday, and Friday'],
    ['0 */6 * * *', 'On the hour, every 6 hours'],
    ['0 2/8 * * *', 'On the hour, every 8 hours, starting at 02:00']
  ])('%s: %s', (expression, expected) => {
    expect(words(expression)).toBe(expected);
  });

  it('say both days must match', () => {
    expect(words('0 0 13 * 5')).toBe('At 00:00, on day 13 of the month and only on Friday');
    expect(words('0 0 1-7 * MON')).toBe('At 00:00, between day 1 and 7 of the month and only on Monday');
    expect(words('0 0 1,15 3-5 1-5')).toBe(
      'At 00:00, on day 1 and 15 of the month and only on Monday through Friday, March through May'
    );
  });

  it('say a swapped range in its order', () => {
    expect(words('0 22-2 * * *')).toBe('Every hour, between 02:00 and 22:00');
    expect(words('0 3 20-5 * *')).toBe('At 03:00, between day 5 and 20 of the month');
  });

  it('list what does not go on evenly', () => {
    expect(words('0 2/5 * * *')).toBe('At 02:00, 07:00, 12:00, 17:00 and 22:00');
    expect(words('10-40/10 * * * *')).toBe('At 10, 20, 30, and 40 minutes past the hour');
    expect(words('*/25 * * * *')).toBe('At 0, 25, and 50 minutes past the hour');
    expect(words('0 0 1/10 * *')).toBe('At 00:00, on day 1, 11, 21, and 31 of the month');
    expect(words('0 0 1 2/4 *')).toBe('At 00:00, on day 1 of the month, only in February, June, and October');
    expect(words('*/15 */8 * * *')).toBe('Every 15 minutes, at 00:00, 08:00, and 16:00');
  });

  it('say that a date never comes', () => {
    expect(described({ expression: '0 0 30 2 *', timeZone: 'Europe/Berlin' })).toMatchObject({
      words: 'At 00:00, on day 30 of the month, only in February: a date that never comes',
      next: []
    });
  });
});

describe('the report', () => {
  it('holds the normalised expression and the next five times from the clock', () => {
    const report = described({ expression: '0  12 * * MON-fri', timeZone: 'Europe/Berlin' });
    expect(scheduleReport.parse(report)).toEqual({
      expression: '0 12 * * 1-5',
      words: 'At 12:00, Monday through Friday',
      next: ['03', '04', '05', '06', '07'].map((day) => `2026-08-${day}T10:00:00.0000000Z`),
      timeZone: 'Europe/Berlin',
      warnings: []
    });
  });

  it('starts at the time asked for and gives as many as asked for', () => {
    const request = { expression: '0 0 1 1 *', timeZone: 'UTC', from: '2030-01-01T00:00:00Z', count: 2 };
    expect(described(request).next).toEqual(['2031-01-01T00:00:00.0000000Z', '2032-01-01T00:00:00.0000000Z']);
  });

  it('uses the zone of the system when none is given', () => {
    const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect(described({ expression: '0 0 * * *' }).timeZone).toBe(zone);
  });

  it.each([
    [{ expression: '0 0 * *' }, 'expression'],
    [{ expression: '0 0 * * *', timeZone: 'Moon/Base' }, 'timeZone'],
    [{ expression: '0 0 * * *', from: 'tomorrow' }, 'from']
  ])('refuses %j and names the field %s', (request, field) => {
    expect(() => described(request)).toThrow(
      expect.objectContaining({
        code: 'InvalidRequest',
        details: expect.objectContaining({ field }) as unknown
      })
    );
  });
});
