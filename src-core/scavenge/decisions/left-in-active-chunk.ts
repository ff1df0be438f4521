/**
 * What a scavenge cannot reach yet: deleted and expired records in the chunk that is still being written. They are
 * judged by the rules in force at the end of the log, since no scavenge point covers them.
 */
import { isReadFault, type StreamIndex } from '../../index/stream-index.ts';
import type { LogReader } from '../../log/log-reader.ts';
import { FRAME_LENGTH, PrepareFlag } from '../../records/log-record.ts';
import type { RecordHead } from '../../records/record-head.ts';
import { DELETED_STREAM_EVENT_NUMBER, eventNumberFromBigInt } from '../../units/event-number.ts';
import type { RunControl } from '../run-control.ts';
import { cutoffOf, isBeforeCutoff, type Cutoff } from './should-discard.ts';
import { isMetastreamName } from './stream-handle.ts';

export interface LeftInActiveChunk {
  records: number;
  /** Payload and both length fields. */
  bytes: number;
}

export const NOTHING_LEFT: LeftInActiveChunk = { records: 0, bytes: 0 };

interface StreamRules {
  last: number;
  isDeleted: boolean;
  /** First number kept by rules other than age. */
  keepFrom: number;
  cutoff: Cutoff;
}

export interface LeftQuestion {
  log: LogReader;
  index: StreamIndex;
  control: RunControl;
  now: bigint;
}

export async function countLeftInActiveChunk({
  log,
  index,
  control,
  now
}: LeftQuestion): Promise<LeftInActiveChunk> {
  const left: LeftInActiveChunk = { records: 0, bytes: 0 };
  const active = log.chunks.find((chunk) => chunk.isActive);
  if (!active) return left;
  const rules = new Map<string, StreamRules>();
  const cursor = log.heads(active.startPosition, log.end);
  try {
    while (cursor.next()) {
      const { record } = cursor;
      if (control.isDue()) await control.breathe();
      if (!record.isSelfCommitted) continue; // parts of explicit transactions stay, their numbers are not their own
      const { stream } = record;
      let known = rules.get(stream);
      if (!known) rules.set(stream, (known = rulesOf(stream, index, now)));
      if (!isGone(record, known)) continue;
      left.records++;
      left.bytes += record.length + FRAME_LENGTH;
    }
  } finally {
    cursor.close();
  }
  return left;
}

function rulesOf(stream: string, index: StreamIndex, now: bigint): StreamRules {
  const rules: StreamRules = {
    last: -1,
    isDeleted: false,
    keepFrom: 0,
    cutoff: { isSet: false, high: 0, low: 0 }
  };
  try {
    rules.last = index.lastEventNumber(stream);
    rules.isDeleted = rules.last === DELETED_STREAM_EVENT_NUMBER;
    if (rules.isDeleted) return rules;
    if (isMetastreamName(stream)) return { ...rules, keepFrom: rules.last };
    const { maxCount, maxAgeSeconds, truncateBefore } = index.metadata(stream);
    cutoffOf(now, maxAgeSeconds === null ? -1 : eventNumberFromBigInt(maxAgeSeconds), rules.cutoff);
    const byCount = maxCount === null ? 0 : rules.last - eventNumberFromBigInt(maxCount) + 1;
    const byTruncation = truncateBefore === null ? 0 : eventNumberFromBigInt(truncateBefore);
    return { ...rules, keepFrom: Math.max(0, byCount, byTruncation) };
  } catch (error) {
    // The index was opened before records went; an entry that leads to none of them any more must not fail the
    // whole run at its end. Such a stream has nothing that could be left.
    if (!isReadFault(error)) throw error;
    return { ...rules, last: -1 };
  }
}

function isGone(record: RecordHead, { last, isDeleted, keepFrom, cutoff }: StreamRules): boolean {
  if (isDeleted) return (record.flags & PrepareFlag.streamDelete) === 0;
  if (record.eventNumber >= last) return false;
  if (record.eventNumber < keepFrom) return true;
  return cutoff.isSet && isBeforeCutoff(cutoff, record.timeHigh, record.timeLow);
}
