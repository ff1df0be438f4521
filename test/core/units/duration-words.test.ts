import { expect, it } from 'vitest';
import { durationWords } from '../../../src-core/units/duration-words.ts';

it.each([
  [0, '1 second'],
  [1, '1 second'],
  [1000, '1 second'],
  [1001, '2 seconds'],
  [89_999, '90 seconds'],
  [90_000, '2 minutes'],
  [5_399_999, '90 minutes'],
  [5_400_000, '2 hours'],
  [90_000_000, '25 hours']
])('%d ms are %s', (ms, words) => {
  expect(durationWords(ms)).toBe(words);
});
