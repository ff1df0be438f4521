/**
 * Compares the stored scavenge state with the log before every run. State that is newer than the log (the log was
 * restored from an older backup, the state was not) names discard points of a lost history: executed, they delete
 * live events. Such a state is refused.
 */
import { EngineError, requireFault } from '../../errors.ts';
import type { StreamIndex } from '../../index/stream-index.ts';
import type { LogReader } from '../../log/log-reader.ts';
import type { LogRecord } from '../../records/log-record.ts';
import { chunkNumberOf, chunkStartPosition } from '../../units/log-position.ts';
import { isReplacingStage, type CheckpointStage } from '../../units/scavenge-terms.ts';
import { ticksToIso, type Ticks } from '../../units/ticks.ts';
import { holdStateAgainstLog } from './hold-state.ts';
import {
  describeScavengePoint,
  isScavengePointRecord,
  type ScavengePoint
} from '../points/scavenge-point.ts';
import type { ScavengeState } from './scavenge-state.ts';

/** A scavenge that calculates no more and goes by what is stored. */
export const isActingStage = (stage: CheckpointStage): boolean =>
  isReplacingStage(stage) || stage === 'cleaning';

export interface CheckState {
  state: ScavengeState;
  log: LogReader;
  latest: ScavengePoint | undefined;
  /** For messages. */
  statePath: string;
}

/** Streams of each kind that are looked up before a run; it looks up all of them before it replaces a file. */
const SAMPLE_STREAMS = 500;

/**
 * How much of an existing state is compared with the log: all that it says; a sample; or what a run needs that begins
 * with it, which is a sample as long as it calculates again, and then holds all by which it replaces files.
 */
export type StateExtent = 'whole' | 'sample' | 'forRun';

/** A state as it was found: what `checkState` checks, and then what it says of streams. */
export async function checkFoundState(
  options: CheckState & {
    index: StreamIndex;
    extent: StateExtent;
    isDue?: () => boolean;
    breathe?: () => Promise<void>;
  }
): Promise<void> {
  checkState(options);
  const { state, log } = options;
  const checkpoint = state.checkpoint;
  const { extent } = options;
  const isActing = extent === 'forRun' && checkpoint !== undefined && isActingStage(checkpoint.stage);
  await holdStateAgainstLog({
    ...options,
    isActing,
    ...(extent === 'whole' || isActing ? {} : { sampleStreams: SAMPLE_STREAMS }),
    beforePosition: checkpoint?.scavengePoint.position ?? log.end,
    effectiveNow: checkpoint?.scavengePoint.effectiveNow,
    replacedFrom: replacedFrom(options)
  });
}

/**
 * A power cut may take a state back to any earlier moment of its run, when chunks were rewritten already: of the chunks
 * that it has still to read it must not be asked, since a scavenge removes metadata that are replaced there.
 */
function replacedFrom({ state, log }: CheckState): number {
  const { checkpoint } = state;
  if (checkpoint === undefined) return log.end;
  if (checkpoint.stage === 'done') return checkpoint.scavengePoint.position;
  if (checkpoint.stage !== 'accumulating') return Infinity;
  const read = checkpoint.doneChunk ?? state.timeRanges.lastChunk;
  return chunkStartPosition(read + 1, log.chunkSizeBytes);
}

export function checkState({ state, log, latest, statePath }: CheckState): void {
  const point = state.checkpoint?.scavengePoint;
  if (point) checkPoint(point, log, latest, statePath);
  checkStateTimes(state, log, statePath);
}

/**
 * A state whose point is in no log has to be told by times alone: what its scavenge reaches to is still there, and the newest
 * record that it has read, too. Of a log that was cut since, the state may know metadata that are gone, and not those
 * that came in their place.
 */
export function checkDetachedState(
  { state, log, statePath }: Omit<CheckState, 'latest'>,
  { position }: ScavengePoint,
  completedTo: number
): void {
  if (position > completedTo) {
    throw aheadOfLog(
      statePath,
      `its scavenge reaches to position ${position}, the completed chunks of the log end at ${completedTo}`
    );
  }
  checkStateTimes(state, log, statePath);
  const { lastChunk } = state.timeRanges;
  const range = state.timeRanges.get(lastChunk);
  if (!range) return;
  const start = chunkStartPosition(lastChunk, log.chunkSizeBytes);
  const end = chunkStartPosition(lastChunk + 1, log.chunkSizeBytes);
  const last = log.findBackward(end, ({ kind }) => kind === 'prepare', start);
  if (last && !isWithin(last.ticks, range)) throw otherTime(statePath, last, lastChunk);
}

/** Only what was accumulated against the log. */
function checkStateTimes(state: ScavengeState, log: LogReader, statePath: string): void {
  const { lastChunk } = state.timeRanges;
  const lastOfLog = Math.floor(Math.max(log.end - 1, 0) / log.chunkSizeBytes);
  if (lastChunk > lastOfLog) {
    throw aheadOfLog(statePath, `it knows chunk ${lastChunk}, the log ends with chunk ${lastOfLog}`);
  }
  const heaviest = state.weights.lastChunk;
  if (heaviest > lastOfLog) {
    throw aheadOfLog(statePath, `it weighs chunk ${heaviest}, the log ends with chunk ${lastOfLog}`);
  }
  checkTimes(lastChunk, state, log, statePath);
}

function checkPoint(
  point: ScavengePoint,
  log: LogReader,
  latest: ScavengePoint | undefined,
  statePath: string
): void {
  const name = describeScavengePoint(point);
  if (latest === undefined) throw aheadOfLog(statePath, `it names ${name}, the log holds no scavenge point`);
  if (latest.number < point.number) {
    throw aheadOfLog(statePath, `it names ${name}, the newest one in the log has number ${latest.number}`);
  }
  const isSame = (other: ScavengePoint) =>
    other.position === point.position &&
    other.number === point.number &&
    other.effectiveNow === point.effectiveNow &&
    other.threshold === point.threshold;
  if (latest.number === point.number) {
    if (!isSame(latest))
      throw aheadOfLog(statePath, `it names ${name}, the log holds ${describeScavengePoint(latest)}`);
    return;
  }
  if (latest.position <= point.position) {
    throw aheadOfLog(statePath, `it names ${name}, the log holds ${describeScavengePoint(latest)}`);
  }
  // An older point may have been scavenged since, if its stream has limits; a foreign record may not be there.
  const record = recordAt(log, point.position);
  if (log.chunkAt(point.position)?.isScavenged === false || record !== undefined) {
    const isThere =
      record !== undefined &&
      isScavengePointRecord(record) &&
      record.eventNumber === point.number &&
      record.ticks === point.effectiveNow;
    if (!isThere) throw aheadOfLog(statePath, `it names ${name}, but another record is there`);
  }
}

/** Of a log that went another way a record may begin before the position and end after it: that is no damage. */
function recordAt(log: LogReader, position: number): LogRecord | undefined {
  try {
    return log.readAt(position);
  } catch (error) {
    requireFault(error, 'LogCorrupt');
    const { chunkSizeBytes } = log;
    const start = chunkStartPosition(chunkNumberOf(position, chunkSizeBytes), chunkSizeBytes);
    const cursor = log.cursor(start, position + 1);
    try {
      while (cursor.next()); // throws what is damaged, up to and including a record at the position
    } finally {
      cursor.close();
    }
    return undefined;
  }
}

/** Times of the last accumulated chunk: every prepare that is still there lies in the stored range. */
function checkTimes(chunkNumber: number, state: ScavengeState, log: LogReader, statePath: string): void {
  const range = state.timeRanges.get(chunkNumber);
  if (!range) return;
  const start = chunkNumber * log.chunkSizeBytes;
  // Accumulation may have ended with a scavenge point in the middle of the chunk; what follows was not seen.
  const end = Math.min(
    start + log.chunkSizeBytes,
    (state.checkpoint?.scavengePoint.position ?? Infinity) + 1
  );
  const cursor = log.cursor(start, Math.min(end, log.end));
  try {
    while (cursor.next()) {
      const { record } = cursor;
      if (record.kind !== 'prepare') continue;
      if (isWithin(record.ticks, range)) return; // one is enough: the copy compared the bytes
      throw otherTime(statePath, record, chunkNumber);
    }
  } finally {
    cursor.close();
  }
}

function isWithin(time: Ticks, { min, max }: { min: bigint; max: bigint }): boolean {
  return time >= min && time <= max;
}

function otherTime(statePath: string, { position, ticks }: LogRecord, chunkNumber: number): EngineError {
  return aheadOfLog(
    statePath,
    `the record at position ${position} has the time ${ticksToIso(ticks)}, which chunk ${chunkNumber} did ` +
      'not have when it was read'
  );
}

function aheadOfLog(statePath: string, what: string): EngineError {
  return new EngineError({
    code: 'LogCorrupt',
    message:
      `The scavenge state ${statePath} is not of this log: ${what}. ` +
      'This happens when a log is restored and its state is not; a scavenge would delete live events.',
    remedy: 'Run with "--start-afresh": the state is moved aside and the log is read again from its start.',
    details: { file: statePath, reason: 'stateAheadOfLog' }
  });
}
