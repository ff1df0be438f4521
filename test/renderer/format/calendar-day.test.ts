import { expect, test } from 'vitest';
import { isWholeDay, parseDay, stepDay } from '../../../src-renderer/format/calendar-day.ts';

test('a day is read year first as people type it, and written with dashes', () => {
  const typed = ['2026-01-31', '2026-1-31', '20260131', '2026/01/31', '2026.1.31', ' 2026 01 31 '];
  expect(typed.map(parseDay)).toEqual(Array<string>(6).fill('2026-01-31'));
});

test('what is no day of the calendar is none', () => {
  for (const typed of [
    '',
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '01/31/2026',
    '31.1.2026',
    '2026-01',
    'today'
  ])
    expect(parseDay(typed), typed).toBeUndefined();
});

test('a day is whole once nothing more is expected', () => {
  expect(['2026-01-3', '2026-1-3', '2026013', '2026-01-'].filter(isWholeDay)).toEqual([]);
  expect(['2026-01-31', '2026-1-31', '20260131'].every(isWholeDay)).toBe(true);
});

test('steps go over months and years, and stay within what can be written', () => {
  expect(stepDay('2026-12-31', 1)).toBe('2027-01-01');
  expect(stepDay('2024-03-01', -1)).toBe('2024-02-29');
  expect(stepDay('9999-12-31', 1)).toBe('9999-12-31');
});
