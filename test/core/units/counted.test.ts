import { expect, it } from 'vitest';
import { counted } from '../../../src-core/units/counted.ts';

it.each([
  [0, 'record', undefined, '0 records'],
  [1, 'record', undefined, '1 record'],
  [2, 'record', undefined, '2 records'],
  [1, 'entry', 'entries', '1 entry'],
  [3, 'file is', 'files are', '3 files are']
])('%d %s, %s: "%s" is said', (count, singular, plural, words) => {
  expect(counted(count, singular, plural)).toBe(words);
});
