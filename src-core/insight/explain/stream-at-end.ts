/**
 * What holds for a stream at the end of the log, as its readers see it: what a later scavenge would go by, and what
 * tells why an event that is gone could go.
 */
import { isReadFault, NO_STREAM, type StreamIndex } from '../../index/stream-index.ts';
import type { StreamMetadata } from '../../records/stream-metadata.ts';
import { cutoffOf } from '../../scavenge/decisions/should-discard.ts';
import { isMetastreamName } from '../../scavenge/decisions/stream-handle.ts';
import { DELETED_STREAM_EVENT_NUMBER, eventNumberFromBigInt } from '../../units/event-number.ts';
import { reasonOfLimit, type Reason, type StreamLimitsInForce } from './discard-reason.ts';
import { isDiscardedBy, LIMITS, type RecordFacts } from './record-ruling.ts';

export interface StreamAtEnd {
  stream: string;
  /** NO_STREAM without one; of a deleted stream its tombstone's number. */
  last: number;
  isDeleted: boolean;
  isMetastream: boolean;
  metadata: StreamMetadata | null;
  /** -1: not set. */
  limits: StreamLimitsInForce;
}

/** undefined when the index cannot say, because what it leads to is gone. */
export function streamAtEnd(index: StreamIndex, stream: string): StreamAtEnd | undefined {
  try {
    const last = index.lastEventNumber(stream);
    const isMetastream = isMetastreamName(stream);
    const isDeleted = last === DELETED_STREAM_EVENT_NUMBER;
    const found = isDeleted || isMetastream ? null : index.metadata(stream);
    const hasMetadata = found !== null && Object.values(found).some((value) => value !== null);
    const metadata = hasMetadata ? found : null;
    const orNotSet = (value: bigint | null | undefined) =>
      value === null || value === undefined ? -1 : eventNumberFromBigInt(value);
    const limits = {
      maxAgeSeconds: orNotSet(metadata?.maxAgeSeconds),
      maxCount: orNotSet(metadata?.maxCount),
      truncateBefore: orNotSet(metadata?.truncateBefore)
    };
    return { stream, last: Math.max(last, NO_STREAM), isDeleted, isMetastream, metadata, limits };
  } catch (error) {
    if (!isReadFault(error)) throw error;
    return undefined;
  }
}

/**
 * Which rule discards an event by the metadata at the end of the log; undefined when none does. Of an event that is
 * gone only the number is known: its age is then taken to be beyond every limit.
 */
export function reasonAtEnd(
  { last, isDeleted, isMetastream, limits }: StreamAtEnd,
  event: { eventNumber: number; facts?: RecordFacts },
  now: bigint
): Reason | undefined {
  if (isDeleted) return event.eventNumber === last ? undefined : 'hardDeleted';
  if (isMetastream) return event.eventNumber < last ? 'metadataReplaced' : undefined;
  const facts = event.facts ?? { ...OLDEST, eventNumber: event.eventNumber };
  const cutoff = cutoffOf(now, limits.maxAgeSeconds, { isSet: false, high: 0, low: 0 });
  const inForce = { ...limits, last };
  const limit = LIMITS.find((one) => isDiscardedBy(one, facts, inForce, cutoff));
  return limit && reasonOfLimit(limit, limits);
}

const OLDEST: RecordFacts = {
  position: 0,
  kind: 'prepare',
  stream: '',
  eventNumber: 0,
  flags: 0,
  timeHigh: 0,
  timeLow: 0
};
