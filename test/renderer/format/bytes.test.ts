import { expect, test } from 'vitest';
import { formatBytes, formatBytesChange } from '../../../src-renderer/format/bytes.ts';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.00 kB'],
  [12_345, '12.3 kB'],
  [999_499, '999 kB'],
  [999_600, '1.00 MB'],
  [13_400_000_000, '13.4 GB'],
  [4_100_000_000, '4.10 GB'],
  [2 ** 53, '9.01 PB'],
  [-5_000_000, '−5.00 MB']
])('writes %d bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test('gives a change its sign and no change no text', () => {
  expect(formatBytesChange(2000)).toBe('+2.00 kB');
  expect(formatBytesChange(-2000)).toBe('−2.00 kB');
  expect(formatBytesChange(0)).toBe('');
});
