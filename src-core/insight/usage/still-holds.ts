/**
 * Would a chunk that was counted earlier be counted the same way now? Only what separates its records matters: a
 * discard point that has moved, but still lies below all numbers of the chunk or above them all, changes nothing.
 * When in doubt the answer is no, and the chunk is read again.
 */
import { Column, PairFlag } from './pair-columns.ts';

/** Times in columns are doubles of ticks: rounded by less than this. */
const MS_MARGIN = 1;

/** `then` and `now` are rows of pair columns; `now` holds the verdict of today in the place of that of then. */
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

/** The same for links, whose fate is that of the events they point to. */
export function targetStillHolds(
  target: { lowest: number; highest: number; firstLeft: number },
  firstLeftNow: number
): boolean {
  return isSameSide(target.firstLeft, firstLeftNow, target.lowest, target.highest);
}

function cutoffMs(row: Float64Array): number {
  return (row[Column.cutoffHigh]! * 4294967296 + row[Column.cutoffLow]!) / 10_000;
}

/** Both limits are the same, or both lie at or below everything, or both above it. */
function isSameSide(one: number, other: number, lowest: number, highest: number): boolean {
  if (one === other) return true;
  return (one <= lowest && other <= lowest) || (one > highest && other > highest);
}
