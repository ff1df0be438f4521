/** Names that come in the order of their hashes, as the streams of digests do: more of them than a table may hold. */
import { expect, it } from 'vitest';
import { GroupTable, HASH_END } from '../../../../src-core/insight/usage/group-table.ts';

const MOST = 2000;

/** Number `i` of `count` names, with a hash as far along the range. */
function nameAt(i: number, count: number) {
  const bytes = Buffer.from(`name-${i}`);
  return { high: Math.floor((i / count) * HASH_END), low: i, bytes };
}

function put(table: GroupTable, i: number, count: number): number {
  const { high, low, bytes } = nameAt(i, count);
  return table.numberOf(high, low, bytes, 0, bytes.length);
}

it.each([1.9, 3, 8.5, 20])('%s times as many as it holds: it gives up early what would not fit', (times) => {
  const count = Math.floor(MOST * times);
  const counted = new Set<string>();
  let passes = 0;
  for (let from = 0; from < HASH_END; passes++) {
    const table = new GroupTable({ columnCount: 1, from, mostNames: MOST });
    table.reserve(count);
    let isFirst = true;
    for (let i = 0; i < count; i++) {
      if (put(table, i, count) < 0 || !isFirst) continue;
      // Before it is full it is certain that it will be, and its slots are for the names that stay.
      if (table.count < MOST / 16) continue;
      isFirst = false;
      const share = (table.to - from) / HASH_END;
      expect(count * share).toBeLessThanOrEqual(MOST * 1.5);
    }
    expect(table.count).toBeLessThanOrEqual(MOST);
    for (let at = 0; at < table.count; at++) counted.add(table.name(at));
    from = table.to;
  }
  expect(counted.size).toBe(count);
  expect(passes).toBeLessThanOrEqual(4 * Math.ceil(times));
});

it('keeps all of its range while the names fit, in whatever order they come', () => {
  for (const step of [1, 7, 1999]) {
    const table = new GroupTable({ columnCount: 1, mostNames: MOST });
    table.reserve(MOST);
    for (let i = 0, at = 0; i < MOST; i++, at = (at + step) % MOST) put(table, at, MOST);
    expect([table.to, table.count]).toEqual([HASH_END, MOST]);
    const { high, low, bytes } = nameAt(17, MOST);
    expect(table.name(table.find(high, low, bytes, 0, bytes.length))).toBe('name-17');
  }
});
