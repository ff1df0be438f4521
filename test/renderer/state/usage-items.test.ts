import { expect, test } from 'vitest';
import type { UsageItemRow } from '../../../src-main/contract/verbs/workbench-contract.ts';
import {
  itemOfTile,
  layOut,
  neighbour,
  shareOf,
  sortItems,
  tileOf
} from '../../../src-renderer/state/usage/usage-items.ts';

const item = (name: string, bytes: number, discardableBytes = 0): UsageItemRow => ({
  name,
  records: 1,
  bytes,
  indexBytes: 24,
  discardableRecords: 0,
  discardableBytes,
  firstChunk: 0,
  lastChunk: 0
});

test('fields have areas like the sizes, and none lies over another', () => {
  const tiles = layOut([item('a', 600), item('b', 300), item('c', 100)], 402, 300);
  const area = tiles.map(({ width, height }) => width * height);
  expect(tiles.map(({ item: { name } }) => name)).toEqual(['a', 'b', 'c']);
  expect(area[0]! / area[1]!).toBeCloseTo(2, 0);
  for (const one of tiles) {
    for (const other of tiles) {
      if (one === other) continue;
      const isApart =
        one.left + one.width <= other.left ||
        other.left + other.width <= one.left ||
        one.top + one.height <= other.top ||
        other.top + other.height <= one.top;
      expect(isApart).toBe(true);
    }
  }
  expect(layOut([item('a', 1)], 0, 10)).toEqual([]);
  expect(layOut([], 100, 100)).toEqual([]);
});

test('what is too much for the map is one field of it, and the others of the count mean what they mean', () => {
  const items = [
    item('(others)', 50, 10),
    ...Array.from({ length: 400 }, (_, i) => item(`s-${i}`, 100 + i, 1))
  ];
  const tiles = layOut(items, 1200, 900);
  const bytes = (of: readonly UsageItemRow[]) => of.reduce((sum, { bytes: one }) => sum + one, 0);
  expect(bytes(tiles.map((tile) => tile.item))).toBe(bytes(items));
  const joined = tiles.filter((tile) => tile.joined);
  expect(joined).toHaveLength(1);
  expect(joined[0]!.joined).toContainEqual(items[0]);
  expect(joined[0]!.item).toMatchObject({ name: '', records: joined[0]!.joined!.length });
  // With more in them the others have a field of their own, of just what the table says of them.
  const large = layOut([item('(others)', 5000, 10), ...items.slice(1)], 1200, 900);
  expect(large.find((tile) => tile.item.name === '(others)')?.item).toEqual(item('(others)', 5000, 10));
  expect(bytes(large.map((tile) => tile.item))).toBe(bytes(items) + 4950);
  expect(tiles.length).toBeLessThan(300);
});

test('each item lies in a field, and the field of many is the row of its largest', () => {
  const items = Array.from({ length: 400 }, (_, i) => item(`s-${i}`, 100 + i, 1));
  const tiles = layOut(items, 1200, 900);
  expect(tiles[tileOf(tiles, 's-399')]!.item.name).toBe('s-399');
  const many = tiles[tileOf(tiles, 's-0')]!;
  expect(many.joined).not.toBeNull();
  expect(itemOfTile(many).name).toBe('s-159');
  expect(tileOf(tiles, null)).toBe(-1);
});

test('arrows lead to the nearest field and stay at the edge', () => {
  const tiles = [
    { item: item('left', 1), joined: null, left: 0, top: 0, width: 100, height: 100 },
    { item: item('right above', 1), joined: null, left: 102, top: 0, width: 50, height: 49 },
    { item: item('right below', 1), joined: null, left: 102, top: 51, width: 50, height: 49 }
  ];
  expect(neighbour(tiles, 1, 'down')).toBe(2);
  expect(neighbour(tiles, 2, 'up')).toBe(1);
  expect(neighbour(tiles, 2, 'left')).toBe(0);
  expect(neighbour(tiles, 0, 'left')).toBe(0);
  expect([1, 2]).toContain(neighbour(tiles, 0, 'right'));
});

test('items are sorted by what can go, by its share, and by name', () => {
  const items = [item('b', 100, 10), item('a', 10, 5), item('c', 50)];
  const names = (key: 'discardable' | 'share' | 'name', isDescending: boolean) =>
    sortItems(items, { key, isDescending }).map(({ name }) => name);
  expect(names('discardable', true)).toEqual(['b', 'a', 'c']);
  expect(names('share', true)).toEqual(['a', 'b', 'c']);
  expect(names('name', false)).toEqual(['a', 'b', 'c']);
  expect(shareOf(item('empty', 0))).toBe(0);
});
