/**
 * Where things stand along the bar of the log: by position, where every chunk is as wide as the log it holds, or by
 * time, where a busy day is narrow and a quiet month wide. Pure.
 */
import { msOfTime } from '../../format/time.ts';
import type { TimesByChunk } from '../../state/chunk-times.ts';
import type { LogPiece } from './log-pieces.ts';

export type Axis = 'position' | 'time';

export interface Stretch {
  /** Shares of the bar; the end is exclusive. */
  from: number;
  to: number;
  startMs: number | null;
  endMs: number | null;
}

export interface DateMark {
  at: number;
  ms: number;
}

/** One stretch for each piece, in order and without gaps. */
export function stretchesOf(
  pieces: readonly LogPiece[],
  times: TimesByChunk,
  { axis, lastOf }: { axis: Axis; lastOf: (piece: LogPiece) => number }
): Stretch[] {
  const end = pieces.at(-1)?.end ?? 1;
  const starts = pieces.map((piece) => msOrNull(times.get(piece.firstChunk)?.first));
  const ends = pieces.map((piece) => msOrNull(times.get(lastOf(piece))?.last));
  const known = [...starts, ...ends].filter((ms) => ms !== null);
  const [firstMs, newestMs] = [Math.min(...known), Math.max(...known)];
  const isByTime = axis === 'time' && newestMs > firstMs;
  let reached = 0;
  return pieces.map((piece, index) => {
    const isLast = index === pieces.length - 1;
    const nextMs = starts.slice(index + 1).find((ms) => ms !== null) ?? newestMs;
    const byTime = (Math.max(nextMs, firstMs) - firstMs) / (newestMs - firstMs);
    // Clocks are set back now and then: a piece never begins before the one before it ends.
    const to = isLast ? 1 : isByTime ? Math.max(reached, Math.min(1, byTime)) : piece.end / end;
    const stretch = { from: reached, to, startMs: starts[index] ?? null, endMs: ends[index] ?? null };
    reached = to;
    return stretch;
  });
}

/** Where a position stands: within its piece as far as within the piece's positions. */
export function shareOf(
  position: number,
  pieces: readonly LogPiece[],
  stretches: readonly Stretch[]
): number {
  const index = pieces.findIndex((piece) => position < piece.end);
  const piece = pieces[index];
  const stretch = stretches[index];
  if (!piece || !stretch) return 1;
  const within = Math.max(0, (position - piece.start) / (piece.end - piece.start));
  return stretch.from + within * (stretch.to - stretch.from);
}

/** Index of the piece at a share of the bar; the nearest one that is wide enough to be meant. */
export function pieceAtShare(stretches: readonly Stretch[], share: number): number {
  const found = stretches.findIndex(({ to }) => share < to);
  return found === -1 ? stretches.length - 1 : found;
}

const DATES = 7;

/** Dates to be written below the bar: evenly along time, or at the pieces that stand where a date has room. */
export function dateMarks(stretches: readonly Stretch[], axis: Axis): DateMark[] {
  const known = stretches.filter((stretch) => stretch.startMs !== null);
  if (axis === 'position' || known.length < 2) {
    return Array.from({ length: DATES }, (_, mark) =>
      known.find(({ from }) => from >= mark / DATES && from < (mark + 1) / DATES)
    )
      .filter((stretch) => stretch !== undefined)
      .map(({ from, startMs }) => ({ at: from, ms: startMs ?? 0 }));
  }
  const firstMs = known[0]?.startMs ?? 0;
  const lastMs = Math.max(...stretches.map(({ endMs }) => endMs ?? firstMs));
  return Array.from({ length: DATES }, (_, mark) => ({
    at: mark / (DATES - 1),
    ms: firstMs + ((lastMs - firstMs) * mark) / (DATES - 1)
  }));
}

function msOrNull(time: string | null | undefined): number | null {
  return time == null ? null : msOfTime(time);
}
