import { expect, test } from 'vitest';
import { isWholeClockTime, parseClockTime, stepClockTime } from '../../../src-renderer/format/clock-time.ts';

test('a time is read as people type it, and written with 24 hours', () => {
  const typed = ['6', '06', '6:30', '630', '0630', '06.30', ' 18h05 ', '00:00', '23:59'];
  expect(typed.map(parseClockTime)).toEqual(
    ['06:00', '06:00', '06:30', '06:30', '06:30', '06:30', '18:05', '00:00', '23:59'] //
  );
});

test('what is no time of day is none', () => {
  for (const typed of ['', '24:00', '6:60', '99', '6:3', 'noon', '6:30 PM', '-1', '12345'])
    expect(parseClockTime(typed), typed).toBeUndefined();
});

test('a time is whole once nothing more is expected', () => {
  expect(['6', '06', '063', '06:', '06:3'].filter(isWholeClockTime)).toEqual([]);
  expect(['6:30', '0630', '06:30'].every(isWholeClockTime)).toBe(true);
});

test('steps go round, and the minutes leave the hour alone', () => {
  expect(stepClockTime('23:59', { hours: 1 })).toBe('00:59');
  expect(stepClockTime('00:00', { hours: -1 })).toBe('23:00');
  expect(stepClockTime('06:59', { minutes: 1 })).toBe('06:00');
});
