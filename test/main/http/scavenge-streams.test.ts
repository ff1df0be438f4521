import { expect, test } from 'vitest';
import { EngineError } from '../../../src-core/index.ts';
import { feedDocument, readFeed, type Feed } from '../../../src-main/http/scavenge-feed.ts';
import { ScavengeStreams, type HistoryParts } from '../../../src-main/http/scavenge-streams.ts';
import type { EventRow } from '../../../src-main/contract/operations/reports.ts';
import type { RecordedScavenge } from '../../../src-main/settings/scavenge-records.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 5, 30);
const LOGGED = '11111111-1111-1111-1111-111111111111';

const time = (daysAgo: number): string => new Date(NOW - daysAgo * DAY).toISOString().replace('Z', '0000Z');

function ownId(number: number): string {
  return `00000000-0000-0000-0000-${String(number).padStart(12, '0')}`;
}

function row(stream: string, eventNumber: number, eventType: string, data: string, at: string): EventRow {
  return {
    ...{ stream, eventNumber, eventType, data, time: at },
    ...{ position: 0, eventId: ownId(eventNumber), isJson: true },
    ...{ dataLength: 0, metadataLength: 0, dataSha256: '', metadataSha256: '' }
  };
}

function own(number: number, daysAgo: number): RecordedScavenge {
  const scavengeId = ownId(number);
  const chunk = (start: number, end: number, type = '$scavengeChunksCompleted') => ({
    at: time(daysAgo),
    type,
    data: JSON.stringify({ scavengeId, chunkStartNumber: start, chunkEndNumber: end })
  });
  return {
    start: {
      ...{ scavengeId, at: time(daysAgo), hostName: 'host', placement: 'detached' },
      ...{ number: 0, position: 1, threshold: 0, resumed: false }
    },
    saved: undefined,
    end: { scavengeId, at: time(daysAgo - 0.1), result: 'success', error: null, spaceSavedBytes: 7 },
    events: [chunk(0, 0), chunk(3, 4), chunk(0, 9, '$scavengeMergeCompleted')]
  };
}

/** Streams of a log, and runs of our own. */
function streams(parts: {
  log?: Record<string, EventRow[]>;
  runs?: RecordedScavenge[];
  removedEvents?: number;
}): ScavengeStreams {
  const { log = {}, runs = [], removedEvents = 0 } = parts;
  const readEvents: HistoryParts['readEvents'] = async ({ stream, from, count, direction }) => {
    const events = log[stream];
    if (!events) {
      throw new EngineError({ code: 'StreamNotFound', message: 'none', remedy: 'none' });
    }
    const number = (event: EventRow): number => Number(event.eventNumber);
    return direction === 'forward'
      ? events.filter((event) => number(event) >= (from ?? 0)).slice(0, count)
      : events
          .filter((event) => number(event) <= (from ?? Infinity))
          .reverse()
          .slice(0, count);
  };
  const recorded = () => ({ runs, removedEvents });
  return new ScavengeStreams({ readEvents, recorded, maxAgeDays: 30, clock: () => NOW });
}

/** A run of which the log tells, with its two links from `number` on. */
function logged(number: number, daysAgo: number): Record<string, EventRow[]> {
  const stream = `$scavenges-${LOGGED}`;
  return {
    $scavenges: [
      row('$scavenges', number, '$>', `0@${stream}`, time(daysAgo)),
      row('$scavenges', number + 1, '$>', `1@${stream}`, time(daysAgo - 1))
    ],
    [stream]: [
      row(stream, 0, '$scavengeStarted', '{}', time(daysAgo)),
      row(stream, 1, '$scavengeCompleted', '{}', time(daysAgo - 1))
    ]
  };
}

const head = { from: 'head' as const, count: 20, direction: 'backward' as const };

function numbersOf(feed: Feed | undefined): [number, string][] | undefined {
  return feed?.entries.map(({ positionEventNumber, event }) => [positionEventNumber, event.eventType]);
}

test('has the numbers of the log where it tells of all runs', async () => {
  const feed = await readFeed(streams({ log: logged(40, 5) }).named('$scavenges')!, head);
  expect(numbersOf(feed)).toEqual([
    [41, '$scavengeCompleted'],
    [40, '$scavengeStarted']
  ]);
});

test('has runs of the log and of our own in one order, with numbers that do not change when older ones go', async () => {
  const log = logged(40, 5);
  const all = await readFeed(streams({ log, runs: [own(1, 20), own(2, 3)] }).named('$scavenges')!, head);
  expect(numbersOf(all)?.map(([number]) => number)).toEqual([45, 44, 43, 42, 41, 40]);
  expect(all!.entries.map(({ event }) => event.streamId.slice(-1))).toEqual([...'221111']);
  const later = await readFeed(
    streams({ log, runs: [own(2, 3)], removedEvents: 2 }).named('$scavenges')!,
    head
  );
  expect(later!.entries).toEqual(all!.entries.slice(0, 4));
});

test('shows nothing of our own that is past the retention, in neither stream', async () => {
  const old = streams({ runs: [own(1, 31)] });
  expect(await readFeed(old.named('$scavenges')!, head)).toBeUndefined();
  expect(await readFeed(old.ofRun(ownId(1))!, head)).toBeUndefined();
  const both = streams({ runs: [own(1, 31), own(2, 3)] });
  expect(numbersOf(await readFeed(both.named('$scavenges')!, head))?.map(([number]) => number)).toEqual([
    3, 2
  ]);
});

test('does not make up events of a run whose stream in the log has expired', async () => {
  const log = logged(0, 40);
  const expired = streams({ log: { $scavenges: log['$scavenges']! } });
  expect(await readFeed(expired.ofRun(LOGGED)!, head)).toBeUndefined();
  expect((await readFeed(expired.named('$scavenges')!, head))?.entries).toEqual([]);
});

test('tells of each chunk of our own runs, and the highest that was scavenged', async () => {
  const feed = await readFeed(streams({ runs: [own(1, 3)] }).ofRun(ownId(1))!, head);
  expect(feed!.entries.map(({ event }) => event.eventType)).toEqual([
    '$scavengeCompleted',
    '$scavengeMergeCompleted',
    '$scavengeChunksCompleted',
    '$scavengeChunksCompleted',
    '$scavengeStarted'
  ]);
  expect(JSON.parse(feed!.entries[0]!.event.data)).toEqual({
    ...{ scavengeId: ownId(1), nodeEndpoint: 'winnow@host', result: 'Success', error: null },
    ...{ timeTaken: '02:24:00', spaceSaved: 7, maxChunkScavenged: 4 }
  });
});

test('leads a reader from the head to the first event and back', async () => {
  const runs = Array.from({ length: 6 }, (_, at) => own(at + 1, 20 - at));
  const source = streams({ runs }).named('$scavenges')!;
  const pages: number[][] = [];
  let page: { from: 'head' | number; count: number; direction: 'backward' | 'forward' } = {
    ...head,
    count: 5
  };
  for (;;) {
    const feed = (await readFeed(source, page))!;
    pages.push(feed.entries.map(({ positionEventNumber }) => positionEventNumber));
    const document = feedDocument(feed, 'http://node', 'none') as {
      links: { uri: string; relation: string }[];
    };
    const next = document.links.find(({ relation }) => relation === 'next');
    if (!next) break;
    page = { ...page, from: Number(/\/(\d+)\/backward\/5$/.exec(next.uri)![1]) };
  }
  expect(pages).toEqual([
    [11, 10, 9, 8, 7],
    [6, 5, 4, 3, 2],
    [1, 0]
  ]);
  const first = (await readFeed(source, { from: 0, count: 5, direction: 'forward' }))!;
  expect(first).toMatchObject({ isHead: false, newerFrom: 5, olderFrom: undefined });
  const end = (await readFeed(source, { from: 12, count: 5, direction: 'forward' }))!;
  expect(end).toMatchObject({ entries: [], isHead: true, newerFrom: 12, olderFrom: 11 });
});
