import { expect, test } from 'vitest';
import { formatBytes, formatBytesChange } from '../../../src-renderer/format/bytes.ts';

test.each([
  [0, '0 B'],
  [1023, '1,023 B'],
  [1024, '1.00 KiB'],
  [12_345, '12.1 KiB'],
  [1_048_000, '1,023 KiB'],
  [1_048_200, '1.00 MiB'],
  [13_400_000_000, '12.5 GiB'],
  [4_100_000_000, '3.82 GiB'],
  [2 ** 53, '8.00 PiB'],
  [-5_000_000, '−4.77 MiB']
])('writes %d bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test('gives a change its sign and no change no text', () => {
  expect(formatBytesChange(2000)).toBe('+1.95 KiB');
  expect(formatBytesChange(-2000)).toBe('−1.95 KiB');
  expect(formatBytesChange(0)).toBe('');
});
