import { expect, test } from 'vitest';
import { formatDuration, formatSeconds, formatTimeLeft } from '../../../src-renderer/format/duration.ts';

test.each([
  [0.4, '0 ms'],
  [223, '223 ms'],
  [1500, '1.5 s'],
  [59_960, '1 min'],
  [192_000, '3 min 12 s'],
  [3_600_000, '1 h'],
  [90 * 60_000, '1 h 30 min'],
  [26 * 3_600_000, '1 d 2 h']
])('writes %d ms as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test.each([
  [500, 'about 1 s left'],
  [42_000, 'about 42 s left'],
  [180_000, 'about 3 min left'],
  [7_200_000, 'about 2 h left']
])('writes %d ms of time left as %s', (ms, text) => {
  expect(formatTimeLeft(ms)).toBe(text);
});

test.each([
  [1, '1 second'],
  [90, '90 seconds'],
  [120, '2 minutes'],
  [3600, '1 hour'],
  [2_592_000, '30 days']
])('writes a $maxAge of %d seconds as %s', (seconds, text) => {
  expect(formatSeconds(seconds)).toBe(text);
});
