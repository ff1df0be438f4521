/**
 * The bars of the chart of weights: one for each place of the log, or, where there are more places than room, one for
 * several with the heaviest of them. Pure: places in, rectangles as paths out, so that ten thousand chunks are a few paths.
 */
import type { WeighedPlace } from './chunk-fate.ts';

export interface ChartSize {
  width: number;
  height: number;
  /** The weight at the upper edge. */
  most: number;
}

/** Pixels of the narrowest bar with its gap. */
const LEAST_SLOT = 3;
/** A weight of 0, and one that is not known, still show that there is a chunk. */
const LEAST_HEIGHT = 1;

export type BarKind = WeighedPlace['fate'];
export type BarPaths = Readonly<Record<BarKind, string>>;

/** Which bar wins where several share one: what is wrong, then what would be rewritten. */
const RANK: Record<BarKind, number> = { gap: 5, rewritten: 4, keptLarger: 3, left: 2, unknown: 1, active: 0 };

export function barCount(places: number, width: number): number {
  return Math.max(1, Math.min(places, Math.floor(width / LEAST_SLOT)));
}

export function barPaths(places: readonly WeighedPlace[], { width, height, most }: ChartSize): BarPaths {
  const paths: Record<BarKind, string[]> = {
    rewritten: [],
    left: [],
    keptLarger: [],
    active: [],
    unknown: [],
    gap: []
  };
  const bars = barCount(places.length, width);
  const slot = width / bars;
  const gap = slot >= 5 ? 1.5 : 1;
  for (let bar = 0; bar < bars && places.length > 0; bar++) {
    const end = Math.max(bar + 1, Math.floor(((bar + 1) * places.length) / bars));
    let weight = 0;
    let kind: BarKind = 'active';
    for (let at = Math.floor((bar * places.length) / bars); at < end; at++) {
      const place = places[at];
      if (!place) continue;
      weight = Math.max(weight, place.weight ?? 0);
      if (RANK[place.fate] >= RANK[kind]) kind = place.fate;
    }
    const share = most > 0 ? Math.min(1, weight / most) : 0;
    const top = kind === 'gap' ? 0 : height - Math.max(LEAST_HEIGHT, share * height);
    paths[kind].push(
      `M${rounded(bar * slot)} ${height}V${rounded(top)}h${rounded(Math.max(1, slot - gap))}V${height}z`
    );
  }
  return {
    rewritten: paths.rewritten.join(''),
    left: paths.left.join(''),
    keptLarger: paths.keptLarger.join(''),
    active: paths.active.join(''),
    unknown: paths.unknown.join(''),
    gap: paths.gap.join('')
  };
}

/** The place under a point; of several in one bar the heaviest. undefined: there are none. */
export function placeUnder(
  places: readonly WeighedPlace[],
  x: number,
  width: number
): WeighedPlace | undefined {
  const bars = barCount(places.length, width);
  const bar = Math.max(0, Math.min(bars - 1, Math.floor((x / Math.max(1, width)) * bars)));
  const from = Math.floor((bar * places.length) / bars);
  const shared = places.slice(from, Math.max(from + 1, Math.floor(((bar + 1) * places.length) / bars)));
  return shared.reduce<WeighedPlace | undefined>(
    (best, place) => (best === undefined || (place.weight ?? -1) > (best.weight ?? -1) ? place : best),
    undefined
  );
}

/** Left edge and width of the bar of a place, in pixels. */
export function slotOf(index: number, places: number, width: number): { left: number; width: number } {
  const bars = barCount(places, width);
  // The same division as barPaths: the bar whose half-open range of places holds the index.
  let bar = Math.min(bars - 1, Math.floor((index * bars) / Math.max(1, places)));
  while (bar + 1 < bars && Math.floor(((bar + 1) * places) / bars) <= index) bar++;
  return { left: (bar * width) / bars, width: width / bars };
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
