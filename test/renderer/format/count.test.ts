import { expect, test } from 'vitest';
import { formatCount, formatShare } from '../../../src-renderer/format/count.ts';
import { formatNoun } from '../../../src-renderer/format/noun.ts';

test('groups thousands and keeps every digit of a number beyond doubles', () => {
  expect(formatCount(1234567)).toBe('1,234,567');
  expect(formatCount('9223372036854775807')).toBe('9,223,372,036,854,775,807');
});

test('counts nouns', () => {
  expect(formatNoun(1, 'chunk')).toBe('1 chunk');
  expect(formatNoun(55, 'chunk')).toBe('55 chunks');
  expect(formatNoun(2, 'indexEntry')).toBe('2 index entries');
});

test.each([
  [0, '0 %'],
  [0.0001, '< 0.1 %'],
  [0.034, '3.4 %'],
  [0.5, '50 %'],
  [0.9999, '> 99.9 %'],
  [1, '100 %'],
  [NaN, '']
])('writes the share %d as "%s"', (share, text) => {
  expect(formatShare(share)).toBe(text);
});
