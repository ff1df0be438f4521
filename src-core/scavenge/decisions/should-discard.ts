/**
 * The decisions of a scavenge, pure: a record or index entry and what is known of its stream in, keep or
 * discard out. They exist once; plan, run and explanations all ask here.
 *
 * Three places decide, with different knowledge. Calculation reads index entries and finds discard points;
 * there an age can only be judged by the time range of a chunk, hence "maybe". Chunk execution reads records
 * and knows their own time. Index execution ignores the maybe point, since it cannot see times at all.
 */
import type { AtNumber, AtPosition, ChunkNumber } from '../../units/of-unit.ts';
import { PrepareFlag } from '../../records/log-record.ts';
import { LEGACY_DELETED_STREAM_EVENT_NUMBER } from '../../units/event-number.ts';
import { TICKS_PER_SECOND } from '../../units/ticks.ts';
import { halvesOfTicks } from './tick-halves.ts';

export const EventDecision = {
  keep: 0,
  discard: 1,
  /** Some records of the chunk are too old, others are not: decided per record when the chunk is rewritten. */
  maybeDiscard: 2,
  /** The chunk holds no prepare at all any more: only the index still knows the event. */
  alreadyDiscarded: 3
} as const;
export type EventDecisionValue = (typeof EventDecision)[keyof typeof EventDecision];

/** Time before which events are too old, as halves of its ticks; `isSet` false: no maximum age. */
export interface Cutoff {
  isSet: boolean;
  high: number;
  low: number;
}

/** The cut-off of a stream. An age that reaches beyond the year 1 discards nothing (the server fails there). */
export function cutoffOf(effectiveNow: bigint, maxAgeSeconds: number, into: Cutoff): Cutoff {
  into.isSet = maxAgeSeconds >= 0;
  if (!into.isSet) return into;
  const ticks = effectiveNow - BigInt(maxAgeSeconds) * TICKS_PER_SECOND;
  halvesOfTicks(ticks < 0n ? 0n : ticks, into);
  return into;
}

/** Strictly before the cut-off. */
export function isBeforeCutoff(cutoff: Cutoff, timeHigh: number, timeLow: number): boolean {
  return timeHigh !== cutoff.high ? timeHigh < cutoff.high : timeLow < cutoff.low;
}

/** What calculation knows of a stream while it walks its index entries. */
export interface CalculationRules {
  /** Position of the scavenge point. */
  pointPosition: number;
  /** Number of the stream's last event before the point, -1 when there is none. */
  last: number;
  isTombstoned: boolean;
  /** -1: not set. */
  truncateBefore: number;
  maxCount: number;
  cutoff: Cutoff;
  /** Is the record there, and does it delete its stream? Asked for number 2^31-1 only. */
  isTombstoneAt(position: number): boolean;
}

/** Times of a chunk's prepares. */
export interface TimeRanges {
  has(chunkNumber: ChunkNumber): boolean;
  isAllSince(chunkNumber: ChunkNumber, high: number, low: number): boolean;
  isAllBefore(chunkNumber: ChunkNumber, high: number, low: number): boolean;
}

/** One index entry of an original stream; `chunkNumber` is the logical chunk of `position`. */
export function decideEvent(
  rules: CalculationRules,
  ranges: TimeRanges,
  eventNumber: AtNumber,
  position: AtPosition,
  chunkNumber: ChunkNumber
): EventDecisionValue {
  const { keep, discard, maybeDiscard, alreadyDiscarded } = EventDecision;
  if (position >= rules.pointPosition) return keep;
  if (eventNumber >= rules.last) return keep; // the last event shows that the stream existed, and its version
  if (rules.isTombstoned) {
    // Tombstones of old index tables carry 2^31-1, and events may follow them.
    const mayBeTombstone = eventNumber === LEGACY_DELETED_STREAM_EVENT_NUMBER;
    return mayBeTombstone && rules.isTombstoneAt(position) ? keep : discard;
  }
  if (rules.truncateBefore >= 0 && eventNumber < rules.truncateBefore) return discard;
  if (rules.maxCount >= 0 && eventNumber < rules.last - rules.maxCount + 1) return discard;
  const { cutoff } = rules;
  if (!cutoff.isSet) return keep;
  if (!ranges.has(chunkNumber)) return alreadyDiscarded;
  if (ranges.isAllSince(chunkNumber, cutoff.high, cutoff.low)) return keep;
  return ranges.isAllBefore(chunkNumber, cutoff.high, cutoff.low) ? discard : maybeDiscard;
}

/** What chunk and index execution know of a stream. Nothing stored: `isKnown` false, everything is kept. */
export interface StreamVerdict {
  isKnown: boolean;
  isMetastream: boolean;
  isTombstoned: boolean;
  /** First event number to keep. */
  discardPoint: number;
  maybeDiscardPoint: number;
  cutoff: Cutoff;
}

export function emptyVerdict(): StreamVerdict {
  return {
    isKnown: false,
    isMetastream: false,
    isTombstoned: false,
    discardPoint: 0,
    maybeDiscardPoint: 0,
    cutoff: { isSet: false, high: 0, low: 0 }
  };
}

/** A prepare as far as the decision needs it. */
export interface PrepareFacts {
  readonly flags: number;
  readonly eventNumber: number;
  readonly timeHigh: number;
  readonly timeLow: number;
}

/**
 * Does this prepare, which lies before the scavenge point, go when its chunk is rewritten? Commits and system
 * records never do and do not come here.
 */
export function shouldDiscardRecord(
  record: PrepareFacts,
  stream: StreamVerdict,
  ignoreHardDeletes: boolean
): boolean {
  if (!stream.isKnown) return false;
  if ((record.flags & PrepareFlag.isCommitted) === 0) {
    // A part of an explicit transaction. Its number is not its own, so only a hard delete can remove it; the
    // begin stays because the commit, which always stays, refers to it.
    if (!stream.isTombstoned) return false;
    if (ignoreHardDeletes) return true;
    return (record.flags & (PrepareFlag.streamDelete | PrepareFlag.transactionBegin)) === 0;
  }
  if (stream.isTombstoned && (ignoreHardDeletes || stream.isMetastream)) return true;
  if (record.eventNumber < stream.discardPoint) return true;
  if (record.eventNumber >= stream.maybeDiscardPoint) return false;
  return stream.cutoff.isSet && isBeforeCutoff(stream.cutoff, record.timeHigh, record.timeLow);
}

/** Does this entry, whose position lies before the scavenge point, leave the index? */
export function shouldDiscardEntry(
  eventNumber: number,
  stream: StreamVerdict,
  ignoreHardDeletes: boolean
): boolean {
  if (!stream.isKnown) return false;
  if (stream.isTombstoned && (ignoreHardDeletes || stream.isMetastream)) return true;
  return eventNumber < stream.discardPoint;
}
