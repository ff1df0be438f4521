/** The items of a count as the view Usage shows them: sorted as wished, and laid out as a map. */
import { hierarchy, treemap, treemapSquarify } from 'd3-hierarchy';
import type { UsageItemRow } from '../../src-main/ipc/contract.ts';

export type UsageKey = 'name' | 'records' | 'bytes' | 'discardable' | 'share' | 'index' | 'chunks';
export const USAGE_BYS = ['stream', 'category', 'type', 'link'] as const;
export type UsageBy = (typeof USAGE_BYS)[number];

/** More fields are too small to be told apart. */
const MOST_TILES = 240;
const GAP_PX = 2;
/** What a count calls the items beyond its limit. */
const OTHERS = '(others)';

export function shareOf({ discardableBytes, bytes }: UsageItemRow): number {
  return bytes === 0 ? 0 : discardableBytes / bytes;
}

const VALUES: Record<Exclude<UsageKey, 'name'>, (item: UsageItemRow) => number> = {
  records: ({ records }) => records,
  bytes: ({ bytes }) => bytes,
  discardable: ({ discardableBytes }) => discardableBytes,
  share: shareOf,
  index: ({ indexBytes }) => indexBytes,
  chunks: ({ firstChunk, lastChunk }) => lastChunk - firstChunk
};

export function sortItems(
  items: readonly UsageItemRow[],
  { key, isDescending }: { key: UsageKey; isDescending: boolean }
): UsageItemRow[] {
  const direction = isDescending ? -1 : 1;
  const byName = (a: UsageItemRow, b: UsageItemRow): number =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
  if (key === 'name') return items.toSorted((a, b) => direction * byName(a, b));
  const value = VALUES[key];
  return items.toSorted((a, b) => direction * (value(a) - value(b)) || byName(a, b));
}

export interface Tile {
  item: UsageItemRow;
  left: number;
  top: number;
  width: number;
  height: number;
}

interface Node {
  item?: UsageItemRow;
  children?: Node[];
}

/** Fields whose areas are as the sizes, the largest first. What is too small for one is left out. */
export function layOut(items: readonly UsageItemRow[], width: number, height: number): Tile[] {
  if (width <= 0 || height <= 0) return [];
  const largest = joinSmallest(items.toSorted((a, b) => b.bytes - a.bytes));
  const root = hierarchy<Node>({ children: largest.map((item) => ({ item })) }).sum(
    ({ item }) => item?.bytes ?? 0
  );
  const laid = treemap<Node>().tile(treemapSquarify).size([width, height]).paddingInner(GAP_PX).round(true)(
    root
  );
  return laid.leaves().flatMap(({ data, x0, y0, x1, y1 }) => {
    const isVisible = x1 - x0 >= 1 && y1 - y0 >= 1;
    return data.item && isVisible
      ? [{ item: data.item, left: x0, top: y0, width: x1 - x0, height: y1 - y0 }]
      : [];
  });
}

/** What is too much for the map joins what the count has joined already: the whole map is the whole log. */
function joinSmallest(sorted: readonly UsageItemRow[]): readonly UsageItemRow[] {
  if (sorted.length <= MOST_TILES) return sorted;
  const isKept = (item: UsageItemRow, at: number): boolean => at < MOST_TILES && item.name !== OTHERS;
  const rest = sorted.filter((item, at) => !isKept(item, at));
  const sum = (of: (item: UsageItemRow) => number): number =>
    rest.reduce((total, item) => total + of(item), 0);
  const others: UsageItemRow = {
    name: OTHERS,
    records: sum(({ records }) => records),
    bytes: sum(({ bytes }) => bytes),
    indexBytes: sum(({ indexBytes }) => indexBytes),
    discardableRecords: sum(({ discardableRecords }) => discardableRecords),
    discardableBytes: sum(({ discardableBytes }) => discardableBytes),
    firstChunk: Math.min(...rest.map(({ firstChunk }) => firstChunk)),
    lastChunk: Math.max(...rest.map(({ lastChunk }) => lastChunk))
  };
  return [...sorted.filter(isKept), others].toSorted((a, b) => b.bytes - a.bytes);
}

export type Direction = 'left' | 'right' | 'up' | 'down';

/** The nearest field in a direction; the same one at the edge. */
export function neighbour(tiles: readonly Tile[], from: number, direction: Direction): number {
  const here = tiles[from];
  if (!here) return 0;
  const centre = (tile: Tile) => ({ x: tile.left + tile.width / 2, y: tile.top + tile.height / 2 });
  const { x, y } = centre(here);
  let best = from;
  let least = Infinity;
  tiles.forEach((tile, at) => {
    const away = {
      left: here.left - (tile.left + tile.width),
      right: tile.left - (here.left + here.width),
      up: here.top - (tile.top + tile.height),
      down: tile.top - (here.top + here.height)
    }[direction];
    if (at === from || away < -GAP_PX) return;
    const other = centre(tile);
    const aside =
      direction === 'left' || direction === 'right' ? Math.abs(other.y - y) : Math.abs(other.x - x);
    const distance = Math.max(0, away) + aside;
    if (distance < least) [best, least] = [at, distance];
  });
  return best;
}
