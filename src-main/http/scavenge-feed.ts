/**
 * The streams of scavenges as feeds: `$scavenges` with the start and the end of each run, and each run's own
 * stream. Runs that the log tells of have their events there; those of our own history get the same two.
 */
import { createHash } from 'node:crypto';
import { formatTimeSpan } from '../../src-core/index.ts';
import type { EventRow, HistoryRun } from '../operations/reports.ts';

export interface FeedEvent {
  eventId: string;
  eventType: string;
  eventNumber: number;
  /** JSON, or what the event holds instead. */
  data: string;
  streamId: string;
  updated: string;
}

/** An event where a feed shows it: in its own stream, or by a link in `$scavenges`. */
export interface FeedEntry {
  event: FeedEvent;
  positionStreamId: string;
  positionEventNumber: number;
}

export interface Feed {
  streamId: string;
  /** Newest first. */
  entries: FeedEntry[];
  /** Whether the newest event of the stream is among them. */
  isHead: boolean;
}

const SCAVENGES = '$scavenges';
const PAGE = 20;
const RESULTS = {
  success: 'Success',
  stopped: 'Stopped',
  errored: 'Errored',
  interrupted: 'Interrupted'
} as const;

/** The newest links, as many as a page has. `runs`: newest first. */
export function scavengesFeed(runs: readonly HistoryRun[]): Feed {
  const events = runs
    .flatMap(eventsOfRun)
    .sort((a, b) => (a.updated < b.updated ? -1 : a.updated > b.updated ? 1 : 0));
  const entries = events.map((event, index) => ({
    event,
    positionStreamId: SCAVENGES,
    positionEventNumber: index
  }));
  return { streamId: SCAVENGES, entries: entries.slice(-PAGE).reverse(), isHead: true };
}

/** The two events of a run of our own history; the log has no others of it. */
export function eventsOfRun(run: HistoryRun): FeedEvent[] {
  const head = { scavengeId: run.scavengeId, nodeEndpoint: run.node ?? '' };
  const streamId = streamOfRun(run.scavengeId);
  const event = (eventNumber: number, eventType: string, updated: string, data: object): FeedEvent => ({
    eventId: stableId(run.scavengeId, eventNumber),
    eventType,
    eventNumber,
    data: JSON.stringify(data, undefined, 2),
    streamId,
    updated
  });
  const started = event(0, '$scavengeStarted', run.startedAt, head);
  if (run.endedAt === null || run.result === 'resumed') return [started];
  const completed = event(1, '$scavengeCompleted', run.endedAt, {
    ...head,
    result: RESULTS[run.result],
    error: run.error,
    timeTaken: formatTimeSpan(BigInt(Math.round(run.elapsedMs ?? 0)) * 10_000n),
    spaceSaved: run.spaceSavedBytes,
    maxChunkScavenged: 0
  });
  return [started, completed];
}

export function streamOfRun(scavengeId: string): string {
  return `${SCAVENGES}-${scavengeId}`;
}

/** Events of a run's own stream, newest first. */
export function runFeed(streamId: string, events: readonly FeedEvent[], isHead: boolean): Feed {
  const entries = events.map((event) => ({
    event,
    positionStreamId: streamId,
    positionEventNumber: event.eventNumber
  }));
  return { streamId, entries, isHead };
}

export function feedEventOfRow(row: EventRow): FeedEvent {
  return {
    eventId: row.eventId,
    eventType: row.eventType,
    eventNumber: Number(row.eventNumber),
    data: row.data ?? '',
    streamId: row.stream,
    updated: row.time
  };
}

/** The document of a feed. `baseUrl` without a slash at its end. */
export function feedDocument(feed: Feed, baseUrl: string, hasBodies: boolean): object {
  const self = `${baseUrl}/streams/${encodeURIComponent(feed.streamId)}`;
  const newest = feed.entries[0];
  const author = { name: 'Winnow' };
  return {
    title: `Event stream '${feed.streamId}'`,
    id: self,
    updated: newest?.event.updated ?? '0001-01-01T00:00:00.0000000Z',
    streamId: feed.streamId,
    author,
    headOfStream: feed.isHead,
    selfUrl: self,
    eTag: `${newest?.positionEventNumber ?? -1};0`,
    links: [{ uri: self, relation: 'self', type: null }],
    entries: feed.entries.map(({ event, positionStreamId, positionEventNumber }) => {
      const id = `${baseUrl}/streams/${encodeURIComponent(event.streamId)}/${event.eventNumber}`;
      const body = {
        eventId: event.eventId,
        eventType: event.eventType,
        eventNumber: event.eventNumber,
        data: event.data,
        metaData: null,
        linkMetaData: null,
        streamId: event.streamId,
        isJson: true,
        isMetaData: false,
        isLinkMetaData: false,
        isRedacted: false,
        positionEventNumber,
        positionStreamId
      };
      return {
        ...(hasBodies ? body : {}),
        title: `${event.eventNumber}@${event.streamId}`,
        id,
        updated: event.updated,
        author,
        summary: positionStreamId === event.streamId ? event.eventType : '$>',
        links: [{ uri: id, relation: 'alternate', type: null }]
      };
    })
  };
}

/** The same event has the same id each time it is asked for. */
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
