/** Columns and digits of tables, whatever they are made with. */
import { expect, it } from 'vitest';
import { formatCount } from '../../../src-main/cli/byte-size.ts';
import { columnsOf } from '../../../src-main/cli/wide-text.ts';

it.each([
  ['', 0],
  ['order-1', 7],
  ['Bestellung-ä', 12],
  ['注文', 4],
  ['e\u0301', 1]
])('%j takes %i columns', (text, columns) => {
  expect(columnsOf(text)).toBe(columns);
});

it.each([0, 7, -7, 999, 1000, -1000, 123456, 1234567, -9876543210, Number.MAX_SAFE_INTEGER, 0.5, 1e21])(
  '%d is written as in English',
  (value) => {
    expect(formatCount(value)).toBe(value.toLocaleString('en-US'));
  }
);
