/**
 * The streams of the scavenges that no log records, from our own history: the events that a log would have, with the
 * numbers they would have there. Events past the retention are not shown. Pure.
 */
import { createHash } from 'node:crypto';
import {
  completedEvent,
  SERVER_RESULTS,
  startedEvent,
  timeTakenFromMs,
  winnowNodeOf
} from '../../src-core/index.ts';
import { isExpired, type RecordedScavenge } from '../settings/scavenge-records.ts';
import { streamOfRun, type FeedEvent } from './scavenge-feed.ts';

export interface Retention {
  nowMs: number;
  /** undefined: the default. */
  maxAgeDays: number | undefined;
}

/** Start or end of a run, as `$scavenges` lists them. */
export interface ListedOwnEvent {
  /** Number of events before it, including removed ones: never changes. */
  index: number;
  event: FeedEvent;
}

/** All events of a run that are within the retention, oldest first. */
export function eventsOfRecord(run: RecordedScavenge, retention: Retention): FeedEvent[] {
  return allEventsOf(run).filter(({ updated }) => !isExpired(updated, retention.nowMs, retention.maxAgeDays));
}

/** Starts and ends of all runs, oldest first, and their number including those already removed. */
export function listedOwnEvents(
  runs: readonly RecordedScavenge[],
  removedEvents: number,
  retention: Retention
): { events: ListedOwnEvent[]; total: number } {
  const all = runs
    .flatMap((run) => {
      const events = allEventsOf(run);
      return run.end ? [events[0]!, events.at(-1)!] : [events[0]!];
    })
    .sort((a, b) => (a.updated < b.updated ? -1 : a.updated > b.updated ? 1 : 0))
    .map((event, at) => ({ index: removedEvents + at, event }));
  const events = all.filter(({ event }) => !isExpired(event.updated, retention.nowMs, retention.maxAgeDays));
  return { events, total: removedEvents + all.length };
}

function allEventsOf({ start, end, events }: RecordedScavenge): FeedEvent[] {
  const { scavengeId, hostName } = start;
  const run = { scavengeId, nodeEndpoint: winnowNodeOf(hostName) };
  const streamId = streamOfRun(scavengeId);
  const event = (eventNumber: number, eventType: string, updated: string, data: string): FeedEvent => ({
    eventId: stableId(scavengeId, eventNumber),
    ...{ eventType, eventNumber, data, streamId, updated }
  });
  const { eventType, data } = startedEvent(run);
  const told = [
    event(0, eventType, start.at, textOf(data)),
    ...events.map((done, at) => event(at + 1, done.type, done.at, done.data))
  ];
  if (end) {
    const completed = completedEvent(run, {
      result: SERVER_RESULTS[end.result],
      error: end.error,
      timeTaken: timeTakenFromMs(Math.max(0, Date.parse(end.at) - Date.parse(start.at))),
      spaceSavedBytes: end.spaceSavedBytes,
      maxChunkScavenged: maxChunkOf(events)
    });
    told.push(event(told.length, completed.eventType, end.at, textOf(completed.data)));
  }
  return told;
}

/** The highest chunk that was executed; merges do not count. The file may have been edited by hand. */
function maxChunkOf(events: RecordedScavenge['events']): number {
  return events.reduce((most, { type, data }) => {
    if (type !== '$scavengeChunksCompleted') return most;
    try {
      const { chunkEndNumber } = JSON.parse(data) as { chunkEndNumber?: unknown };
      return Number.isSafeInteger(chunkEndNumber) ? Math.max(most, chunkEndNumber as number) : most;
    } catch {
      return most;
    }
  }, 0);
}

function textOf(data: Uint8Array): string {
  return Buffer.from(data).toString('utf8');
}

/** The same event has the same id in every answer. */
function stableId(scavengeId: string, eventNumber: number): string {
  const hash = createHash('sha256').update(`${scavengeId}/${eventNumber}`).digest('hex');
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    hash.slice(12, 16),
    hash.slice(16, 20),
    hash.slice(20, 32)
  ].join('-');
}
