/**
 * The newest scavenge point of a log: the last event of `$scavengePoints`.
 */
import { SCAVENGE_POINTS_STREAM } from '../../database/event-appender.ts';
import { logCorrupt } from '../../errors.ts';
import type { StreamIndex } from '../../index/stream-index.ts';
import type { LogReader } from '../../log/log-reader.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../../units/event-number.ts';
import { scavengePointOf, type ScavengePoint } from './scavenge-point.ts';

export function findLatestScavengePoint(log: LogReader, index: StreamIndex): ScavengePoint | undefined {
  const number = index.lastEventNumber(SCAVENGE_POINTS_STREAM);
  if (number < 0) return undefined;
  const position = index.firstWritten(SCAVENGE_POINTS_STREAM, number);
  if (number === DELETED_STREAM_EVENT_NUMBER) {
    throw logCorrupt(
      `The stream ${SCAVENGE_POINTS_STREAM} is hard-deleted; scavenge points can no longer be written.`,
      position === undefined ? {} : { position },
      'Use "--scavenge-point detached", which needs no scavenge point in the log.'
    );
  }
  const record = position === undefined ? undefined : log.readAt(position);
  if (!record) throw index.missingEvent(SCAVENGE_POINTS_STREAM, number);
  return scavengePointOf(record);
}
