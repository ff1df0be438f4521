/**
 * How the columns of a table stand: which are shown, in which order, how wide. Pure; what is kept comes from the page's
 * storage and is checked, and a column that a later version adds stands where it stands by default.
 */
import type { Column } from './table-column.ts';

export interface ColumnLayout {
  /** Keys of columns that were moved, with all others at that time; empty: the default order. */
  order: readonly string[];
  /** Chosen or hidden by a person; the others as the table decides. */
  shown: Readonly<Record<string, boolean>>;
  /** Pixels, of columns whose edge was dragged. */
  widths: Readonly<Record<string, number>>;
}

export const DEFAULT_LAYOUT: ColumnLayout = { order: [], shown: {}, widths: {} };
export const LEAST_WIDTH = 36;
const MOST_WIDTH = 2000;
/** One step of a key. */
export const WIDTH_STEP = 16;
export const COLUMN_GAP = 12;
/** Beside the columns of a row: its edge and the button of its menu. */
export const ROW_EDGES = 52;
/** Beside the columns of a table: the same, and the scroll bar, whose room is kept. */
export const TABLE_EDGES = ROW_EDGES + 12;
/** A column that gives room keeps this share of its least width. */
const LEAST_SHARE = 0.6;

export function isDefault({ order, shown, widths }: ColumnLayout): boolean {
  return order.length === 0 && Object.keys(shown).length === 0 && Object.keys(widths).length === 0;
}

/** What cannot be understood is left out. */
export function parseLayout(text: string | null): ColumnLayout {
  try {
    const kept = JSON.parse(text ?? 'null') as Partial<Record<keyof ColumnLayout, unknown>> | null;
    if (typeof kept !== 'object' || kept === null) return DEFAULT_LAYOUT;
    const order = Array.isArray(kept.order) ? kept.order.filter((key) => typeof key === 'string') : [];
    return {
      order,
      shown: entriesOf(kept.shown, (value) => typeof value === 'boolean'),
      widths: entriesOf(kept.widths, (value) => typeof value === 'number' && Number.isFinite(value))
    };
  } catch {
    return DEFAULT_LAYOUT;
  }
}

function entriesOf<Value>(kept: unknown, isWanted: (value: unknown) => boolean): Record<string, Value> {
  if (typeof kept !== 'object' || kept === null) return {};
  return Object.fromEntries(
    Object.entries(kept as Record<string, Value>).filter(([, value]) => isWanted(value))
  );
}

type AnyColumn = Pick<Column, 'key' | 'width' | 'dropBelow' | 'isOptional'>;

/** All columns in the order of the layout. */
export function orderedColumns<C extends AnyColumn>(columns: readonly C[], { order }: ColumnLayout): C[] {
  const ordered = order
    .map((key) => columns.find((column) => column.key === key))
    .filter((column) => column !== undefined);
  for (const [at, column] of columns.entries()) {
    if (ordered.includes(column)) continue;
    const before = columns[at - 1];
    ordered.splice(before ? ordered.indexOf(before) + 1 : 0, 0, column);
  }
  return ordered;
}

/** Whether a column is wanted, room or not. */
export function isChosen({ key, isOptional }: AnyColumn, { shown }: ColumnLayout): boolean {
  return shown[key] ?? isOptional !== true;
}

/** The columns of a table of this width in pixels, in order; one stays at least. */
export function shownColumns<C extends AnyColumn>(
  columns: readonly C[],
  layout: ColumnLayout,
  width: number
): C[] {
  const ordered = orderedColumns(columns, layout);
  const canGo = ({ key, dropBelow }: C): boolean => dropBelow !== undefined && layout.shown[key] !== true;
  let shown = ordered.filter(
    (column) =>
      isChosen(column, layout) && (width === 0 || !canGo(column) || width >= (column.dropBelow ?? 0))
  );
  // One that would make the table scroll goes before its bound: dragged columns may take its room, too.
  while (width > 0 && leastWidthOf(shown, layout) + TABLE_EDGES > width) {
    const [next] = shown.filter(canGo).sort((a, b) => b.dropBelow! - a.dropBelow!);
    if (!next) break;
    shown = shown.filter((column) => column !== next);
  }
  return shown.length > 0 ? shown : ordered.slice(0, 1);
}

/**
 * The columns as tracks of a grid, and the pixels that they need at least. Where a table is a little too narrow, the columns
 * that can grow give of their least width before it scrolls sideways.
 */
export function fittedTracks(
  columns: readonly AnyColumn[],
  layout: ColumnLayout,
  width: number
): { tracks: string; leastWidth: number } {
  const tracks = columns.map((column) => trackOf(column, layout));
  const leastWidth = leastWidthOf(columns, layout);
  const missing = leastWidth + TABLE_EDGES - width;
  const flexible = tracks.reduce((sum, track) => sum + (isFlexible(track) ? pixelsOf(track) : 0), 0);
  if (width === 0 || missing <= 0 || flexible === 0) return { tracks: tracks.join(' '), leastWidth };
  const share = Math.max(LEAST_SHARE, 1 - missing / flexible);
  const narrower = tracks.map((track) =>
    isFlexible(track) ? track.replace(/\d+(?:\.\d+)?px/, `${Math.floor(pixelsOf(track) * share)}px`) : track
  );
  const given = tracks.reduce((sum, track, i) => sum + pixelsOf(track) - pixelsOf(narrower[i]!), 0);
  return { tracks: narrower.join(' '), leastWidth: leastWidth - given };
}

function isFlexible(track: string): boolean {
  return track.startsWith('minmax(');
}

function pixelsOf(track: string): number {
  return Number(/^(?:minmax\()?(\d+(?:\.\d+)?)px/.exec(track)?.[1] ?? 0);
}

export function trackOf({ key, width }: AnyColumn, { widths }: ColumnLayout): string {
  const dragged = widths[key];
  return dragged === undefined ? width : `${dragged}px`;
}

/** Pixels that the columns need at least, with the gaps between them: below that the table scrolls sideways. */
export function leastWidthOf(columns: readonly AnyColumn[], layout: ColumnLayout): number {
  const sum = columns.reduce((all, column) => all + pixelsOf(trackOf(column, layout)), 0);
  return sum + Math.max(0, columns.length - 1) * COLUMN_GAP;
}

/** `key` before or after its neighbours: `to` is its index among `keys`, which are all that count (shown ones). */
export function withMoved(
  layout: ColumnLayout,
  {
    columns,
    keys,
    key,
    to
  }: { columns: readonly AnyColumn[]; keys: readonly string[]; key: string; to: number }
): ColumnLayout {
  const others = keys.filter((known) => known !== key);
  const neighbour = others[Math.max(0, Math.min(others.length, to))];
  const order = orderedColumns(columns, layout)
    .map((column) => column.key)
    .filter((known) => known !== key);
  const last = others.at(-1);
  const at =
    neighbour === undefined ? (last === undefined ? 0 : order.indexOf(last) + 1) : order.indexOf(neighbour);
  return { ...layout, order: order.toSpliced(at, 0, key) };
}

export function withShown(layout: ColumnLayout, key: string, isShown: boolean): ColumnLayout {
  return { ...layout, shown: { ...layout.shown, [key]: isShown } };
}

/** Rounded, within bounds. */
export function withWidths(layout: ColumnLayout, widths: Readonly<Record<string, number>>): ColumnLayout {
  const bounded = Object.entries(widths).map(
    ([key, width]) => [key, Math.round(Math.max(LEAST_WIDTH, Math.min(MOST_WIDTH, width)))] as const
  );
  return { ...layout, widths: { ...layout.widths, ...Object.fromEntries(bounded) } };
}

/** A column as wide as by default. */
export function withoutWidth(layout: ColumnLayout, key: string): ColumnLayout {
  const { [key]: _dragged, ...widths } = layout.widths;
  return { ...layout, widths };
}
