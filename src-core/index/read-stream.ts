/**
 * Reading a stream as a client of the server would: one event, or a page forward or backward, with the stream's
 * metadata in force. `$maxCount` and `$tb` hide by number, `$maxAge` by time; a soft-deleted stream reads as none.
 *
 * Results name events by number and position; a caller that needs its content reads the record again. A fault of
 * index or log that the read ran into is a result too.
 */
import { assert } from '../assert.ts';
import type { EngineError } from '../errors.ts';
import type { StreamMetadata } from '../records/stream-metadata.ts';
import { DELETED_STREAM_EVENT_NUMBER, INT64_MAX } from '../units/event-number.ts';
import { TICKS_PER_SECOND } from '../units/ticks.ts';
import type { IndexEntry } from './index-entry.ts';
import { isReadFault, type StreamIndex } from './stream-index.ts';

export type ReadResult = 'success' | 'noStream' | 'streamDeleted' | 'notFound' | 'error';

export interface StreamEvent {
  number: number;
  position: number;
}

export interface StreamPage {
  result: ReadResult;
  /** In the direction of the read. */
  events: StreamEvent[];
  /** Where the next page begins; -1 at the end of a backward read. */
  nextEventNumber: number;
  isEndOfStream: boolean;
  lastEventNumber: number;
  /** Set when the result is `error`. */
  error?: EngineError;
}

export interface PageRequest {
  stream: string;
  /** Forward: first number. Backward: highest number, negative for the last. */
  from: number;
  count: number;
  /** Ticks against which `$maxAge` is measured. */
  now: bigint;
  /** Of a caller that has looked: the number of the last event, and the metadata in force. */
  known?: { last: number; metadata: StreamMetadata };
}

/** What a read finds out about the stream before it reads entries. */
interface Visible {
  last: number;
  /** Lowest number that is visible. */
  min: number;
  /** Events with ticks below this are hidden; undefined without `$maxAge`. */
  oldestTicks: bigint | undefined;
}

export function readStreamForward(index: StreamIndex, request: PageRequest): StreamPage {
  return guarded(index, request, forward);
}

export function readStreamBackward(index: StreamIndex, request: PageRequest): StreamPage {
  return guarded(index, request, backward);
}

/** The event with one number, or the last one for -1. Gives `notFound` for a number that is hidden or not there. */
export function readStreamEvent(index: StreamIndex, stream: string, number: number, now: bigint): StreamPage {
  return guarded(index, { stream, from: number, count: 1, now }, (_request, { last, min, oldestTicks }) => {
    const wanted = number < 0 ? last : number;
    const missing = page('notFound', [], -1, true, last);
    if (wanted < min || wanted > last) return missing;
    const position = index.firstWritten(stream, wanted);
    if (position === undefined || isExpired(index, stream, position, oldestTicks)) return missing;
    return page('success', [{ number: wanted, position }], wanted + 1, wanted >= last, last);
  });
}

type Read = (request: PageRequest, visible: Visible, index: StreamIndex) => StreamPage;

function page(
  result: ReadResult,
  events: StreamEvent[],
  nextEventNumber: number,
  isEndOfStream: boolean,
  lastEventNumber: number
): StreamPage {
  return { result, events, nextEventNumber, isEndOfStream, lastEventNumber };
}

/** Deleted and unknown streams, limits of visibility, and faults: the same for every kind of read. */
function guarded(index: StreamIndex, request: PageRequest, read: Read): StreamPage {
  assert(request.count > 0, 'a page has room for an event');
  try {
    const { known } = request;
    const last = known?.last ?? index.lastEventNumber(request.stream);
    if (last === DELETED_STREAM_EVENT_NUMBER) return page('streamDeleted', [], -1, true, last);
    if (last < 0) return page('noStream', [], -1, true, -1);
    const metadata = known?.metadata ?? index.metadata(request.stream);
    if (metadata.truncateBefore === INT64_MAX) return page('noStream', [], -1, true, last);
    return read(request, visibleOf(metadata, last, request.now), index);
  } catch (error) {
    if (!isReadFault(error)) throw error;
    return { ...page('error', [], -1, true, -1), error };
  }
}

function visibleOf(
  { maxCount, maxAgeSeconds, truncateBefore }: StreamMetadata,
  last: number,
  now: bigint
): Visible {
  let min = 0;
  if (maxCount !== null) min = Math.max(min, last - Number(maxCount) + 1);
  if (truncateBefore !== null) min = Math.max(min, Number(truncateBefore));
  const oldestTicks = maxAgeSeconds === null ? undefined : now - maxAgeSeconds * TICKS_PER_SECOND;
  return { last, min, oldestTicks };
}

/** True when the event has no record in the stream, or an expired one. */
function isExpired(
  index: StreamIndex,
  stream: string,
  position: number,
  oldestTicks: bigint | undefined
): boolean {
  const record = index.recordOf(stream, position);
  return record === undefined || (oldestTicks !== undefined && record.ticks < oldestTicks);
}

function forward(request: PageRequest, visible: Visible, index: StreamIndex): StreamPage {
  const { stream, from, count } = request;
  const { last, min, oldestTicks } = visible;
  const end = Math.min(DELETED_STREAM_EVENT_NUMBER, from + count - 1);
  if (end < min) return page('success', [], min, false, last);
  const start = Math.max(from, min);
  if (start > last) return page('success', [], last + 1, true, last);
  if (oldestTicks !== undefined)
    return forwardByAge(request, { ...visible, oldestTicks }, index, { start, end });
  const events = verified(index, stream, index.entries.range(index.hashOf(stream), start, end)).reverse();
  const next = events.length > 0 ? events.at(-1)!.number + 1 : nextPageStart(index, stream, end + 1, last);
  return page('success', events, next, end >= last, last);
}

/**
 * Where to go on behind a page without events: at the next entry, however far away. Page by page a gap of 2^50
 * numbers, which one damaged entry is enough for, would never end.
 */
function nextPageStart(index: StreamIndex, stream: string, from: number, last: number): number {
  if (from > last) return last + 1;
  const entry = index.entries.nextAtOrAbove(index.hashOf(stream), from);
  return entry ? Math.min(entry.number, last + 1) : last + 1;
}

/**
 * Expired events are usually the oldest ones, and there may be many: a page that holds only such ones leads on to
 * the first event that is not expired, found by bisection, instead of to the page behind it.
 */
function forwardByAge(
  { stream, from, count }: PageRequest,
  { last, oldestTicks }: Visible & { oldestTicks: bigint },
  index: StreamIndex,
  { start, end }: { start: number; end: number }
): StreamPage {
  const hash = index.hashOf(stream);
  const atEnd = page('success', [], last + 1, true, last);
  let pageEnd = end;
  let entries = index.entries.range(hash, start, pageEnd);
  if (entries.length === 0) {
    const next = index.entries.nextAtOrAbove(hash, start);
    if (!next) return atEnd;
    pageEnd = Math.min(DELETED_STREAM_EVENT_NUMBER, next.number + count - 1);
    entries = index.entries.range(hash, next.number, pageEnd);
  }
  const events: StreamEvent[] = [];
  for (const event of verified(index, stream, entries)) {
    if (isExpired(index, stream, event.position, oldestTicks)) break;
    events.push(event);
  }
  if (events.length > 0) {
    return page('success', events.reverse(), events.at(-1)!.number + 1, pageEnd >= last, last);
  }
  const lastPosition = index.firstWritten(stream, last);
  const isNothingLeft =
    lastPosition === undefined || last < from || isExpired(index, stream, lastPosition, oldestTicks);
  if (isNothingLeft) return atEnd;
  const above = entries[0]?.number ?? start;
  const first = firstUnexpired(index, stream, { from: above + 1, to: last, oldestTicks });
  return page('success', [], first, false, last);
}

/** Number of the first event in the range that is not expired. That at `to` is known not to be. */
function firstUnexpired(
  index: StreamIndex,
  stream: string,
  { from, to, oldestTicks }: { from: number; to: number; oldestTicks: bigint }
): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2);
    const event = nextEvent(index, stream, middle, high);
    if (!event || !isExpired(index, stream, event.position, oldestTicks)) high = middle;
    else low = event.number + 1;
  }
  return low;
}

/** The first event of the stream at or above `number` and not above `to`. */
function nextEvent(index: StreamIndex, stream: string, number: number, to: number): StreamEvent | undefined {
  const hash = index.hashOf(stream);
  let from = number;
  while (from <= to) {
    const entry = index.entries.nextAtOrAbove(hash, from);
    if (!entry || entry.number > to) return undefined;
    const position = index.firstWritten(stream, entry.number);
    if (position !== undefined) return { number: entry.number, position };
    from = entry.number + 1;
  }
  return undefined;
}

function backward(
  { stream, from, count }: PageRequest,
  { last, min, oldestTicks }: Visible,
  index: StreamIndex
): StreamPage {
  const end = from < 0 ? last : from;
  if (end < min) return page('success', [], -1, true, last);
  let start = Math.max(0, end - count + 1);
  let isEndOfStream = start <= min;
  if (isEndOfStream) start = min;
  const found = verified(index, stream, index.entries.range(index.hashOf(stream), start, end));
  const events =
    oldestTicks === undefined
      ? found
      : found.filter((event) => !isExpired(index, stream, event.position, oldestTicks));
  // Nothing at the lower end of the page means nothing further down, as scavenging removes from below.
  if (start === 0 || (start <= last && events.at(-1)?.number !== start)) isEndOfStream = true;
  return page('success', events, isEndOfStream ? -1 : Math.min(start - 1, last), isEndOfStream, last);
}

/** Entries, newest first, as events of the stream: one for each number, that which was written first. */
function verified(index: StreamIndex, stream: string, entries: readonly IndexEntry[]): StreamEvent[] {
  const events: StreamEvent[] = [];
  for (const { number, position } of entries) {
    if (!index.recordOf(stream, position)) continue;
    const previous = events.at(-1);
    if (previous?.number !== number) events.push({ number, position });
    else if (position < previous.position) previous.position = position;
  }
  return events;
}
