/** The largest rows against sorting all of them. */
import { expect, test } from 'vitest';
import { GroupTable } from '../../../../src-core/insight/usage/group-table.ts';
import { LargestRows } from '../../../../src-core/insight/usage/largest-rows.ts';
import { Sum, SUM_COUNT } from '../../../../src-core/insight/usage/usage-sums.ts';

interface Row {
  name: string;
  bytes: number;
}

/** Few sizes, so that names decide; a name beyond the Basic Multilingual Plane sorts by its bytes. */
const ROWS: Row[] = Array.from({ length: 500 }, (_, at) => ({
  name: `${at % 7 === 0 ? '\u{1f600}' : '\uff5e'}${(at * 7919) % 500}`,
  bytes: 10 + ((at * 31) % 5)
}));

function tableOf(rows: readonly Row[]): GroupTable {
  const table = new GroupTable({ columnCount: SUM_COUNT + 2 });
  rows.forEach(({ name, bytes }, i) => {
    const written = Buffer.from(name);
    const at = table.numberOf(i * 7, i, written, 0, written.length);
    table.values[at * table.columnCount + Sum.records] = 1;
    table.values[at * table.columnCount + Sum.bytes] = bytes;
  });
  return table;
}

const sorted = (rows: readonly Row[]) =>
  [...rows].sort((a, b) => b.bytes - a.bytes || Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));

function found(largest: LargestRows): Row[] {
  const rows: Row[] = [];
  largest.forEach(({ name, values, row }) => rows.push({ name, bytes: values[row + Sum.bytes]! }));
  return sorted(rows);
}

test.each([1, 3, 99, 100, 250, 499, 500, 5000])('the %i largest of five tables', (most) => {
  const largest = new LargestRows(most);
  for (let from = 0; from < ROWS.length; from += 100) largest.addTable(tableOf(ROWS.slice(from, from + 100)));
  expect(largest.count).toBe(ROWS.length);
  expect(found(largest)).toEqual(sorted(ROWS).slice(0, most));
});

test('rows that are added one by one, without those that have no records', () => {
  const largest = new LargestRows(40);
  const values = new Float64Array(SUM_COUNT * 2);
  for (const { name, bytes } of ROWS) {
    values[SUM_COUNT + Sum.records] = 2;
    values[SUM_COUNT + Sum.bytes] = bytes;
    largest.add(name, values, SUM_COUNT);
    largest.add(`${name} without records`, values, 0);
  }
  expect(largest.count).toBe(ROWS.length);
  expect(found(largest)).toEqual(sorted(ROWS).slice(0, 40));
});
