/**
 * The streams of scavenges as sources of feeds. Streams in the log are read as any reader would read them, so that their
 * metadata hides what is too old; our own history follows the setting.
 */
import { requireFault } from '../../src-core/index.ts';
import type { EventRow } from '../contract/operations/reports.ts';
import { DEFAULT_MAX_AGE_DAYS, type RecordedScavenge } from '../settings/scavenge-records.ts';
import { linkOf, listScavenges, type ListedEvent, type LogLink } from './listed-scavenges.ts';
import { eventsOfRecord, listedOwnEvents, type Retention } from './recorded-runs.ts';
import { streamOfRun, type FeedEntry, type FeedEvent, type FeedSource } from './scavenge-feed.ts';

export interface WantedEvents {
  stream: string;
  /** undefined: from the end, or from the beginning. */
  from: number | undefined;
  count: number;
  direction: 'backward' | 'forward';
}

export interface HistoryParts {
  /** Events of a stream in the log; fails with StreamNotFound. */
  readEvents: (wanted: WantedEvents) => Promise<EventRow[]>;
  /** The runs in our own history, in the order they began, and the number of removed listed events of older ones. */
  recorded: () => { runs: RecordedScavenge[]; removedEvents: number };
  maxAgeDays: number | undefined;
  clock: () => number;
}

const SCAVENGES = '$scavenges';
const RUN_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Two for each run: years of daily ones. */
const MOST_LINKS = 5000;
/** Reading all links takes a moment; a page requested again at once may come from the cache. */
const KEPT_MS = 1000;
const SECONDS_PER_DAY = 86_400;

export class ScavengeStreams {
  readonly #parts: HistoryParts;
  #kept: { listed: Promise<ListedEvent[]>; untilMs: number } | undefined;

  constructor(parts: HistoryParts) {
    this.#parts = parts;
  }

  /** undefined: no stream of scavenges has that name. */
  named(stream: string): FeedSource | undefined {
    if (stream === SCAVENGES) return this.#scavenges();
    return stream.startsWith(`${SCAVENGES}-`) ? this.ofRun(stream.slice(SCAVENGES.length + 1)) : undefined;
  }

  ofRun(scavengeId: string): FeedSource | undefined {
    if (!RUN_ID.test(scavengeId)) return undefined;
    const streamId = streamOfRun(scavengeId);
    const own = async (): Promise<FeedEvent[] | undefined> => {
      const { runs } = this.#parts.recorded();
      const run = runs.find(({ start }) => start.scavengeId === scavengeId);
      return run && eventsOfRecord(run, this.#retention());
    };
    const entryOf = (event: FeedEvent): FeedEntry => ({
      event,
      positionStreamId: streamId,
      positionEventNumber: event.eventNumber
    });
    return {
      streamId,
      last: async () => {
        const recorded = await own();
        if (recorded) return recorded.at(-1)?.eventNumber;
        const wanted = { stream: streamId, from: undefined, count: 1, direction: 'backward' as const };
        return (await this.#read(wanted))[0]?.eventNumber;
      },
      read: async (from, count, direction) => {
        const recorded = await own();
        if (recorded) return pick(recorded.map(entryOf), from, count, direction);
        return (await this.#read({ stream: streamId, from, count, direction })).map(entryOf);
      }
    };
  }

  /** As the server writes it for these streams. */
  metadata(): object {
    const $maxAge = (this.#parts.maxAgeDays ?? DEFAULT_MAX_AGE_DAYS) * SECONDS_PER_DAY;
    return { $maxAge, $acl: { $r: '$ops', $w: [], $d: [], $mr: [], $mw: [] } };
  }

  #scavenges(): FeedSource {
    return {
      streamId: SCAVENGES,
      last: async () => (await this.#listed()).at(-1)?.number,
      read: async (from, count, direction) => {
        const numbered = (await this.#listed()).map((listed) => ({
          positionEventNumber: listed.number,
          listed
        }));
        const entries: FeedEntry[] = [];
        for (const { listed } of pick(numbered, from, count, direction)) {
          const event = 'event' in listed ? listed.event : await this.#linked(listed.link);
          if (event) entries.push({ event, positionStreamId: SCAVENGES, positionEventNumber: listed.number });
        }
        return entries;
      }
    };
  }

  #listed(): Promise<ListedEvent[]> {
    const nowMs = this.#parts.clock();
    if (this.#kept && this.#kept.untilMs > nowMs) return this.#kept.listed;
    const listed = this.#list();
    this.#kept = { listed, untilMs: nowMs + KEPT_MS };
    return listed;
  }

  async #list(): Promise<ListedEvent[]> {
    const wanted = { stream: SCAVENGES, from: undefined, count: MOST_LINKS, direction: 'backward' as const };
    const rows = await this.#rows(wanted);
    const links = rows.map(linkOf).filter((link) => link !== undefined);
    const { runs, removedEvents } = this.#parts.recorded();
    return listScavenges(links.reverse(), listedOwnEvents(runs, removedEvents, this.#retention()));
  }

  /** undefined: the events of the run have expired before the link to it. */
  async #linked({ stream, eventNumber }: LogLink): Promise<FeedEvent | undefined> {
    const [event] = await this.#read({ stream, from: eventNumber, count: 1, direction: 'backward' });
    return event?.eventNumber === eventNumber ? event : undefined;
  }

  async #read(wanted: WantedEvents): Promise<FeedEvent[]> {
    const rows = await this.#rows(wanted);
    return rows.map((row) => ({
      eventId: row.eventId,
      eventType: row.eventType,
      eventNumber: Number(row.eventNumber),
      data: row.data ?? '',
      streamId: row.stream,
      updated: row.time
    }));
  }

  /** Empty if the log has no such stream. */
  async #rows(wanted: WantedEvents): Promise<EventRow[]> {
    try {
      return await this.#parts.readEvents(wanted);
    } catch (error) {
      requireFault(error, 'StreamNotFound');
      return [];
    }
  }

  #retention(): Retention {
    return { nowMs: this.#parts.clock(), maxAgeDays: this.#parts.maxAgeDays };
  }
}

/** `entries`: oldest first. */
function pick<T extends { positionEventNumber: number }>(
  entries: readonly T[],
  from: number,
  count: number,
  direction: 'backward' | 'forward'
): T[] {
  return direction === 'forward'
    ? entries.filter(({ positionEventNumber }) => positionEventNumber >= from).slice(0, count)
    : entries
        .filter(({ positionEventNumber }) => positionEventNumber <= from)
        .slice(-count)
        .reverse();
}
