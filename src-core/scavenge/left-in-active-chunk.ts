/**
 * What a scavenge cannot reach yet: deleted and expired records in the chunk that is still being written. They are
 * judged by the rules in force at the end of the log, since no scavenge point covers them.
 */
import type { StreamIndex } from '../index/stream-index.ts';
import type { LogReader } from '../log/log-reader.ts';
import { FRAME_LENGTH, PrepareFlag, type LogRecord } from '../records/log-record.ts';
import { DELETED_STREAM_EVENT_NUMBER, eventNumberFromBigInt } from '../units/event-number.ts';
import type { RunControl } from './run-control.ts';
import { cutoffOf, isBeforeCutoff, type Cutoff } from './should-discard.ts';
import { isMetastreamName } from './stream-handle.ts';

export interface LeftInActiveChunk {
  records: number;
  /** Payload and both length fields. */
  bytes: number;
}

interface StreamRules {
  last: number;
  isDeleted: boolean;
  /** First number that rules other than age keep. */
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
  const cursor = log.cursor(active.startPosition, log.end);
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
  const cutoff: Cutoff = { isSet: false, high: 0, low: 0 };
  const last = index.lastEventNumber(stream);
  const isDeleted = last === DELETED_STREAM_EVENT_NUMBER;
  if (isDeleted) return { last, isDeleted, keepFrom: last, cutoff };
  if (isMetastreamName(stream)) return { last, isDeleted, keepFrom: last, cutoff };
  const { maxCount, maxAgeSeconds, truncateBefore } = index.metadata(stream);
  cutoffOf(now, maxAgeSeconds === null ? -1 : eventNumberFromBigInt(maxAgeSeconds), cutoff);
  const byCount = maxCount === null ? 0 : last - eventNumberFromBigInt(maxCount) + 1;
  const byTruncation = truncateBefore === null ? 0 : eventNumberFromBigInt(truncateBefore);
  return { last, isDeleted, keepFrom: Math.max(0, byCount, byTruncation), cutoff };
}

function isGone(record: LogRecord, { last, isDeleted, keepFrom, cutoff }: StreamRules): boolean {
  if (isDeleted) return (record.flags & PrepareFlag.streamDelete) === 0;
  if (record.eventNumber >= last) return false;
  if (record.eventNumber < keepFrom) return true;
  return cutoff.isSet && isBeforeCutoff(cutoff, record.timeHigh, record.timeLow);
}
