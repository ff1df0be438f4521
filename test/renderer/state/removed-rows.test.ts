import { expect, test } from 'vitest';
import { freedParts, removedCsv, removedRows } from '../../../src-renderer/state/scavenge/removed-rows.ts';

const byRule = [{ rule: 'maxAge' as const, records: 3, bytes: 300 }];
const removed = {
  records: 5,
  bytes: 500,
  byRule: [
    { rule: 'hardDelete' as const, records: 2, bytes: 200, streams: 1 },
    { ...byRule[0]!, streams: 2 }
  ],
  byCategory: { items: [], itemCount: 0 },
  byStream: {
    items: [
      { name: '=1+2', streams: 1, records: 3, bytes: 300, byRule },
      { name: 'a, "b"', streams: 1, records: 1, bytes: 150, byRule },
      { name: '(others)', streams: 4, records: 1, bytes: 50, byRule }
    ],
    itemCount: 6
  }
};

test('rows by rule come with the most bytes first, and only the last of the streams is the rest', () => {
  expect(removedRows(removed, 'rule').map(({ name }) => name)).toEqual(['maxAge', 'hardDelete']);
  expect(removedRows(removed, 'stream').map(({ isRest }) => isRest)).toEqual([false, false, true]);
});

test('the lines from the bytes of the records to those on the disk add up', () => {
  const parts = freedParts({ spaceSaved: { log: 450, index: 90, total: 540 } }, removed);
  expect(parts.records + parts.files + parts.index).toBe(parts.total);
});

test('a name in an exported file is quoted, and never a formula', () => {
  const lines = removedCsv(removedRows(removed, 'stream'), 'stream').split('\n');
  expect(lines.slice(0, 3)).toEqual([
    'stream,streams,records,bytes',
    `"'=1+2",1,3,300`,
    '"a, ""b""",1,1,150'
  ]);
});
