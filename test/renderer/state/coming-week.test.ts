import { describe, expect, it } from 'vitest';
import { comingWeek } from '../../../src-renderer/state/clusters/coming-week.ts';

const HOUR = 1 / (7 * 24);

describe('the coming week', () => {
  it('has its midnights where the clock of the zone has them', () => {
    // Monday 22:00 in Tokyo.
    const week = comingWeek(Date.parse('2026-11-23T13:00:00Z'), 'Asia/Tokyo', null);
    expect(week.days[0]).toEqual({ at: 2 * HOUR, weekday: 2 });
    expect(week.days).toHaveLength(7);
    expect(week.quiet).toEqual([]);
  });

  it('has quiet hours that end on the next day, from the day on which they begin', () => {
    const quietHours = { from: '20:00', to: '06:00', days: [5] };
    const week = comingWeek(Date.parse('2026-11-23T00:00:00Z'), 'UTC', quietHours);
    expect(week.quiet).toHaveLength(1);
    expect(week.quiet[0]?.from).toBeCloseTo((4 * 24 + 20) * HOUR);
    expect(week.quiet[0]?.to).toBeCloseTo((5 * 24 + 6) * HOUR);
  });

  it('is an hour longer on paper where the clocks go back, and its midnights move with that', () => {
    // Berlin goes back on Sunday, 25 October 2026: that day has 25 hours.
    const week = comingWeek(Date.parse('2026-10-22T22:00:00Z'), 'Europe/Berlin', null);
    const [sunday, monday] = week.days.filter(({ weekday }) => weekday === 0 || weekday === 1);
    expect(((monday?.at ?? 0) - (sunday?.at ?? 0)) / HOUR).toBeCloseTo(25);
  });
});
