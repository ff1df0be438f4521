import { expect, test } from 'vitest';
import { formatChunkRange, formatOffset, formatPosition } from '../../../src-renderer/format/position.ts';
import { visibleText } from '../../../src-renderer/format/visible-text.ts';

test('writes positions in groups, offsets in hexadecimal and chunks as a range', () => {
  expect(formatPosition(67_110_180)).toBe('67,110,180');
  expect(formatOffset(128)).toBe('0x00000080');
  expect(formatOffset(0x123456789)).toBe('0x123456789');
  expect(formatChunkRange(7, 7)).toBe('7');
  expect(formatChunkRange(7, 9)).toBe('7–9');
});

test('makes characters visible that would hide or reorder a name', () => {
  expect(visibleText('order-1')).toBe('order-1');
  expect(visibleText('a\u001b[31mb\u202ec\n')).toBe('a\\x1b[31mb\\u202ec\\n');
  expect(visibleText('zürich-日本')).toBe('zürich-日本');
});
