import { describe, expect, test } from 'vitest';
import { EntryBlock } from '../../../src-core/index/index-entry.ts';
import { readRecentEntries } from '../../../src-core/index/read-recent-entries.ts';
import { RecentEntriesBuilder, type RecentEntries } from '../../../src-core/index/recent-entries.ts';
import { HashSieve } from '../../../src-core/index/hash-sieve.ts';
import { hashStream, hashText } from '../../../src-core/index/stream-hash.ts';
import { systemStreams } from '../../../src-core/index/system-streams.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../../../src-core/units/event-number.ts';
import { seededRandom } from './index-fixture.ts';
import { MemoryLog, nthCharacter } from './memory-log.ts';

type Row = [string, number, number];

function rowsOf(entries: RecentEntries): Row[] {
  const block = new EntryBlock(entries.count);
  entries.readEntries(0, block);
  return Array.from({ length: block.count }, (_, i) => [
    hashText(block.hashHigh[i]!, block.hashLow[i]!),
    block.number[i]!,
    block.position[i]!
  ]);
}

function textOf(stream: string): string {
  const { high, low } = hashStream(stream);
  return hashText(high, low);
}

function read(log: MemoryLog, commitCheckpoint = -1, prepareCheckpoint = commitCheckpoint) {
  return readRecentEntries({ log, commitCheckpoint, prepareCheckpoint, end: log.end, hasher: nthCharacter });
}

/** Number and position of all entries, in order of the log. */
async function entriesOf(log: MemoryLog, commit = -1, prepare = commit): Promise<[number, number][]> {
  const rows = rowsOf(await read(log, commit, prepare));
  return rows.map(([, number, position]): [number, number] => [number, position]).sort((a, b) => a[1] - b[1]);
}

describe('entries that only the log holds', () => {
  test.each([
    [10, 20],
    [5000, 20],
    [50_000, 20],
    [50_000, 1]
  ])('are in table order, %i of them with %i upper halves of hashes', (count, halves) => {
    const random = seededRandom(count);
    const builder = new RecentEntriesBuilder();
    const rows: Row[] = [];
    for (let i = 0; i < count; i++) {
      const high = Math.floor(random() * halves) * 214748364;
      const low = Math.floor(random() * 10) * 429496729;
      const number = random() < 0.02 ? DELETED_STREAM_EVENT_NUMBER : Math.floor(random() * 50);
      builder.add(high, low, number, i * 100);
      rows.push([hashText(high, low), number, i * 100]);
    }
    rows.sort((a, b) => (a[0] < b[0] ? 1 : a[0] > b[0] ? -1 : b[1] - a[1] || b[2] - a[2]));
    expect(rowsOf(builder.build())).toEqual(rows);
  });

  test('are found by key like those of a table', () => {
    const builder = new RecentEntriesBuilder();
    builder.add(5, 5, 0, 10);
    builder.add(5, 5, 1, 20);
    builder.add(9, 0, 7, 30);
    const entries = builder.build();
    expect(entries.firstAtOrBelow(5, 5, 1)).toBe(1);
    expect(entries.firstBelow(5, 5, 1)).toBe(2);
    expect(entries.firstAtOrBelow(4, 0, 0)).toBe(3);
    expect(entries.mayContain(5, 5)).toBe(true);
    expect(entries.mayContain(5, 6)).toBe(false);
  });

  test('may be told for some streams alone, and hardly any of others with them', async () => {
    const log = new MemoryLog();
    for (let i = 0; i < 300; i++) log.event(`stream-${i % 100}`, Math.floor(i / 100));
    const range = { log, commitCheckpoint: -1, prepareCheckpoint: -1, end: log.end, hasher: hashStream };
    const wanted = [3, 7, 99].map((i) => `stream-${i}`);
    const rows = rowsOf(await readRecentEntries({ ...range, only: HashSieve.of(wanted).streams }));
    const texts = new Set(wanted.map(textOf));
    const all = rowsOf(await readRecentEntries(range));
    expect(rows.filter(([hash]) => texts.has(hash))).toEqual(all.filter(([hash]) => texts.has(hash)));
    expect(rows.length).toBeLessThan(20);
    expect(all).toHaveLength(300);
  });

  test('are told of streams of the system alone, in transactions too, with what shares a hash with a named one', async () => {
    const log = new MemoryLog();
    log.event('$settings', 0);
    for (let i = 0; i < 30; i++) log.event(`stream-${i}`, 0);
    const begun = log.begin('$$stream-1');
    log.member('$$stream-1', begun, 0);
    log.event('stream-1', 1);
    log.commit(begun, 0);
    const inOther = log.begin('stream-2');
    log.member('stream-2', inOther, 0);
    log.commit(inOther, 1);
    const range = { log, commitCheckpoint: -1, prepareCheckpoint: -1, end: log.end, hasher: hashStream };
    const only = systemStreams(['stream-7']);
    const hashes = rowsOf(await readRecentEntries({ ...range, only })).map(([hash]) => hash);
    expect(hashes.sort()).toEqual(['$settings', '$$stream-1', 'stream-7'].map(textOf).sort());
  });

  test('are those of prepares that commit themselves and have data or delete the stream', async () => {
    const log = new MemoryLog();
    log.event('ab', 0);
    log.event('ab', 1);
    log.system();
    log.emptyWrite('ab', 2);
    log.tombstone('ab');
    expect(await entriesOf(log)).toEqual([
      [0, 0],
      [1, 100],
      [DELETED_STREAM_EVENT_NUMBER, 400]
    ]);
  });

  test('begin behind the check points, the record at the commit check point included', async () => {
    const log = new MemoryLog();
    for (let number = 0; number < 5; number++) log.event('ab', number);
    expect(await entriesOf(log, 200)).toEqual([
      [3, 300],
      [4, 400]
    ]);
    expect(await entriesOf(log, 200, 100)).toEqual([
      [2, 200],
      [3, 300],
      [4, 400]
    ]);
  });

  test('of an explicit transaction appear with its commit, numbered from its first event', async () => {
    const log = new MemoryLog();
    log.event('xa', 0);
    const begin = log.begin('ab');
    log.member('ab', begin, 0);
    log.event('xa', 1);
    log.member('ab', begin, 1);
    log.endOf('ab', begin);
    log.commit(begin, 7);
    expect(await entriesOf(log)).toEqual([
      [0, 0],
      [7, 200],
      [1, 300],
      [8, 400]
    ]);
  });

  test('of a transaction without a commit do not appear', async () => {
    const log = new MemoryLog();
    const begin = log.begin('ab');
    log.member('ab', begin, 0);
    expect(await entriesOf(log)).toEqual([]);
  });

  test('of a transaction are found although it began before the check point', async () => {
    const log = new MemoryLog();
    const begin = log.begin('ab');
    log.member('ab', begin, 0);
    log.event('xa', 0);
    log.member('ab', begin, 1);
    log.endOf('ab', begin);
    log.commit(begin, 0);
    expect(await entriesOf(log, 200)).toEqual([
      [0, 100],
      [1, 300]
    ]);
  });

  test('of a commit at the check point are new where their prepares lie behind it', async () => {
    const log = new MemoryLog();
    const begin = log.begin('ab');
    log.member('ab', begin, 0);
    log.member('ab', begin, 1);
    log.endOf('ab', begin);
    log.commit(begin, 0);
    expect(await entriesOf(log, 400, 100)).toEqual([[1, 200]]);
  });

  test('end with the end record of the transaction, whatever claims to belong to it afterwards', async () => {
    const log = new MemoryLog();
    const begin = log.begin('ab');
    log.member('ab', begin, 0);
    log.endOf('ab', begin);
    log.member('ab', begin, 1);
    log.commit(begin, 0);
    expect(await entriesOf(log)).toEqual([[0, 100]]);
    expect(await entriesOf(log, 50)).toEqual([[0, 100]]);
  });

  test('of a deletion in a transaction have the number of a tombstone', async () => {
    const log = new MemoryLog();
    const begin = log.begin('ab');
    log.deletionMember('ab', begin, 0);
    log.commit(begin, 3);
    expect(await entriesOf(log)).toEqual([[DELETED_STREAM_EVENT_NUMBER, 100]]);
  });

  test('let others work while they are read', async () => {
    const log = new MemoryLog();
    for (let number = 0; number < 9000; number++) log.event('ab', number);
    let breaths = 0;
    const breathe = () => {
      breaths++;
      return Promise.resolve();
    };
    const options = {
      log,
      commitCheckpoint: -1,
      prepareCheckpoint: -1,
      end: log.end,
      hasher: nthCharacter,
      breathe
    };
    expect((await readRecentEntries(options)).count).toBe(9000);
    expect(breaths).toBe(2);
  });
});
