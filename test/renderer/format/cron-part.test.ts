import { expect, test } from 'vitest';
import { cronPartInWords } from '../../../src-renderer/format/cron-part.ts';

test.each([
  ['*', 0, 'every minute'],
  ['30', 0, ':30'],
  ['*/5', 0, 'every 5 minutes'],
  ['6', 1, '06 h'],
  ['8-18/2', 1, 'every 2 hours, 08 h to 18 h'],
  ['1,15', 2, 'day 1, day 15'],
  ['jan-3', 3, 'Jan to Mar'],
  ['SAT', 4, 'Sat'],
  ['7', 4, 'Sun'],
  ['*', 4, 'any day']
])('%s in place %i is "%s"', (part, index, words) => {
  expect(cronPartInWords(part, index)).toBe(words);
});

test('a part that is not typed yet says which values it may have', () => {
  expect(cronPartInWords(undefined, 2)).toBe('1–31');
  expect(cronPartInWords('', 4)).toBe('0–6 or SUN–SAT');
});
