/**
 * A scavenge point freezes position, time and threshold of a scavenge. It is an ordinary event of the stream
 * `$scavengePoints`: its position, number and time are those of the record, only the threshold is in the data.
 * Everything at or behind its position is invisible to its scavenge.
 */
import type { AtPosition, Threshold } from '../../units/of-unit.ts';
import { SCAVENGE_POINTS_STREAM, SCAVENGE_POINT_TYPE } from '../../database/event-appender.ts';
import { logCorrupt } from '../../errors.ts';
import type { LogRecord } from '../../records/log-record.ts';
import { ticksToIso, type Ticks } from '../../units/ticks.ts';

export interface ScavengePoint {
  /** Event number in `$scavengePoints`: 0, 1, 2, … */
  number: number;
  /** Position of the record; exclusive end of what may be discarded. */
  position: AtPosition;
  /** "Now" for `$maxAge`. */
  effectiveNow: Ticks;
  /** Below 0: every chunk; 0: chunks with weight; above: chunks with at least this weight. */
  threshold: Threshold;
}

const INT32_MAX = 2147483647;
const INT32_MIN = -2147483648;

/** The threshold in the data of a scavenge point; a missing one is 0. Undefined when the data is not readable. */
export function decodeScavengePointData(data: Uint8Array): { threshold: number } | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('utf8'));
  } catch {
    return undefined; // told by the caller, who knows where the record lies
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
  const threshold = (parsed as { threshold?: unknown }).threshold ?? 0;
  if (typeof threshold !== 'number' || !Number.isInteger(threshold)) return undefined;
  return threshold >= INT32_MIN && threshold <= INT32_MAX ? { threshold } : undefined;
}

export function isScavengePointRecord(record: LogRecord): boolean {
  return (
    record.kind === 'prepare' &&
    record.stream === SCAVENGE_POINTS_STREAM &&
    record.eventType === SCAVENGE_POINT_TYPE
  );
}

/** Reads the point out of its record. */
export function scavengePointOf(record: LogRecord): ScavengePoint {
  if (!isScavengePointRecord(record)) {
    throw logCorrupt(
      `The last event of ${SCAVENGE_POINTS_STREAM}, at position ${record.position}, is of type ` +
        `"${record.eventType}", not a scavenge point.`,
      { position: record.position },
      'Find out who wrote to this stream, then write a new scavenge point ("--scavenge-point new").'
    );
  }
  const payload = decodeScavengePointData(record.data);
  if (!payload) {
    throw logCorrupt(`The scavenge point at position ${record.position} has unreadable data.`, {
      position: record.position
    });
  }
  return {
    number: record.eventNumber,
    position: record.position,
    effectiveNow: record.ticks,
    threshold: payload.threshold
  };
}

/** undefined where the record is none, or one that nobody can read. */
export function readablePointOf(record: LogRecord): ScavengePoint | undefined {
  return isScavengePointRecord(record) && decodeScavengePointData(record.data)
    ? scavengePointOf(record)
    : undefined;
}

/** For messages: which point is meant. */
export function describeScavengePoint(point: ScavengePoint): string {
  return `scavenge point ${point.number} at position ${point.position} of ${ticksToIso(point.effectiveNow)}`;
}
