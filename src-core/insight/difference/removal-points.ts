/** The scavenge points that can explain what is gone from a log, as far as the log itself knows them. */
import { SCAVENGE_POINTS_STREAM } from '../../database/event-appender.ts';
import { isReadFault, type StreamIndex } from '../../index/stream-index.ts';
import type { LogReader } from '../../log/log-reader.ts';
import { isScavengePointRecord, scavengePointOf } from '../../scavenge/points/scavenge-point.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../../units/event-number.ts';
import type { RemovalPoint } from './removal-judge.ts';

/** Points after the end that is asked about: more than a cluster makes between two backups. */
const MOST_POINTS = 10_000;

/** The newest point that lies before a position; undefined without one, or where it cannot be read. */
export function newestPointBefore(
  log: LogReader,
  index: StreamIndex,
  position: number
): RemovalPoint | undefined {
  try {
    const newest = index.lastEventNumber(SCAVENGE_POINTS_STREAM);
    if (newest === DELETED_STREAM_EVENT_NUMBER) return undefined;
    for (let number = newest; number >= 0 && number > newest - MOST_POINTS; number--) {
      const at = index.firstWritten(SCAVENGE_POINTS_STREAM, number);
      if (at === undefined || at >= position) continue;
      const record = log.readAt(at);
      if (!record || !isScavengePointRecord(record)) continue;
      const point = scavengePointOf(record);
      return { position: point.position, effectiveNow: point.effectiveNow, from: 'log' };
    }
  } catch (error) {
    if (!isReadFault(error)) throw error;
  }
  return undefined;
}

/** Stands for a point that nobody knows: the end of the log, as of its last record. */
export function pointAtEnd(log: LogReader): RemovalPoint | undefined {
  try {
    const last = log.findBackward(log.end, ({ kind }) => kind !== 'system');
    return last && { position: log.end, effectiveNow: last.ticks, from: 'end' };
  } catch (error) {
    if (!isReadFault(error)) throw error;
    return undefined;
  }
}
