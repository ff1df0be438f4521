/**
 * The cells of a long log as a few paths: all of one look and one share together, so that ten thousand chunks are drawn,
 * and change their measure, at once. Pure.
 */
import type { MapLayout } from './map-layout.ts';

/** What a cell says by its look. */
export interface CellLook {
  /** Of the chosen measure, 0 to 1; null: not known. */
  share: number | null;
  isScavenged: boolean;
  /** Below the threshold: a scavenge would leave it as it is. */
  isLeft: boolean;
}

export interface CellPaths {
  /** Classes of the look, separated by spaces. */
  look: string;
  /** The same for all cells of the path, in steps. */
  share: number;
  /** Whole cells. */
  ground: string;
  /** Their filled part from the bottom up; empty where cells are too small to show one. */
  fill: string;
}

/** Shades between nothing and all. */
const STEPS = 10;
/** From this side on a cell shows its share by how far it is filled; below by its shade. */
const LEAST_FILLED_SIDE = 8;

export const showsFill = (side: number): boolean => side >= LEAST_FILLED_SIDE;

/** `lookOf` is asked once for each place; null: nothing is drawn there. */
export function cellPaths(layout: MapLayout, lookOf: (index: number) => CellLook | null): CellPaths[] {
  const groups = new Map<string, { look: string; share: number; ground: string[]; fill: string[] }>();
  const isFilled = showsFill(layout.side);
  for (let index = 0; index < layout.left.length; index++) {
    const look = lookOf(index);
    if (look === null) continue;
    const share = look.share === null ? 0 : Math.round(look.share * STEPS) / STEPS;
    const words = [
      look.share === null ? 'unknown' : 'known',
      ...(look.isScavenged ? ['scavenged'] : []),
      ...(look.isLeft ? ['left'] : [])
    ].join(' ');
    const key = `${words} ${share}`;
    let group = groups.get(key);
    if (!group) groups.set(key, (group = { look: words, share, ground: [], fill: [] }));
    const [x, y, width] = [layout.left[index] ?? 0, layout.top[index] ?? 0, layout.width[index] ?? 0];
    group.ground.push(`M${x} ${y}h${width}v${layout.side}h${-width}z`);
    const filled = isFilled ? Math.round(share * layout.side) : 0;
    if (filled > 0) group.fill.push(`M${x} ${y + layout.side}v${-filled}h${width}v${filled}z`);
  }
  return [...groups.values()].map(({ look, share, ground, fill }) => ({
    look,
    share,
    ground: ground.join(''),
    fill: fill.join('')
  }));
}
