/**
 * Would a chunk that was counted earlier be counted the same way now? Only what separates its records matters: a
 * discard point that has moved, but still lies below all numbers of the chunk or above them all, changes nothing. One
 * that has passed all of them discards all of them, which needs no reading either. When in doubt the answer is no,
 * and the chunk is read again.
 */
import { dayOf } from './expiry-days.ts';
import type { TargetRow } from './link-targets.ts';
import { Column, PairFlag } from './pair-columns.ts';

/** Times in columns are doubles of ticks: rounded by less than this. */
const MS_MARGIN = 1;

/** `then` and `now` are rows of pair columns; `now` holds the present verdict instead of the earlier one. */
export function pairStillHolds(then: Float64Array, now: Float64Array, isBehindPoint: boolean): boolean {
  const at = (name: keyof typeof Column) => [then[Column[name]]!, now[Column[name]]!] as const;
  const [ageThen, ageNow] = at('maxAgeSeconds');
  if (ageThen !== ageNow) return false; // it decides on the days, too
  if (isBehindPoint) return true;
  const [flagsThen, flagsNow] = at('flags');
  if ((flagsThen & PairFlag.tombstoned) !== (flagsNow & PairFlag.tombstoned)) return false;
  const first = then[Column.firstNumber]!;
  const last = then[Column.lastNumber]!;
  if (!isSameSide(...at('discardPoint'), first, last)) return false;
  if (!isSameSide(...at('maybeDiscardPoint'), first, last)) return false;
  if (ageNow < 0) return true;
  const isCutoffSame =
    then[Column.cutoffHigh] === now[Column.cutoffHigh] && then[Column.cutoffLow] === now[Column.cutoffLow];
  if (isCutoffSame) return true;
  // Only what lies below the point of "maybe" is judged by its time.
  if (now[Column.maybeDiscardPoint]! <= first) return true;
  const earliest = then[Column.minMs]! - MS_MARGIN;
  const latest = then[Column.maxMs]! + MS_MARGIN;
  return isSameSide(cutoffMs(then), cutoffMs(now), earliest, latest);
}

/**
 * Is everything of this pair certainly discarded now, so that its sums follow? Called when the verdict no longer
 * holds.
 */
export function allGoesNow(then: Float64Array, now: Float64Array, today: number): boolean {
  const flags = then[Column.flags]!;
  // What links point to is not kept by pair, so links that go are counted again.
  if ((flags & (PairFlag.unnumbered | PairFlag.links)) !== 0) return false;
  const maxAgeSeconds = then[Column.maxAgeSeconds]!;
  if (maxAgeSeconds !== now[Column.maxAgeSeconds]) return false;
  // Its days are past; otherwise they would have to be taken back.
  const lastMs = then[Column.maxMs]! + MS_MARGIN;
  if (maxAgeSeconds >= 0 && dayOf(lastMs + maxAgeSeconds * 1000) >= today) return false;
  const flagsNow = now[Column.flags]!;
  const last = then[Column.lastNumber]!;
  if ((flagsNow & PairFlag.tombstoned) !== 0 && (flagsNow & PairFlag.metastream) !== 0) return true;
  if (last < now[Column.discardPoint]!) return true;
  return maxAgeSeconds >= 0 && last < now[Column.maybeDiscardPoint]! && lastMs < cutoffMs(now);
}

/** Brings a target up to date with what is left of its stream now; undefined: its links have to be read again. */
export function settledTarget(target: TargetRow, firstLeft: number): TargetRow | undefined {
  const { lowest, highest, records, bytes } = target;
  if (isSameSide(target.firstLeft, firstLeft, lowest, highest)) return target;
  return firstLeft > highest ? { ...target, firstLeft, deadRecords: records, deadBytes: bytes } : undefined;
}

function cutoffMs(row: Float64Array): number {
  return (row[Column.cutoffHigh]! * 4294967296 + row[Column.cutoffLow]!) / 10_000;
}

/** Both limits are the same, or both lie at or below everything, or both above it. */
function isSameSide(one: number, other: number, lowest: number, highest: number): boolean {
  if (one === other) return true;
  return (one <= lowest && other <= lowest) || (one > highest && other > highest);
}
