import { expect, test } from 'vitest';
import { csvLine, jsonObject, tabbedLine } from '../../../src-renderer/format/table-text.ts';

test('no name ends a line, splits a cell or becomes a formula of a spreadsheet', () => {
  expect(tabbedLine(['a\tb', '=1+1', 7, null])).not.toMatch(/\t.*\t.*\t.*\t/);
  expect(tabbedLine(['=1+1'])).toBe("'=1+1");
  expect(csvLine(['a,"b"', '@x', 7, null, true])).toBe('"a,""b""",\'@x,7,,true\r\n');
});

test('JSON has every value as it is', () => {
  expect(jsonObject(['name', 'size', 'more'], ['=1\n', 7])).toBe('{"name":"=1\\n","size":7,"more":null}');
});
