/** An index built from small logs in memory: rules, repetition, stops, and a power cut at every call. */
import { describe, expect, it } from 'vitest';
import { OperationStopped } from '../../../../src-core/errors.ts';
import { IndexDirectory } from '../../../../src-core/index/index-directory.ts';
import { buildIndex, levelOf, type BuildIndex } from '../../../../src-core/index/rebuild/build-index.ts';
import { readRecentEntries } from '../../../../src-core/index/read-recent-entries.ts';
import { writeIndexTable } from '../../../../src-core/index/index-table-writer.ts';
import { emptyIndexMap, writeIndexMap } from '../../../../src-core/index/index-map.ts';
import { hashStream } from '../../../../src-core/index/stream-hash.ts';
import { verifyIndex } from '../../../../src-core/index/verify-index.ts';
import type { FileSystem } from '../../../../src-core/storage/file-system.ts';
import { entriesOf } from '../../../support/database-content.ts';
import { FaultyFileSystem, PowerCut } from '../../../support/faulty-file-system.ts';
import { MemoryFileSystem } from '../../../support/memory-file-system.ts';
import { Prng } from '../../../support/prng.ts';
import { guidName } from '../index-fixture.ts';
import { MemoryLog } from '../memory-log.ts';
import { randomLog } from '../random-log.ts';
import { seedList } from '../../../support/seeds.ts';

const DIRECTORY = '/db/index';

const start = (log: MemoryLog, fileSystem: FileSystem, more: Partial<BuildIndex> = {}): BuildIndex => {
  let id = 100;
  return {
    fileSystem,
    directory: DIRECTORY,
    log,
    end: log.end,
    newGuid: () => guidName(id++),
    breathe: () => Promise.resolve(),
    ...more
  };
};

/** A directory with an index of the first half of the log, as a server has written it meanwhile. */
async function oldIndex(log: MemoryLog, fileSystem: FileSystem): Promise<void> {
  fileSystem.makeDirectory(`${DIRECTORY}/scavenging`);
  fileSystem.makeDirectory(`${DIRECTORY}/stream-existence`);
  fileSystem.open(`${DIRECTORY}/scavenging/scavenging.db`, 'createNew').close();
  fileSystem.open(`${DIRECTORY}/stream-existence/streamExistenceFilter.dat`, 'createNew').close();
  const half = Math.floor(log.end / 200) * 100;
  const entries = await readRecentEntries({
    log,
    prepareCheckpoint: -1,
    commitCheckpoint: -1,
    end: half,
    hasher: hashStream
  });
  writeIndexTable({ fileSystem, directory: DIRECTORY, name: guidName(1) }, entries);
  const tables = [{ level: 0, position: 0, file: guidName(1) }];
  const checkpoint = half - 100;
  const map = { ...emptyIndexMap(), prepareCheckpoint: checkpoint, commitCheckpoint: checkpoint, tables };
  writeIndexMap(fileSystem, DIRECTORY, map, guidName(2));
}

/** What a reader of the directory sees; reading opens nothing for writing. */
async function contentOf(log: MemoryLog, fileSystem: FileSystem) {
  const index = IndexDirectory.open({ fileSystem, directory: DIRECTORY, logEnd: log.end });
  try {
    const recent = await readRecentEntries({ log, ...index.checkpoints, end: log.end, hasher: hashStream });
    const problems = await verifyIndex(index);
    return {
      isUsable: index.isUsable,
      damage: problems.filter(({ severity }) => severity === 'damage'),
      entries: [...index.tables.flatMap(entriesOf), ...entriesOf(recent)].sort(),
      inTables: index.tables.flatMap(entriesOf),
      names: (fileSystem.list(DIRECTORY) ?? [])
        .map(({ name }) => name.replace(/^[0-9a-f-]{36}/, 'GUID'))
        .sort()
    };
  } finally {
    index.close();
  }
}

describe('an index built from a log', () => {
  it.each(seedList(8))('has all entries of random log %i in one table', async (seed) => {
    const log = randomLog(new Prng(seed), 600);
    const fileSystem = new MemoryFileSystem();
    await oldIndex(log, fileSystem);
    const before = await contentOf(log, fileSystem);
    const built = await buildIndex(start(log, fileSystem, { entriesPerRun: 37 }));
    const after = await contentOf(log, fileSystem);
    expect(after.entries).toEqual(before.entries);
    expect(after.inTables).toHaveLength(built.entryCount);
    expect(after.inTables.toSorted()).toEqual(after.entries);
    expect(after.damage).toEqual([]);
    expect(after.names).toEqual(['GUID', 'GUID.bloomfilter', 'indexmap', 'scavenging', 'stream-existence']);
    expect(built.removed).toEqual([
      guidName(1),
      `${guidName(1)}.bloomfilter`,
      'stream-existence/streamExistenceFilter.dat'
    ]);
  });

  it('is the same when it is built again', async () => {
    const log = randomLog(new Prng(11), 300);
    const fileSystem = new MemoryFileSystem();
    fileSystem.makeDirectory(DIRECTORY);
    await buildIndex(start(log, fileSystem));
    const once = await contentOf(log, fileSystem);
    let id = 500;
    await buildIndex(start(log, fileSystem, { newGuid: () => guidName(id++) }));
    expect(await contentOf(log, fileSystem)).toEqual(once);
  });

  it('ends before the given position, and its check points are those of its last entry', async () => {
    const log = new MemoryLog();
    log.event('a', 0);
    const begin = log.begin('b');
    const member = log.member('b', begin, 0);
    const commit = log.commit(begin, 0);
    log.event('a', 1);
    const fileSystem = new MemoryFileSystem();
    fileSystem.makeDirectory(DIRECTORY);
    const { map, entryCount } = await buildIndex(start(log, fileSystem, { end: commit + 1 }));
    expect(entryCount).toBe(2);
    expect([map.prepareCheckpoint, map.commitCheckpoint]).toEqual([member, commit]);
  });

  it('without entries is a map without tables', async () => {
    const log = new MemoryLog();
    log.system();
    const fileSystem = new MemoryFileSystem();
    fileSystem.makeDirectory(DIRECTORY);
    await buildIndex(start(log, fileSystem));
    const { isUsable, names } = await contentOf(log, fileSystem);
    expect(isUsable).toBe(true);
    expect(names).toEqual(['indexmap']);
  });

  it('stands at the level to which merges would have brought it', () => {
    expect([0, 5, 999_999, 1_999_999, 2_000_000, 4_000_000, 9_000_000].map(levelOf)).toEqual([
      0, 0, 0, 0, 1, 2, 3
    ]);
  });

  it('leaves the old one when it is stopped', async () => {
    const log = randomLog(new Prng(21), 9000);
    const fileSystem = new MemoryFileSystem();
    await oldIndex(log, fileSystem);
    const before = await contentOf(log, fileSystem);
    let breaths = 0;
    const breathe = () => (++breaths === 3 ? Promise.reject(new OperationStopped()) : Promise.resolve());
    await expect(buildIndex(start(log, fileSystem, { breathe, entriesPerRun: 500 }))).rejects.toThrow(
      OperationStopped
    );
    expect(await contentOf(log, fileSystem)).toEqual(before);
  });
});

describe('a power cut', () => {
  it('at any call leaves the old index or the new one, and the next build ends the same', async () => {
    const log = randomLog(new Prng(31), 400);
    const memory = async () => {
      const fileSystem = new MemoryFileSystem();
      await oldIndex(log, fileSystem);
      return fileSystem;
    };
    const uncut = new FaultyFileSystem(await memory());
    const old = await contentOf(log, uncut);
    await buildIndex(start(log, uncut, { entriesPerRun: 100 }));
    const expected = await contentOf(log, uncut);
    expect(uncut.calls).toBeGreaterThan(20);
    for (let cutAt = 1; cutAt <= uncut.calls; cutAt++) {
      for (const seed of [1, 2, 3]) {
        const cut = new FaultyFileSystem(await memory(), { cutAt });
        await expect(buildIndex(start(log, cut, { entriesPerRun: 100 }))).rejects.toThrow(PowerCut);
        const survivors = cut.survivors(seed * 1000 + cutAt);
        const left = await contentOf(log, survivors);
        expect(left.isUsable, `usable after a cut at call ${cutAt}, seed ${seed}`).toBe(true);
        expect(left.damage).toEqual([]);
        expect(left.entries).toEqual(expected.entries);
        expect([old.inTables, expected.inTables]).toContainEqual(left.inTables);
        let id = 900;
        await buildIndex(start(log, survivors, { entriesPerRun: 100, newGuid: () => guidName(id++) }));
        expect(await contentOf(log, survivors)).toEqual(expected);
      }
    }
  });
});
