/**
 * The scavenges that a log tells of, a server's and ours. Read through the index: `$scavenges` says which runs
 * there are, of each its stream says how it went. Events may be missing or out of order, because servers write
 * them without waiting; a run without an end is an interrupted one. Nothing is hidden for its age: what the log
 * still holds is told.
 */
import { scavengeResultOf, type ScavengeResult } from '../../units/scavenge-terms.ts';
import { SCAVENGE_POINTS_STREAM } from '../../database/event-appender.ts';
import { readStreamBackward, readStreamForward } from '../../index/read-stream.ts';
import type { StreamIndex } from '../../index/stream-index.ts';
import type { LogReader } from '../../log/log-reader.ts';
import type { LogRecord } from '../../records/log-record.ts';
import type { Ticks } from '../../units/ticks.ts';
import { readablePointOf, type ScavengePoint } from '../points/scavenge-point.ts';
import {
  HISTORY_RESTARTED,
  HistoryEventType,
  SCAVENGES_STREAM,
  decodeHistoryPayload,
  decodeLink,
  isWinnowNode,
  runStreamOf,
  type HistoryPayload
} from './history-events.ts';

export type LoggedResult = ScavengeResult | 'interrupted';

export interface LoggedRun {
  scavengeId: string;
  /** undefined when no event names one. */
  nodeEndpoint: string | undefined;
  started: Ticks;
  /** undefined when the log holds no end. */
  ended: Ticks | undefined;
  result: LoggedResult;
  error: string | undefined;
  /** Ticks; of a run without an end the sum of what its events say, as are the two that follow. */
  timeTaken: number;
  spaceSavedBytes: number;
  maxChunkScavenged: number;
  /** The point it worked to, as far as the log tells; `isNew`: written for this run. */
  point: (ScavengePoint & { isNew: boolean }) | undefined;
}

export interface HistorySource {
  log: Pick<LogReader, 'readAt'>;
  index: StreamIndex;
  breathe: () => Promise<void>;
  /** Only the newest runs, so many. */
  newest?: number | undefined;
}

const PAGE_EVENTS = 50;
/** A time before all events: age hides nothing. */
const NO_AGE = 0n;

/** All runs, oldest first. */
export async function readLogHistory(source: HistorySource): Promise<LoggedRun[]> {
  const runs: ReadRun[] = [];
  for (const scavengeId of await readRunIds(source)) {
    const run = await readRun(source, scavengeId);
    if (run) runs.push(run);
  }
  if (runs.length === 0) return [];
  runs.sort((a, b) => a.fromPosition - b.fromPosition);
  const points = await readPoints(source);
  return runs.map(({ fromPosition, endPosition, ...run }, at) => {
    const end = endPosition ?? runs[at + 1]?.fromPosition ?? Number.POSITIVE_INFINITY;
    return { ...run, point: pointOf(run, points, { from: fromPosition, end }) };
  });
}

async function readRunIds(source: HistorySource): Promise<Set<string>> {
  const ids = new Set<string>();
  await forEachBackward(source, SCAVENGES_STREAM, ({ eventType, data }) => {
    const id = decodeLink(eventType, data);
    if (id !== undefined) ids.add(id);
    return source.newest === undefined || ids.size < source.newest;
  });
  return ids;
}

async function readPoints(source: HistorySource): Promise<ScavengePoint[]> {
  const points: ScavengePoint[] = [];
  await forEachBackward(source, SCAVENGE_POINTS_STREAM, (record) => {
    const point = readablePointOf(record);
    if (point) points.push(point);
    return true;
  });
  return points.sort((a, b) => a.position - b.position);
}

/**
 * A server writes its point between the start and the end of the run, this engine directly before the start. A
 * run without a point of its own used, or resumed, the newest one.
 */
function pointOf(
  { nodeEndpoint }: Pick<LoggedRun, 'nodeEndpoint'>,
  points: readonly ScavengePoint[],
  { from, end }: { from: number; end: number }
): LoggedRun['point'] {
  const after = firstAtOrAfter(points, from);
  const before = points[after - 1];
  const isOurs = nodeEndpoint !== undefined && isWinnowNode(nodeEndpoint);
  const next = points[after];
  const within = isOurs ? before : next && next.position < end ? next : undefined;
  if (within) return { ...within, isNew: true };
  return before && { ...before, isNew: false };
}

/** Index of the first point at or after a position; their number without one. `points`: in the order of the log. */
function firstAtOrAfter(points: readonly ScavengePoint[], position: number): number {
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (points[middle]!.position < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface ReadRun extends Omit<LoggedRun, 'point'> {
  /** Of the first event that is there. */
  fromPosition: number;
  endPosition: number | undefined;
}

interface SeenEvent extends HistoryPayload {
  ticks: Ticks;
  position: number;
}

/** undefined when nothing of the run is left but links. */
async function readRun(source: HistorySource, scavengeId: string): Promise<ReadRun | undefined> {
  const stream = runStreamOf(scavengeId);
  let start: SeenEvent | undefined;
  let end: SeenEvent | undefined;
  let oldest: SeenEvent | undefined;
  const sums = { timeTaken: 0, spaceSavedBytes: 0, maxChunkScavenged: 0 };
  await forEachBackward(source, stream, (record) => {
    const event = seenEvent(record);
    oldest = event;
    if (record.eventType === HistoryEventType.completed) end = event;
    else if (record.eventType === HistoryEventType.started) start = event;
    else {
      sums.timeTaken += event.timeTaken ?? 0;
      sums.spaceSavedBytes += event.spaceSavedBytes ?? 0;
      sums.maxChunkScavenged = Math.max(sums.maxChunkScavenged, event.chunkEnd ?? 0);
    }
    // With the end known the thousands of events before it say nothing new.
    return end === undefined;
  });
  if (end) start = firstEvent(source, stream);
  const first = start ?? oldest;
  if (!first) return undefined;
  return {
    scavengeId,
    nodeEndpoint: end?.nodeEndpoint ?? first.nodeEndpoint,
    started: end && !start ? startBefore(end) : first.ticks,
    ended: end?.ticks,
    result: end ? resultOf(end) : 'interrupted',
    error: end?.error,
    timeTaken: end?.timeTaken ?? sums.timeTaken,
    spaceSavedBytes: end?.spaceSavedBytes ?? sums.spaceSavedBytes,
    maxChunkScavenged: end?.maxChunkScavenged ?? sums.maxChunkScavenged,
    fromPosition: first.position,
    endPosition: end?.position
  };
}

function seenEvent(record: LogRecord): SeenEvent {
  return { ...decodeHistoryPayload(record.data), ticks: record.ticks, position: record.position };
}

/** The start of a run of which the end is known; undefined when it is gone. */
function firstEvent({ index, log }: HistorySource, stream: string): SeenEvent | undefined {
  const [first] = readStreamForward(index, { stream, from: 0, count: 1, now: NO_AGE }).events;
  const record = first && log.readAt(first.position);
  return record?.eventType === HistoryEventType.started ? seenEvent(record) : undefined;
}

function startBefore({ ticks, timeTaken }: SeenEvent): Ticks {
  return (ticks - BigInt(timeTaken ?? 0)) as Ticks;
}

function resultOf({ result, error }: SeenEvent): LoggedResult {
  switch (result) {
    case 'Interrupted':
      return 'interrupted';
    case 'Failed':
      return error === HISTORY_RESTARTED ? 'interrupted' : 'errored';
    default:
      return scavengeResultOf(result) ?? 'errored';
  }
}

/** Calls `visit` for the events of a stream, newest first, until it says false. Records are views. */
async function forEachBackward(
  { index, log, breathe }: HistorySource,
  stream: string,
  visit: (record: LogRecord) => boolean
): Promise<void> {
  for (let from = -1; ;) {
    const page = readStreamBackward(index, { stream, from, count: PAGE_EVENTS, now: NO_AGE });
    if (page.error) throw page.error;
    for (const { position } of page.events) {
      const record = log.readAt(position);
      if (record && !visit(record)) return;
    }
    if (page.isEndOfStream || page.nextEventNumber < 0) return;
    from = page.nextEventNumber;
    await breathe();
  }
}
