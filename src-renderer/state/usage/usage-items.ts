/** The items of a count as the view Usage shows them: sorted as wished, and laid out as a map. */
import { hierarchy, treemap, treemapSquarify } from 'd3-hierarchy';
import type { UsageItemRow } from '../../../src-main/contract/verbs/workbench-contract.ts';

export type UsageKey = 'name' | 'records' | 'bytes' | 'discardable' | 'share' | 'index' | 'chunks';
export const USAGE_BYS = ['stream', 'category', 'type', 'link'] as const;
export type UsageBy = (typeof USAGE_BYS)[number];

/** More fields are too small to be told apart. */
const MOST_TILES = 240;
/** A smaller field can neither be seen nor be pointed at. */
const LEAST_AREA_PX = 240;
const GAP_PX = 2;

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

/** What a cell stands for in an export. */
export function valueOfItem(item: UsageItemRow, key: UsageKey): string | number {
  return key === 'name' ? item.name : VALUES[key](item);
}

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
  /** One item of the count; or the sum of those that would have fields too small to be told apart. */
  item: UsageItemRow;
  /** The items of a field that stands for many, the largest first; each has a row of its own in the table. */
  joined: readonly UsageItemRow[] | null;
  left: number;
  top: number;
  width: number;
  height: number;
}

interface Node {
  field?: Pick<Tile, 'item' | 'joined'>;
  children?: Node[];
}

/** Fields whose areas are as the sizes, the largest first. What is too small for one is left out. */
export function layOut(items: readonly UsageItemRow[], width: number, height: number): Tile[] {
  if (width <= 0 || height <= 0) return [];
  const fields = joinSmallest(
    items.toSorted((a, b) => b.bytes - a.bytes),
    width * height
  );
  const root = hierarchy<Node>({ children: fields.map((field) => ({ field })) }).sum(
    ({ field }) => field?.item.bytes ?? 0
  );
  const laid = treemap<Node>().tile(treemapSquarify).size([width, height]).paddingInner(GAP_PX).round(true)(
    root
  );
  return laid.leaves().flatMap(({ data, x0, y0, x1, y1 }) => {
    const isVisible = x1 - x0 >= 1 && y1 - y0 >= 1;
    return data.field && isVisible
      ? [{ ...data.field, left: x0, top: y0, width: x1 - x0, height: y1 - y0 }]
      : [];
  });
}

/**
 * What is too much for the map is one field of it, so that the whole map is the whole log. It has no name: the items of
 * the count, "(others)" among them, mean the same in the map as in the table.
 */
function joinSmallest(sorted: readonly UsageItemRow[], areaPx: number): Pick<Tile, 'item' | 'joined'>[] {
  const bytes = sorted.reduce((all, item) => all + item.bytes, 0);
  const large = sorted.findIndex((item) => (item.bytes / bytes) * areaPx < LEAST_AREA_PX);
  const count = Math.min(MOST_TILES, large < 0 ? sorted.length : large);
  const alone = sorted.length - count === 1 ? count + 1 : count; // one is not many
  const single = sorted.slice(0, alone).map((item) => ({ item, joined: null }));
  const rest = sorted.slice(alone);
  if (rest.length === 0) return single;
  const sum = (of: (item: UsageItemRow) => number): number =>
    rest.reduce((total, item) => total + of(item), 0);
  const item: UsageItemRow = {
    name: '',
    records: sum(({ records }) => records),
    bytes: sum(({ bytes }) => bytes),
    indexBytes: sum(({ indexBytes }) => indexBytes),
    discardableRecords: sum(({ discardableRecords }) => discardableRecords),
    discardableBytes: sum(({ discardableBytes }) => discardableBytes),
    firstChunk: Math.min(...rest.map(({ firstChunk }) => firstChunk)),
    lastChunk: Math.max(...rest.map(({ lastChunk }) => lastChunk))
  };
  return [...single, { item, joined: rest }].sort((a, b) => b.item.bytes - a.item.bytes);
}

/** The item that a field stands for in the table: of many the largest. */
export function itemOfTile({ item, joined }: Tile): UsageItemRow {
  return joined?.[0] ?? item;
}

/** Index of the field in which an item lies; -1 where none is chosen or its field would be too small. */
export function tileOf(tiles: readonly Tile[], name: string | null): number {
  return tiles.findIndex(({ item, joined }) =>
    joined ? joined.some((one) => one.name === name) : item.name === name
  );
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
