/**
 * Up to where a stream's events can go: one number, the first event number to keep. Zero keeps everything.
 * Discard points of a stream never move backward: what one scavenge gave up cannot be asked for by a later one.
 */
import { assert } from '../../assert.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../../units/event-number.ts';

export type DiscardPoint = number & { readonly unit: 'DiscardPoint' };

export const KEEP_ALL = 0 as DiscardPoint;

/** Discards every event number below `eventNumber`. */
export function discardBefore(eventNumber: number): DiscardPoint {
  assert(eventNumber >= 0, `discard point ${eventNumber} is not negative`);
  return eventNumber as DiscardPoint;
}

/** Discards `eventNumber` and everything below. Nothing can be behind a tombstone's number, so that is refused. */
export function discardIncluding(eventNumber: number): DiscardPoint {
  assert(
    eventNumber < DELETED_STREAM_EVENT_NUMBER,
    'a discard point lies at or before the largest event number'
  );
  return discardBefore(eventNumber + 1);
}

/** The point that discards what one of the two discards. */
export function discardEither(a: DiscardPoint, b: DiscardPoint): DiscardPoint {
  return a > b ? a : b;
}

export function discards(point: DiscardPoint, eventNumber: number): boolean {
  return eventNumber < point;
}
