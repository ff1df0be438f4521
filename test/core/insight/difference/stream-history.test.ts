/** What two indexes together know of a stream: one that lacks it, cannot be read, or is of old servers says less. */
import { describe, expect, test } from 'vitest';
import { EngineError, logCorrupt } from '../../../../src-core/errors.ts';
import { writeIndexMap } from '../../../../src-core/index/index-map.ts';
import { writeIndexTable } from '../../../../src-core/index/index-table-writer.ts';
import { openStreamIndex, type StreamIndex } from '../../../../src-core/index/stream-index.ts';
import { StreamHistory } from '../../../../src-core/insight/difference/stream-history.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../../../../src-core/units/event-number.ts';
import { fileSystem, guidName, scratchDirectory, sortedEntries } from '../../index/index-fixture.ts';
import { nthCharacter } from '../../index/memory-log.ts';
import { ReadableLog, weakIndexOf } from './readable-log.ts';

const historyOf = (lacking?: StreamIndex, holding?: StreamIndex) =>
  new StreamHistory({ lacking: () => lacking, holding: () => holding });

/** Names of one letter each, so that each has a hash of its own. */
const MANY = ['aa', 'ab', 'ac', 'ad', 'ae', 'af', 'ag', 'ah', 'ai'];

test('without an index nothing is known of a stream', () => {
  const history = historyOf();
  expect(history.knowsNothing).toBe(true);
  expect(history.before('ab', Infinity)).toMatchObject({ last: -1, isDeleted: false, metadata: null });
  expect(history.manyBefore(MANY, Infinity, 'full').map(({ last }) => last)).toEqual(MANY.map(() => -1));
  expect(history.versions('ab')).toEqual({ versions: [], areAll: true });
  expect(history.isGone('ab')).toBe(false);
});

test('the index of the side that holds the records is asked where the other has none', async () => {
  const log = new ReadableLog();
  for (const stream of MANY.toReversed()) log.event(stream, 3);
  log.metadata('ac', 0, '{"$maxCount":5}');
  const history = historyOf(undefined, await weakIndexOf(log));
  expect(history.knowsNothing).toBe(false);
  const found = history.manyBefore(MANY, Infinity, 'full');
  expect(found.map(({ last }) => last)).toEqual(MANY.map(() => 3));
  expect(found.map(({ limits }) => limits.maxCount)).toEqual(MANY.map((name) => (name === 'ac' ? 5 : -1)));
});

describe('streams of one hash', () => {
  const streams = [...MANY, 'xb-2', 'yb-3'];

  test('are told apart by their records, one by one and many together', async () => {
    const log = new ReadableLog();
    for (const [i, stream] of MANY.entries()) log.event(stream, i);
    log.event('xb-2', 40);
    const index = await weakIndexOf(log);
    // Entries of "ab" lead to "xb-2" first, and those of "yb-3" to neither.
    const numbers = streams.map((stream) =>
      stream === 'yb-3' ? -1 : stream === 'xb-2' ? 40 : MANY.indexOf(stream)
    );
    expect(
      historyOf(index)
        .manyBefore(streams, Infinity, 'full')
        .map(({ last }) => last)
    ).toEqual(numbers);
    expect(streams.map((stream) => historyOf(index).before(stream, Infinity).last)).toEqual(numbers);
  });
});

describe('a record that an entry leads to', () => {
  const corrupt = logCorrupt('The record is damaged.', { position: 0 });
  const refused = new EngineError({
    code: 'StorageFailed',
    message: 'The disk says no.',
    remedy: 'Check it.'
  });

  test('and that is damaged says nothing: the other side is asked', async () => {
    const [lacking, holding] = [new ReadableLog(), new ReadableLog()];
    lacking.faults.set(lacking.event('ab', 4), corrupt);
    const [one, other] = [await weakIndexOf(lacking), await weakIndexOf(holding)];
    expect(historyOf(one, other).before('ab', Infinity).last).toBe(-1);
    holding.event('ab', 9);
    expect(historyOf(one, await weakIndexOf(holding)).before('ab', Infinity).last).toBe(9);
    expect(
      historyOf(one)
        .manyBefore(MANY, Infinity, 'full')
        .map(({ last }) => last)
    ).toEqual(MANY.map(() => -1));
    // Whether it is gone is not known then.
    expect(historyOf(one).isGone('ab')).toBe(false);
    expect(historyOf(one).isGone('ac')).toBe(true);
  });

  test('and that the disk refuses is an error: what is there must not be called gone', async () => {
    const log = new ReadableLog();
    log.faults.set(log.event('ab', 4), refused);
    const index = await weakIndexOf(log);
    expect(() => historyOf(index).before('ab', Infinity)).toThrow(refused);
    expect(() => historyOf(index).isGone('ab')).toThrow(refused);
    expect(() => historyOf(index).manyBefore(MANY, Infinity, 'full')).toThrow(refused);
  });
});

describe('the versions of metadata', () => {
  test('come from both sides, in the order of the log, and are all where none is gone', async () => {
    const [lacking, holding] = [new ReadableLog(), new ReadableLog()];
    for (const log of [lacking, holding])
      for (const number of [0, 1, 2]) log.metadata('ab', number, `{"$maxCount":${number + 5}}`);
    lacking.remove(0);
    const history = historyOf(await weakIndexOf(lacking), await weakIndexOf(holding));
    const { versions, areAll } = history.versions('ab');
    expect(versions.map(({ metadata }) => metadata.maxCount)).toEqual([5n, 6n, 7n]);
    expect(areAll).toBe(true);
  });

  test('are not all where a record is gone from both', async () => {
    const log = new ReadableLog();
    for (const number of [0, 1, 2]) log.metadata('ab', number, '{"$maxCount":5}');
    const index = await weakIndexOf(log);
    log.remove(100);
    const { versions, areAll } = historyOf(index).versions('ab');
    expect(versions.map(({ number }) => number)).toEqual([0, 2]);
    expect(areAll).toBe(false);
  });

  test('are not looked through where there are too many of them', async () => {
    const log = new ReadableLog();
    for (let number = 0; number < 200; number++) log.metadata('ab', number, '{"$maxCount":5}');
    expect(historyOf(await weakIndexOf(log)).versions('ab')).toMatchObject({ areAll: true });
    log.metadata('ab', 200, '{"$maxCount":5}');
    expect(historyOf(await weakIndexOf(log)).versions('ab')).toEqual({ versions: [], areAll: false });
  });
});

test('a deletion that an old table numbers with 32 bits is one', async () => {
  const log = new ReadableLog();
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
  const deleted = { last: DELETED_STREAM_EVENT_NUMBER, isDeleted: true, metadata: null };
  expect(historyOf(index).before('ab', Infinity)).toMatchObject(deleted);
  expect(historyOf(index).manyBefore(MANY, Infinity, 'full')[1]).toMatchObject(deleted);
  expect(historyOf(index).before('ab', 100)).toMatchObject({ last: 0, isDeleted: false });
  index.close();
});
