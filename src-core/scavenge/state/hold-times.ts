/**
 * Compares the times that a stored scavenge state has of chunks with the log. A calculation believes them instead of the records:
 * with a range that ends too early, events would be taken for older than they are. Of a chunk that no scavenge has
 * replaced the range is that of its records; of another one it is at least as wide, since records may be gone.
 */
import type { HeadSource, LogReader } from '../../log/log-reader.ts';
import type { NotableCursor } from '../../records/record-head.ts';
import { chunkNumberOf, chunkStartPosition } from '../../units/log-position.ts';
import { ticksFromHalves, ticksToIso } from '../../units/ticks.ts';
import type { ScavengeState } from './scavenge-state.ts';
import { stateUntrue } from './state-error.ts';

export interface HoldTimes {
  state: ScavengeState;
  log: LogReader;
  /** What is known of chunks without reading them; else the log is read. */
  heads?: Pick<HeadSource, 'notableOf'> | undefined;
  /** For messages. */
  statePath: string;
  isDue?: (() => boolean) | undefined;
  breathe?: (() => Promise<void>) | undefined;
}

interface Times {
  min: bigint;
  max: bigint;
}

/** Throws what the log contradicts. */
export async function holdTimes(options: HoldTimes): Promise<void> {
  const { state, log, statePath, breathe } = options;
  const point = state.checkpoint?.scavengePoint.position ?? Infinity;
  const end = knownWhole(state, log.chunkSizeBytes);
  for (let chunkNumber = 0; chunkNumber < end; chunkNumber++) {
    const stored = state.timeRanges.get(chunkNumber);
    const from = chunkStartPosition(chunkNumber, log.chunkSizeBytes);
    const to = Math.min(chunkStartPosition(chunkNumber + 1, log.chunkSizeBytes), point + 1, log.end);
    const found = await timesOf(options, from, to);
    const isReplaced = from <= point && log.chunkAt(from)?.isScavenged !== false;
    const problem = isReplaced ? outsideOf(stored, found) : otherThan(stored, found);
    if (problem !== undefined) throw stateUntrue(statePath, `of chunk ${chunkNumber} ${problem}`);
    await breathe?.();
  }
}

/**
 * Number of the first chunk whose range may be that of a part: the one in which an earlier scavenge point lies, until
 * accumulation comes to it again. All below it were read whole, or up to the point of the checkpoint.
 */
function knownWhole({ checkpoint, timeRanges }: ScavengeState, chunkSizeBytes: number): number {
  const { lastChunk } = timeRanges;
  if (!checkpoint) return lastChunk;
  if (checkpoint.stage === 'accumulating') return Math.max(lastChunk, (checkpoint.doneChunk ?? -1) + 1);
  return Math.max(lastChunk, chunkNumberOf(checkpoint.scavengePoint.position, chunkSizeBytes)) + 1;
}

async function timesOf(
  { log, heads, isDue, breathe }: HoldTimes,
  from: number,
  to: number
): Promise<Times | undefined> {
  const chunk = log.chunkAt(from);
  if (heads && chunk) return timesOfHalves(heads.notableOf(chunk, from, to).prepares);
  let found: NotableCursor['prepares'];
  const cursor = log.cursor(from, to);
  try {
    while (cursor.next()) {
      const { record } = cursor;
      if (isDue?.() === true) await breathe?.();
      if (record.kind !== 'prepare') continue;
      const { timeHigh: high, timeLow: low } = record;
      found ??= { minHigh: high, minLow: low, maxHigh: high, maxLow: low };
      if (high < found.minHigh || (high === found.minHigh && low < found.minLow)) {
        found.minHigh = high;
        found.minLow = low;
      } else if (high > found.maxHigh || (high === found.maxHigh && low > found.maxLow)) {
        found.maxHigh = high;
        found.maxLow = low;
      }
    }
  } finally {
    cursor.close();
  }
  return timesOfHalves(found);
}

function timesOfHalves(prepares: NotableCursor['prepares']): Times | undefined {
  if (!prepares) return undefined;
  const { minHigh, minLow, maxHigh, maxLow } = prepares;
  return { min: ticksFromHalves(minHigh, minLow), max: ticksFromHalves(maxHigh, maxLow) };
}

function outsideOf(stored: Times | undefined, found: Times | undefined): string | undefined {
  if (!found || (stored && stored.min <= found.min && found.max <= stored.max)) return undefined;
  return described(stored, found);
}

function otherThan(stored: Times | undefined, found: Times | undefined): string | undefined {
  if (stored?.min === found?.min && stored?.max === found?.max) return undefined;
  return described(stored, found);
}

function described(stored: Times | undefined, found: Times | undefined): string {
  const text = (times: Times | undefined): string =>
    times ? `the times ${ticksToIso(times.min)} to ${ticksToIso(times.max)}` : 'no times';
  return `it has ${text(stored)}, the log has ${text(found)}`;
}
