/** The names of which most is removed: however many there are, all items together are the total. */
import { describe, expect, it } from 'vitest';
import { LargestRemoved } from '../../../../src-core/insight/removal/largest-removed.ts';
import { RemovedColumn, SUM_COLUMNS } from '../../../../src-core/insight/removal/removed-row.ts';
import { OTHERS_ITEM } from '../../../../src-core/insight/usage/usage-items.ts';
import { Random } from '../../../../src-core/sample/random.ts';
import { REMOVAL_RULES } from '../../../../src-core/units/scavenge-terms.ts';
import { seedList } from '../../../support/seeds.ts';

interface Row {
  name: string;
  /** Of the first and of the last rule. */
  bytes: [number, number];
}

/** One record for each rule that removes something. */
function valuesOf({ bytes }: Row): Float64Array {
  const values = new Float64Array(SUM_COLUMNS);
  for (const [at, rule] of [0, REMOVAL_RULES.length - 1].entries()) {
    values[RemovedColumn.records + rule] = bytes[at] === 0 ? 0 : 1;
    values[RemovedColumn.bytes + rule] = bytes[at]!;
  }
  values[RemovedColumn.streams] = 1;
  return values;
}

const sizeOf = ({ bytes }: Row): number => bytes[0] + bytes[1];
const largestFirst = (rows: readonly Row[]): Row[] =>
  [...rows].sort((a, b) => sizeOf(b) - sizeOf(a) || (a.name < b.name ? -1 : 1));

function itemsOf(rows: readonly Row[], most: number) {
  const largest = new LargestRemoved(most);
  const asked: string[] = [];
  for (const row of rows) {
    largest.add(valuesOf(row), 0, () => {
      asked.push(row.name);
      return row.name;
    });
  }
  return { largest, asked };
}

const sum = (rows: readonly { bytes: number; streams: number; records: number }[]) => ({
  bytes: rows.reduce((all, { bytes }) => all + bytes, 0),
  streams: rows.reduce((all, { streams }) => all + streams, 0),
  records: rows.reduce((all, { records }) => all + records, 0)
});

describe('of many names', () => {
  it.each(seedList(4))('the largest are told by name, and the rest as one: seed %i', (seed) => {
    const random = new Random(seed);
    const rows = Array.from({ length: 40 }, (_, i): Row => ({
      name: `n-${String(i).padStart(2, '0')}`,
      bytes: [random.below(5), 1 + random.below(8)]
    }));
    for (const most of [1, 2, 7, 20, 39, 40, 100]) {
      const { items, itemCount } = itemsOf(rows, most).largest.items();
      const expected = largestFirst(rows);
      const named = expected.slice(0, most).map(({ name, bytes }) => [name, bytes[0] + bytes[1], 1]);
      const others = expected.slice(most);
      if (others.length > 0)
        named.push([OTHERS_ITEM, others.reduce((all, row) => all + sizeOf(row), 0), others.length]);
      expect(items.map(({ name, bytes, streams }) => [name, bytes, streams])).toEqual(named);
      expect(itemCount).toBe(rows.length);
      expect(sum(items)).toEqual({
        bytes: rows.reduce((all, row) => all + sizeOf(row), 0),
        streams: rows.length,
        records: rows.reduce((all, { bytes }) => all + (bytes[0] > 0 ? 2 : 1), 0)
      });
    }
  });

  it('only those are asked for that may be among the largest', () => {
    const row = (name: string, bytes: number): Row => ({ name, bytes: [0, bytes] });
    const rows = [row('c', 5), row('d', 9), row('e', 1), row('a', 5), row('f', 4), row('b', 9), row('g', 8)];
    const { largest, asked } = itemsOf(rows, 2);
    expect(asked).toEqual(['c', 'd', 'e', 'a', 'b', 'g']);
    expect(largest.items().items.map(({ name, bytes }) => [name, bytes])).toEqual([
      ['b', 9],
      ['d', 9],
      [OTHERS_ITEM, 23]
    ]);
  });
});

it('what has no name any more is told among the rest, however few the others are', () => {
  const { largest } = itemsOf([{ name: 'a', bytes: [0, 3] }], 10);
  largest.addToOthers(valuesOf({ name: '', bytes: [7, 2] }), 0);
  expect(largest.items()).toMatchObject({
    items: [
      { name: 'a', bytes: 3 },
      { name: OTHERS_ITEM, bytes: 9, records: 2, streams: 1 }
    ],
    itemCount: 2
  });
  expect(new LargestRemoved(10).items()).toEqual({ items: [], itemCount: 0 });
});
