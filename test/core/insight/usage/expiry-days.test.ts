/** What expires on which day, from the first day that is asked for to the last. */
import { expect, it } from 'vitest';
import { dayOf, ExpiryDays, MOST_CALENDAR_DAYS } from '../../../../src-core/insight/usage/expiry-days.ts';

const DAY_MS = 86_400_000;
const FIRST = 700_000;
const at = (day: number, ms = 0): number => (FIRST + day) * DAY_MS + ms;

it('each of the days has its records and bytes, and what comes before or after them is in none', () => {
  const days = new ExpiryDays(FIRST);
  for (const day of [-1, 0, 0, 45, MOST_CALENDAR_DAYS - 1, MOST_CALENDAR_DAYS]) days.add(at(day), 100);
  const found = Array.from({ length: MOST_CALENDAR_DAYS }, (_, day) => [
    ...days.values.subarray(day * 2, day * 2 + 2)
  ]);
  expect(found[0]).toEqual([2, 200]);
  expect(found[45]).toEqual([1, 100]);
  expect(found.at(-1)).toEqual([1, 100]);
  expect(found.reduce((sum, [records]) => sum + records!, 0)).toBe(4);
});

it('a day begins with its first millisecond and ends before that of the next', () => {
  expect([dayOf(at(0)), dayOf(at(0, DAY_MS - 1)), dayOf(at(1))]).toEqual([FIRST, FIRST, FIRST + 1]);
});

it('what was added can be taken back, and a copy stays as it is', () => {
  const days = new ExpiryDays(FIRST);
  days.add(at(3), 70);
  const copy = days.copy();
  days.add(at(3), 70, -1);
  expect([...days.values.subarray(6, 8)]).toEqual([0, 0]);
  expect([...copy.values.subarray(6, 8)]).toEqual([1, 70]);
  expect(copy.firstDay).toBe(FIRST);
});
