/**
 * Where the cells of the chunk map stand: lines of cells of one height, a merged file as wide as its chunks. Pure; asked by
 * what draws the cells, by the arrow keys and by a click, so that all three agree.
 */

export interface CellSize {
  /** Side of the cell of a single chunk, in pixels. */
  side: number;
  /** Between two cells, in pixels. */
  gap: number;
}

export interface MapLayout extends CellSize {
  /** Left edge, upper edge and width of each cell, in pixels. */
  left: Int32Array;
  top: Int32Array;
  width: Int32Array;
  /** Index of the first cell of each line. */
  lines: number[];
  height: number;
}

/** Smallest to largest. */
export const SIDES = [2, 3, 4, 6, 8, 10, 12, 18, 26, 36];
/** A short log is not drawn larger than this by itself. */
const LARGEST_FITTING = 18;
/** Below this a gap of two pixels would take more room than the cells. */
const NARROW_SIDE = 6;
/** Below this cells stand side by side as one area. */
const JOINED_SIDE = 4;
/** Widest cell, in chunks: a merged file of a hundred chunks must not fill the map. */
const WIDEST = 6;

export function cellSize(side: number): CellSize {
  return { side, gap: side < JOINED_SIDE ? 0 : side < NARROW_SIDE ? 1 : 2 };
}

/** `spans`: how many chunks each place holds, in the order of the log. */
export function layoutMap(spans: readonly number[], mapWidth: number, { side, gap }: CellSize): MapLayout {
  const left = new Int32Array(spans.length);
  const top = new Int32Array(spans.length);
  const width = new Int32Array(spans.length);
  const lines = spans.length > 0 ? [0] : [];
  let x = 0;
  let y = 0;
  for (const [index, span] of spans.entries()) {
    const chunks = Math.max(1, Math.min(WIDEST, span));
    const wide = chunks * side + (chunks - 1) * gap;
    if (x > 0 && x + wide > mapWidth) {
      x = 0;
      y += side + gap;
      lines.push(index);
    }
    left[index] = x;
    top[index] = y;
    width[index] = wide;
    x += wide + gap;
  }
  return { side, gap, left, top, width, lines, height: spans.length > 0 ? y + side : 0 };
}

/** Index into SIDES: the largest cells with which the whole log is seen at once; the smallest where none are. */
export function fittingStep(spans: readonly number[], mapWidth: number, mapHeight: number): number {
  for (let step = SIDES.indexOf(LARGEST_FITTING); step > 0; step--) {
    if (layoutMap(spans, mapWidth, cellSize(SIDES[step] ?? 1)).height <= mapHeight) return step;
  }
  return 0;
}

/** The cell under a point, the gap after it included; -1: none. */
export function cellAt(layout: MapLayout, x: number, y: number): number {
  const line = Math.floor(y / (layout.side + layout.gap));
  if (x < 0 || y < 0 || line >= layout.lines.length) return -1;
  const from = layout.lines[line] ?? 0;
  const end = layout.lines[line + 1] ?? layout.left.length;
  for (let index = from; index < end; index++) {
    if (x < (layout.left[index] ?? 0) + (layout.width[index] ?? 0) + layout.gap) return index;
  }
  return -1;
}

/** The cell above or below: the nearest one of the neighbouring line; the same where there is no such line. */
export function neighbourLine(layout: MapLayout, index: number, direction: 1 | -1): number {
  const line = layout.lines.findLastIndex((first) => first <= index) + direction;
  const from = layout.lines[line];
  if (from === undefined) return index;
  const end = layout.lines[line + 1] ?? layout.left.length;
  const distanceOf = (at: number): number => Math.abs((layout.left[at] ?? 0) - (layout.left[index] ?? 0));
  let best = from;
  for (let at = from + 1; at < end; at++) if (distanceOf(at) < distanceOf(best)) best = at;
  return best;
}
