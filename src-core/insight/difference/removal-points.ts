/** The scavenge points that can explain what is gone from a log, as far as the log itself knows them. */
import { isReadFault, type StreamIndex } from '../../index/stream-index.ts';
import type { LogReader } from '../../log/log-reader.ts';
import { newestPointBefore } from '../../scavenge/points/find-scavenge-point.ts';
import type { RemovalPoint } from './removal-judge.ts';

/** The newest point that lies before a position; undefined without one, or where it cannot be read. */
export function removalPointBefore(
  log: LogReader,
  index: StreamIndex,
  position: number
): RemovalPoint | undefined {
  try {
    const point = newestPointBefore(log, index, position);
    return point && { position: point.position, effectiveNow: point.effectiveNow, from: 'log' };
  } catch (error) {
    if (!isReadFault(error)) throw error;
    return undefined;
  }
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
