/**
 * The newest scavenge point of a log: the last event of `$scavengePoints`, as the server has it, which errors where that
 * is something else; or, for those that need no point in the log, the newest one among whatever was written there.
 */
import { SCAVENGE_POINTS_STREAM } from '../../database/event-appender.ts';
import { logCorrupt, requireFault } from '../../errors.ts';
import type { StreamIndex } from '../../index/stream-index.ts';
import type { LogReader } from '../../log/log-reader.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../../units/event-number.ts';
import { readablePointOf, scavengePointOf, type ScavengePoint } from './scavenge-point.ts';

/** Events that are looked at: more than a cluster makes of them between two backups, and not all that anybody may write there. */
const MOST_EVENTS = 10_000;

/** LogCorrupt where the last event is no scavenge point. */
export function findLatestScavengePoint(log: LogReader, index: StreamIndex): ScavengePoint | undefined {
  requireOpenPoints(index);
  const number = index.lastEventNumber(SCAVENGE_POINTS_STREAM);
  if (number < 0) return undefined;
  const position = index.firstWritten(SCAVENGE_POINTS_STREAM, number);
  const record = position === undefined ? undefined : log.readAt(position);
  if (!record) throw index.missingEvent(SCAVENGE_POINTS_STREAM, number);
  return scavengePointOf(record);
}

/** LogCorrupt where the stream is hard-deleted. */
export function requireOpenPoints(index: StreamIndex): void {
  if (index.lastEventNumber(SCAVENGE_POINTS_STREAM) !== DELETED_STREAM_EVENT_NUMBER) return;
  const position = index.firstWritten(SCAVENGE_POINTS_STREAM, DELETED_STREAM_EVENT_NUMBER);
  throw logCorrupt(
    `The stream ${SCAVENGE_POINTS_STREAM} is hard-deleted; scavenge points can no longer be written.`,
    position === undefined ? {} : { position },
    'Use "--scavenge-point detached", which needs no scavenge point in the log.'
  );
}

/** What else lies there is passed over. */
export function findNewestReadablePoint(log: LogReader, index: StreamIndex): ScavengePoint | undefined {
  try {
    return findLatestScavengePoint(log, index);
  } catch (error) {
    requireFault(error, 'LogCorrupt');
    return newestPointBefore(log, index, log.end);
  }
}

/** The newest readable one that lies before a position. Throws where log or index cannot be read. */
export function newestPointBefore(
  log: Pick<LogReader, 'readAt'>,
  index: StreamIndex,
  before: number
): ScavengePoint | undefined {
  const hash = index.hashOf(SCAVENGE_POINTS_STREAM);
  const isOfStream = (position: number) => index.recordOf(SCAVENGE_POINTS_STREAM, position) !== undefined;
  let end = before;
  for (let seen = 0; seen < MOST_EVENTS; seen++) {
    const entry = index.entries.latestBefore(hash, end, isOfStream);
    const record = entry && log.readAt(entry.position);
    if (!record) return undefined;
    const point = readablePointOf(record);
    if (point) return point;
    end = record.position;
  }
  return undefined;
}
