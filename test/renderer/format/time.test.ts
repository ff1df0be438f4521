import { expect, test } from 'vitest';
import {
  formatAge,
  formatDay,
  formatTicks,
  formatTime,
  formatTimeShort,
  msOfTime
} from '../../../src-renderer/format/time.ts';
import { formatTimeInZone } from '../../../src-renderer/format/time-in-zone.ts';

const TIME = '2026-03-14T05:00:00.1234567Z';

test('reads times with seven fraction digits', () => {
  expect(msOfTime(TIME)).toBe(Date.UTC(2026, 2, 14, 5, 0, 0, 123));
});

test('names the zone with the exact time and leaves it out of the short one', () => {
  expect(formatTime(TIME)).toMatch(/^2026-03-1\d \d\d:00:00 \S+$/);
  expect(formatTimeShort(TIME)).toMatch(/^2026-03-1\d \d\d:00:00$/);
  expect(formatDay(Date.UTC(2026, 2, 14, 12))).toBe('14 Mar 2026');
});

test('shows what is no time as it is', () => {
  expect(formatTime('soon')).toBe('soon');
});

test('writes a time on the wall clock of another zone', () => {
  expect(formatTimeInZone(TIME, 'Europe/Berlin')).toBe('Sat 2026-03-14 06:00 CET');
  expect(formatTimeInZone(TIME, 'UTC')).toBe('Sat 2026-03-14 05:00 UTC');
});

test.each([
  [0, 'just now'],
  [5 * 60_000, '5 minutes ago'],
  [3_600_000, '1 hour ago'],
  [41 * 86_400_000, '41 days ago'],
  [800 * 86_400_000, '2 years ago'],
  [-3 * 3_600_000, 'in 3 hours']
])('writes a distance of %d ms as %s', (ms, text) => {
  expect(formatAge(Date.UTC(2026, 0, 1) - ms, Date.UTC(2026, 0, 1))).toBe(text);
});

test('ticks are days where days tell them apart, else hours or seconds, and never the same twice', () => {
  const at = (hour: number, second = 0): number => new Date(2026, 10, 20, hour, 30, second).getTime();
  expect(formatTicks([at(10), at(34)])).toEqual(['20 Nov 2026', '21 Nov 2026']);
  expect(formatTicks([at(10), at(11), at(12)])).toEqual(['20 Nov, 10:30', '20 Nov, 11:30', '20 Nov, 12:30']);
  expect(formatTicks([at(10, 1), at(10, 2)])).toEqual(['20 Nov, 10:30:01', '20 Nov, 10:30:02']);
  expect(formatTicks([at(10), at(10), at(11)])).toEqual(['20 Nov, 10:30:00', null, '20 Nov, 11:30:00']);
  expect(formatTicks([])).toEqual([]);
});
