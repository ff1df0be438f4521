/** Sentences of the engine have plain digits; the window writes them as all its numbers, and leaves names alone. */
import { afterEach, expect, test } from 'vitest';
import { setNumberStyle } from '../../../src-renderer/format/number-style.svelte.ts';
import { groupedNumbers } from '../../../src-renderer/format/sentence-numbers.ts';

afterEach(() => setNumberStyle('comma'));

test.each([
  ['The log is cut at position 67110180 here.', 'The log is cut at position 67,110,180 here.'],
  ['Chunk 0 has weight 2458; the threshold is 0.', 'Chunk 0 has weight 2,458; the threshold is 0.'],
  [
    '249 records (43233 bytes), of 9223372036854775807',
    '249 records (43,233 bytes), of 9,223,372,036,854,775,807'
  ],
  [
    'It is before scavenge point 0 at position 67110180.',
    'It is before scavenge point 0 at position 67,110,180.'
  ]
])('a position or a size stands with separators: %s', (said, shown) => {
  expect(groupedNumbers(said)).toBe(shown);
});

test.each([
  'chunk-000063.000000 stays as it is.',
  'The old files are in /srv/db.before-restore-20261125T033006Z.',
  'Until 2026-11-25 04:14:17 UTC.',
  'It is open in kurrentd (process 24634).',
  'Nothing listens on 127.0.0.1:21130, port 21130.',
  'Stream order-000110, event 0x00112233, version 26.2.0.',
  'Read "12345678" and “87654321”.',
  '000123 begins with a zero.',
  '1,234,567.5 has separators already.'
])('what is no number of its own stays as it is: %s', (said) => {
  expect(groupedNumbers(said)).toBe(said);
});

test('in the way that was chosen for all numbers', () => {
  setNumberStyle('point');
  expect(groupedNumbers('at position 67110180.')).toBe('at position 67.110.180.');
});
