/** Answers of the operations that look into a database in depth, over the small database of the fake. */
import type { ReadingReplies } from '../../src-main/contract/operations/reading-reports.ts';
import { chunksReport, recordRows } from './fake-database.ts';

type Request = Record<string, unknown>;

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 0, 1);

const timeOf = (chunk: number, part: number): string =>
  `${new Date(START_MS + (chunk + part) * DAY_MS).toISOString().slice(0, 19)}.0000000Z`;

/** `stream:NAME` alone is understood, and `colour:…` is refused as the engine does. */
function searchRecords(request: Request): ReadingReplies['searchRecords'] {
  const filter = request['filter'] as string;
  const name = /stream:(\S+)/.exec(filter)?.[1];
  const from = request['from'] as number;
  const limit = request['limit'] as number;
  const wanted = recordRows.filter(
    (row) => name === undefined || (row.kind === 'prepare' && row.stream === name)
  );
  const rows = wanted.filter(({ position }) => position >= from).slice(0, limit);
  const last = rows.at(-1);
  const isEnd = last === undefined || last === wanted.at(-1);
  const end = 90_000;
  return {
    rows,
    nextFrom: isEnd ? null : last.position + 1,
    searchedTo: isEnd ? end : last.position,
    searchEnd: end
  };
}

export const lookUp: ReadingReplies['lookUpStream'] = {
  hash: 'a1b2c3d4e5f60718',
  tables: [
    { table: null, filter: 'none', entries: 0 },
    { table: 'table-0', filter: 'maybe', entries: 2 },
    { table: 'table-1', filter: 'no', entries: 0 }
  ],
  rows: [1, 0].map((number) => ({
    hash: 'a1b2c3d4e5f60718',
    eventNumber: number,
    position: number * 200,
    table: 'table-0',
    stream: 'order-1',
    eventType: 'OrderPlaced'
  })),
  total: 2
};

export const readingAnswers: { [N in keyof ReadingReplies]?: (request: Request) => unknown } = {
  searchRecords,
  locateRecord: (request) => {
    const index = recordRows.findIndex(({ position }) => position >= (request['position'] as number));
    return { chunk: 0, index, position: recordRows[index]?.position ?? 0 };
  },
  readTimeline: () => ({
    chunks: chunksReport.chunks.map(({ chunkStart }) => ({
      chunkStart,
      first: timeOf(chunkStart, 0),
      last: timeOf(chunkStart, 0.9)
    }))
  }),
  describeStream: (request) => ({
    stream: request['stream'],
    hash: 'a1b2c3d4e5f60718',
    places: [
      { chunkStart: 0, chunkEnd: 0, file: 'chunk-000000.000000', events: 2, bytes: 400, firstPosition: 0 },
      {
        chunkStart: 2,
        chunkEnd: 3,
        file: 'chunk-000002.000001',
        events: 1,
        bytes: 200,
        firstPosition: 2_100_000
      }
    ],
    metadataHistory: [
      {
        eventNumber: 1,
        position: 4096,
        time: timeOf(1, 0),
        json: '{"$maxCount":5}',
        metadata: {
          maxCount: 5,
          maxAgeSeconds: null,
          truncateBefore: null,
          cacheControlSeconds: null,
          acl: null
        }
      },
      {
        eventNumber: 0,
        position: 2048,
        time: timeOf(0, 0),
        json: '{"$maxCount":50}',
        metadata: {
          maxCount: 50,
          maxAgeSeconds: null,
          truncateBefore: null,
          cacheControlSeconds: null,
          acl: null
        }
      }
    ],
    goneEntries: 3,
    foreignEntries: 0,
    cutAt: null
  }),
  lookUpStream: () => lookUp,
  describeIndexTable: (request) => ({
    table: request['table'],
    fileSize: 4096,
    version: 4,
    entries: 200,
    midpoints: 16,
    filter: { fileSize: 10_752, bits: 80_000, fill: 0.125, falsePositives: 0.125 ** 6, damagedLines: 0 },
    filterProblem: null,
    rows: [{ hash: 'ffff000011112222', eventNumber: 7, position: 1234, table: request['table'] }],
    offset: request['offset'],
    total: 1
  }),
  readIndexMap: () => ({
    text: '0123456789ABCDEF0123456789ABCDEF\n2\n4194304/4194304\n2147483647\n0,0,table-0\n'
  })
};
