import { describe, expect, test } from 'vitest';
import { logCorrupt } from '../../../src-core/errors.ts';
import { EntryBlock } from '../../../src-core/index/index-entry.ts';
import { BloomFilter } from '../../../src-core/index/bloom-filter.ts';
import { IndexDirectory } from '../../../src-core/index/index-directory.ts';
import { writeIndexMap } from '../../../src-core/index/index-map.ts';
import { filterNameOf } from '../../../src-core/index/index-table-reader.ts';
import { writeIndexTable } from '../../../src-core/index/index-table-writer.ts';
import { readRecentEntries } from '../../../src-core/index/read-recent-entries.ts';
import type { RecordLog } from '../../../src-core/index/record-source.ts';
import { openStreamIndex, StreamIndex } from '../../../src-core/index/stream-index.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../../../src-core/units/event-number.ts';
import { fileSystem, guidName, scratchDirectory, sortedEntries } from './index-fixture.ts';
import { MemoryLog, nthCharacter } from './memory-log.ts';

/** An index of a log, with its first `inTable` records in a table and the rest read from the log. */
async function indexOf(log: MemoryLog, inTable = 0): Promise<StreamIndex> {
  const directory = scratchDirectory();
  if (inTable > 0) {
    const last = (inTable - 1) * 100;
    const options = { log, commitCheckpoint: -1, prepareCheckpoint: -1, hasher: nthCharacter };
    const entries = await readRecentEntries({ ...options, end: last + 1 });
    writeIndexTable({ fileSystem, directory, name: guidName(1) }, entries);
    const tables = [{ level: 0, position: 0, file: guidName(1) }];
    const map = {
      version: 2,
      prepareCheckpoint: last,
      commitCheckpoint: last,
      maxAutoMergeLevel: 2147483647,
      tables
    };
    writeIndexMap(fileSystem, directory, map, guidName(9));
  }
  return openStreamIndex({ fileSystem, directory, log, hasher: nthCharacter });
}

const hashB = { high: 0, low: 98 };

describe('last event number', () => {
  test.each([0, 2, 4])('is that of the newest entry, with %i records in a table', async (inTable) => {
    const log = new MemoryLog();
    for (let number = 0; number < 4; number++) log.event('ab', number);
    const index = await indexOf(log, inTable);
    expect(index.lastEventNumber('ab')).toBe(3);
    expect(index.lastEventNumber('xy')).toBe(-1);
    index.close();
  });

  test.each([0, 3, 6])('tells streams of one hash apart, with %i records in a table', async (inTable) => {
    const log = new MemoryLog();
    log.event('ab-1', 0);
    log.event('cb-2', 0);
    log.event('cb-2', 1);
    log.event('ab-1', 1);
    log.event('cb-2', 2);
    log.event('cb-2', 3);
    const index = await indexOf(log, inTable);
    expect(index.lastEventNumber('ab-1')).toBe(1);
    expect(index.lastEventNumber('cb-2')).toBe(3);
    expect(index.lastEventNumber('xb-3')).toBe(-1);
    index.close();
  });

  test('gives a stream up after a hundred entries of other streams above it', async () => {
    const log = new MemoryLog();
    log.event('ab-1', 0);
    for (let number = 0; number < 101; number++) log.event('cb-2', number);
    const index = await indexOf(log);
    expect(index.lastEventNumber('ab-1')).toBeLessThan(-1);
    index.close();
  });

  test('of a deleted stream and of its metastream is that of a tombstone', async () => {
    const log = new MemoryLog();
    log.event('ab', 0);
    log.metadata('ab', 0, '{"$maxCount":3}');
    log.tombstone('ab');
    const index = await indexOf(log, 2);
    expect(index.lastEventNumber('ab')).toBe(DELETED_STREAM_EVENT_NUMBER);
    expect(index.lastEventNumber('$$ab')).toBe(DELETED_STREAM_EVENT_NUMBER);
    index.close();
  });

  test('fails when the latest entry has no record, and not when an older one has none', async () => {
    const log = new MemoryLog();
    log.event('ab', 0);
    log.event('ab', 1);
    const index = await indexOf(log, 2);
    log.remove(0);
    expect(index.lastEventNumber('ab')).toBe(1);
    log.remove(100);
    expect(() => index.lastEventNumber('ab')).toThrowError(expect.objectContaining({ code: 'IndexCorrupt' }));
    index.close();
  });

  test('is none for a stream that the existence filter denies', async () => {
    const log = new MemoryLog();
    log.event('ab', 0);
    const directory = IndexDirectory.open({ fileSystem, directory: scratchDirectory(), logEnd: log.end });
    const options = { log, commitCheckpoint: -1, prepareCheckpoint: -1, end: log.end, hasher: nthCharacter };
    const recent = await readRecentEntries(options);
    const existenceFilter = BloomFilter.empty(10_000);
    const index = new StreamIndex({ directory, recent, log, hasher: nthCharacter, existenceFilter });
    expect(index.lastEventNumber('ab')).toBe(-1);
    existenceFilter.add(0, 98);
    expect(index.lastEventNumber('ab')).toBe(0);
  });

  test('recognises a deletion that an old table numbers with 32 bits', async () => {
    const log = new MemoryLog();
    log.event('ab', 0);
    log.tombstone('ab');
    const directory = scratchDirectory();
    const entries = sortedEntries([
      ['0000000000000062', 2147483647, 100],
      ['0000000000000062', 0, 0]
    ]);
    writeIndexTable({ fileSystem, directory, name: guidName(1), version: 2 }, entries);
    const tables = [{ level: 0, position: 0, file: guidName(1) }];
    const map = { version: 1, prepareCheckpoint: 100, commitCheckpoint: 100, maxAutoMergeLevel: 0, tables };
    writeIndexMap(fileSystem, directory, map, guidName(9));
    const index = await openStreamIndex({ fileSystem, directory, log, hasher: nthCharacter });
    expect(index.recent.count).toBe(0);
    expect(index.lastEventNumber('ab')).toBe(DELETED_STREAM_EVENT_NUMBER);
    index.close();
  });
});

describe('metadata', () => {
  test('is that of the last event of the metastream', async () => {
    const log = new MemoryLog();
    log.metadata('ab', 0, '{"$maxCount":3}');
    log.metadata('ab', 1, '{"$maxAge":9}');
    const index = await indexOf(log);
    expect(index.metadata('ab')).toMatchObject({ maxCount: null, maxAgeSeconds: 9n });
    expect(index.metadata('$$ab')).toMatchObject({ maxCount: 1n });
    expect(index.metadata('xy')).toMatchObject({ maxCount: null });
    index.close();
  });

  test('without the JSON flag or without data is empty', async () => {
    const log = new MemoryLog();
    log.metadata('ab', 0, '{"$maxCount":3}', { isJson: false });
    log.metadata('xy', 0, '');
    const index = await indexOf(log);
    expect(index.metadata('ab').maxCount).toBeNull();
    expect(index.metadata('xy').maxCount).toBeNull();
    index.close();
  });

  test('of equal numbers is that which was written first', async () => {
    const log = new MemoryLog();
    log.metadata('ab', 0, '{"$maxCount":3}');
    log.metadata('ab', 0, '{"$maxCount":4}');
    const index = await indexOf(log, 1);
    expect(index.metadata('ab').maxCount).toBe(3n);
    index.close();
  });
});

describe('what a scavenge asks', () => {
  const log = new MemoryLog();
  // ab-1 has the numbers 0, 1, 3 and 1 again; cb-2 shares its hash.
  log.event('ab-1', 0);
  log.event('cb-2', 0);
  log.event('ab-1', 1);
  log.event('cb-2', 1);
  log.event('ab-1', 3);
  log.event('ab-1', 1);
  log.event('cb-2', 2);
  const isAb1 = (position: number) => log.readAt(position)?.stream === 'ab-1';

  test.each([0, 3, 5, 7])('is the latest entry of a hash, with %i records in a table', async (inTable) => {
    const index = await indexOf(log, inTable);
    expect(index.latestEntry({ high: 0, low: 97 })).toBeUndefined();
    // Among colliding streams the greatest position decides, not the highest number.
    expect(index.latestEntry(hashB, 600, isAb1)).toMatchObject({ number: 1, position: 500 });
    expect(index.latestEntry(hashB, 400, isAb1)).toMatchObject({ number: 1, position: 200 });
    expect(index.latestEntry(hashB, 100, isAb1)).toMatchObject({ number: 0, position: 0 });
    expect(index.latestEntry(hashB, 0, isAb1)).toBeUndefined();
    index.close();
  });

  test.each([0, 3, 5, 7])('are entries upward, one a number, with %i records in a table', async (inTable) => {
    const index = await indexOf(log, inTable);
    const block = new EntryBlock(2);
    const found: [number, number][] = [];
    for (let from = 0; ;) {
      const range = {
        hash: hashB,
        fromNumber: from,
        toNumber: Infinity,
        beforePosition: 1000,
        isOfStream: isAb1
      };
      const count = index.entries.readUpward(range, block);
      for (let i = 0; i < count; i++) found.push([block.number[i]!, block.position[i]!]);
      if (count < block.capacity) break;
      from = block.number[count - 1]! + 1;
    }
    expect(found).toEqual([
      [0, 0],
      [1, 200],
      [3, 400]
    ]);
    index.close();
  });

  test.each([1, 3])(
    'are entries upward where the first source has the higher numbers, %i in a table',
    async (inTable) => {
      const other = new MemoryLog();
      for (const number of [5, 0, 1, 2]) other.event(number === 5 ? 'cb-2' : 'ab-1', number);
      const index = await indexOf(other, inTable);
      const block = new EntryBlock(10);
      index.entries.readUpward(
        { hash: hashB, fromNumber: 0, toNumber: Infinity, beforePosition: 1000 },
        block
      );
      expect([...block.number.subarray(0, block.count)]).toEqual([0, 1, 2, 5]);
      expect([...block.position.subarray(0, block.count)]).toEqual([100, 200, 300, 0]);
      index.close();
    }
  );

  test('are entries below a position and within numbers only', async () => {
    const index = await indexOf(log, 5);
    const block = new EntryBlock(10);
    index.entries.readUpward({ hash: hashB, fromNumber: 1, toNumber: 2, beforePosition: 600 }, block);
    expect([...block.number.subarray(0, block.count)]).toEqual([1]);
    expect([...block.position.subarray(0, block.count)]).toEqual([200]);
    index.close();
  });

  test('is in which order the sources stand', async () => {
    const index = await indexOf(log, 5);
    const counts: number[] = [];
    index.forEachSource((entries) => counts.push(entries.count));
    expect(counts).toEqual([2, 5]);
    index.close();
  });
});

describe('range over several sources', () => {
  test('hides an entry that both the table and the log behind it hold', async () => {
    const log = new MemoryLog();
    for (let number = 0; number < 4; number++) log.event('ab', number);
    const index = await indexOf(log, 3);
    const twice = new StreamIndex({
      directory: index.directory,
      recent: await readRecentEntries({
        log,
        commitCheckpoint: 0,
        prepareCheckpoint: 0,
        end: log.end,
        hasher: nthCharacter
      }),
      log,
      hasher: nthCharacter
    });
    expect(twice.entries.range(hashB, 0, Infinity).map((entry) => entry.number)).toEqual([3, 2, 1, 0]);
    index.close();
  });
});

test.each([0, 3])(
  'an event that no entry leads to is named with a place, %i records in a table',
  async (inTable) => {
    const log = new MemoryLog();
    for (let number = 0; number < 3; number++) log.event('ab', number);
    const index = await indexOf(log, inTable);
    const file = inTable > 0 ? guidName(1) : 'indexmap';
    const found = { code: 'IndexCorrupt', details: { file, position: 200 } };
    expect(index.missingEvent('ab', 2)).toMatchObject(found);
    // As in a table that is out of order, where an entry is found once and not again.
    expect(index.missingEvent('xz', 0).details).toEqual({ file: 'indexmap' });
    index.close();
  }
);

describe('a hash that no entry has, in a table without a filter', () => {
  test.each([
    ['greatest', 97],
    ['least', 99]
  ])('leads to nothing, that of the table being the %s', async (_which, low) => {
    const log = new MemoryLog();
    for (let number = 0; number < 3; number++) log.event('ab', number);
    log.event('zz', 0);
    const index = await indexOf(log, 3);
    fileSystem.remove(fileSystem.join(index.directory.directory, filterNameOf(guidName(1))));
    const hash = { high: 0, low };
    expect(index.latestEntry(hash)).toBeUndefined();
    expect(index.latestEntry(hash, 1000)).toBeUndefined();
    expect(index.entries.highestBefore(hash, 1000)).toBeUndefined();
    expect(index.entries.nextAtOrAbove(hash, 0)).toBeUndefined();
    expect(index.entries.range(hash, 0, Infinity)).toEqual([]);
    const walk = index.entries.newWalk();
    walk.start(hash, 1000);
    expect(walk.next()).toBe(false);
    // The newest source knows only another stream, the table only this one.
    expect(index.entries.nextAtOrAbove(hashB, 1)).toMatchObject({ number: 1, position: 100 });
    expect(index.entries.nextAtOrAbove({ high: 0, low: 122 }, 0)).toMatchObject({ position: 300 });
    index.close();
  });
});

describe('records of many places at once', () => {
  const wanted = [
    { stream: 'ab', position: 0 },
    { stream: 'other', position: 100 },
    { stream: 'ab', position: 200 }
  ];

  async function found(failure: unknown): Promise<(number | undefined)[]> {
    const log: RecordLog & MemoryLog = new MemoryLog();
    for (let number = 0; number < 3; number++) log.event('ab', number);
    log.readMany = (positions, take, failed) => {
      for (const [i, position] of positions.entries())
        if (position === 200) failed(i, failure);
        else take(i, log.readAt(position));
    };
    const index = await indexOf(log);
    const positions: (number | undefined)[] = [];
    index.recordsOf(wanted, (i, record) => (positions[i] = record?.position));
    index.close();
    return positions;
  }

  test('are those of their streams; what cannot be read is as if it were not there', async () => {
    expect(await found(logCorrupt('damaged', {}))).toEqual([0, undefined, undefined]);
  });

  test('are not told where the fault is ours', async () => {
    await expect(found(new TypeError('ours'))).rejects.toThrow(TypeError);
  });
});
