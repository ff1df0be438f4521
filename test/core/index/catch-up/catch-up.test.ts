/**
 * Index and filter of existing streams brought up to the end of a log, in small random logs: against a model that puts
 * all entries of the log into one list, and against tables as a server with small memtables would leave them.
 */
import { describe, expect, it } from 'vitest';
import { catchUpExistence } from '../../../../src-core/index/catch-up/catch-up-existence.ts';
import { catchUpIndex } from '../../../../src-core/index/catch-up/catch-up-index.ts';
import { mergeLevels, nextMerge } from '../../../../src-core/index/catch-up/merge-levels.ts';
import { IndexDirectory } from '../../../../src-core/index/index-directory.ts';
import { emptyIndexMap, readIndexMap, writeIndexMap } from '../../../../src-core/index/index-map.ts';
import { writeIndexTable } from '../../../../src-core/index/index-table-writer.ts';
import { LogEntries } from '../../../../src-core/index/log-entries.ts';
import { RecentEntriesBuilder } from '../../../../src-core/index/recent-entries.ts';
import { readRecentEntries } from '../../../../src-core/index/read-recent-entries.ts';
import { hashStream, hashText } from '../../../../src-core/index/stream-hash.ts';
import { verifyExistence } from '../../../../src-core/index/verify-existence.ts';
import { verifyIndex } from '../../../../src-core/index/verify-index.ts';
import { PrepareFlag } from '../../../../src-core/records/log-record.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../../../../src-core/units/event-number.ts';
import type { FileSystem } from '../../../../src-core/storage/file-system.ts';
import { entriesOf } from '../../../support/database-content.ts';
import { enumerateCuts } from '../../../support/cut-enumeration.ts';
import { MemoryFileSystem } from '../../../support/memory-file-system.ts';
import { Prng } from '../../../support/prng.ts';
import { recordCuts } from '../../../support/proof-record.ts';
import { guidName } from '../index-fixture.ts';
import type { MemoryLog } from '../memory-log.ts';
import { randomLog } from '../random-log.ts';
import { seedsFrom } from '../../../support/seeds.ts';

const DIRECTORY = '/db/index';
/** The smallest that the format has. */
const FILTER_BYTES = 10_000;

function guids(first = 100): () => string {
  let id = first;
  return () => guidName(id++);
}

const breathe = (): Promise<void> => Promise.resolve();

/** What a server with a memtable of so many entries has written when the log ended at `end`: tables, merged or not. */
async function serverIndex(
  log: MemoryLog,
  fileSystem: FileSystem,
  { end, memtable, isMerged }: { end: number; memtable: number; isMerged: boolean }
): Promise<void> {
  fileSystem.makeDirectory(DIRECTORY);
  const newGuid = guids(1);
  let builder = new RecentEntriesBuilder();
  const sink = { add: (...entry: Parameters<RecentEntriesBuilder['add']>) => builder.add(...entry) };
  const parts = { log, hasher: hashStream, prepareCheckpoint: -1, commitCheckpoint: -1, sink };
  const entries = new LogEntries(parts);
  let map = emptyIndexMap();
  const flush = async (): Promise<void> => {
    const name = newGuid();
    writeIndexTable({ fileSystem, directory: DIRECTORY, name }, builder.build());
    builder = new RecentEntriesBuilder();
    const position = map.tables.filter(({ level }) => level === 0).length;
    map = {
      ...map,
      ...entries.checkpoints,
      tables: [{ level: 0, position, file: name }, ...map.tables]
    };
    writeIndexMap(fileSystem, DIRECTORY, map, newGuid());
    if (isMerged) await mergeLevels({ fileSystem, directory: DIRECTORY, newGuid, breathe });
    map = readIndexMap(fileSystem, DIRECTORY)!;
  };
  writeIndexMap(fileSystem, DIRECTORY, map, newGuid());
  for (const records = log.cursor(0, end); records.next();) {
    entries.see(records.record);
    // All entries of one commit go into one table.
    if (builder.count >= memtable) await flush();
  }
}

async function contentOf(log: MemoryLog, fileSystem: FileSystem) {
  const index = IndexDirectory.open({ fileSystem, directory: DIRECTORY, logEnd: log.end });
  try {
    const recent = await readRecentEntries({ log, ...index.checkpoints, end: log.end, hasher: hashStream });
    const problems = [
      ...(await verifyIndex(index)),
      ...(await verifyExistence({ fileSystem, directory: DIRECTORY, sources: [...index.tables, recent] }))
    ];
    return {
      damage: problems.filter(({ severity }) => severity === 'damage'),
      inTables: index.tables.flatMap(entriesOf).sort(),
      all: [...index.tables.flatMap(entriesOf), ...entriesOf(recent)].sort(),
      recent: recent.count,
      levels: (index.map?.tables ?? []).map(({ level, position }) => `${level}/${position}`),
      checkpoints: index.checkpoints,
      names: (fileSystem.list(DIRECTORY) ?? [])
        .map(({ name }) => name.replace(/^[0-9a-f-]{36}/, 'GUID'))
        .sort(),
      filter: (fileSystem.list(`${DIRECTORY}/stream-existence`) ?? []).map(({ name }) => name).sort()
    };
  } finally {
    index.close();
  }
}

/** By the words of the format alone: all records in an array, each commit looking back for its prepares. */
function modelOf(log: MemoryLog): string[] {
  const records = [];
  for (const cursor = log.cursor(0, log.end); cursor.next();) records.push(cursor.record);
  const entries: string[] = [];
  const add = (stream: string, number: bigint | number, position: number) => {
    const { high, low } = hashStream(stream);
    entries.push(`${hashText(high, low)} ${number} ${position}`);
  };
  const numberOf = ({ isTombstone }: { isTombstone: boolean }, number: number) =>
    isTombstone ? DELETED_STREAM_EVENT_NUMBER : number;
  for (const record of records) {
    if (record.kind === 'prepare' && record.isSelfCommitted && (record.hasData || record.isTombstone))
      add(record.stream, numberOf(record, record.eventNumber), record.position);
    if (record.kind !== 'commit') continue;
    const { transactionPosition, position, eventNumber } = record;
    for (const member of records) {
      if (member.kind !== 'prepare' || member.transactionPosition !== transactionPosition) continue;
      if (member.position > position) break;
      if (member.hasData || member.isTombstone)
        add(member.stream, numberOf(member, eventNumber + member.transactionOffset), member.position);
      if ((member.flags & PrepareFlag.transactionEnd) !== 0) break;
    }
  }
  return entries.sort();
}

async function prepare(log: MemoryLog, fileSystem: FileSystem, newGuid = guids(), isMerged = true) {
  const place = { fileSystem, directory: DIRECTORY, newGuid, breathe };
  const caughtUp = await catchUpIndex({ ...place, log, end: log.end, entriesPerRun: 37 });
  if (isMerged) await mergeLevels(place);
  const index = IndexDirectory.open({ fileSystem, directory: DIRECTORY, logEnd: log.end });
  try {
    const { tables } = index;
    await catchUpExistence({ ...place, tables, log, end: log.end, configuredBytes: FILTER_BYTES });
  } finally {
    index.close();
  }
  return caughtUp;
}

describe('an index that is brought up to the log', () => {
  it.each(seedsFrom(0, 24))(
    'holds every entry of random log %i once, and the next start reads none',
    async (seed) => {
      const random = new Prng(seed);
      const log = randomLog(random, 40 + random.below(500));
      const fileSystem = new MemoryFileSystem();
      const end = random.below(log.end / 100) * 100;
      const memtable = 1 + random.below(90);
      await serverIndex(log, fileSystem, { end, memtable, isMerged: random.chance(0.5) });
      const before = await contentOf(log, fileSystem);
      const model = modelOf(log);
      expect(before.all, `seed ${seed}`).toEqual(model);
      const isMerged = random.chance(0.5);
      const { table } = await prepare(log, fileSystem, guids(), isMerged);
      const after = await contentOf(log, fileSystem);
      expect(after.inTables, `seed ${seed}`).toEqual(model);
      expect(after.recent).toBe(0);
      expect(after.damage).toEqual([]);
      expect(table?.entryCount ?? 0).toBe(before.recent);
      if (isMerged) expect(nextMerge(readIndexMap(fileSystem, DIRECTORY)!)).toBeUndefined();
      // Nothing is left to be done.
      expect((await prepare(log, fileSystem, guids(700), isMerged)).table).toBeUndefined();
      expect(await contentOf(log, fileSystem)).toEqual(after);
    }
  );

  it('puts a small table below what is there, and follows the newest one of level 0', async () => {
    const log = randomLog(new Prng(5), 200);
    const fileSystem = new MemoryFileSystem();
    await serverIndex(log, fileSystem, { end: log.end / 2, memtable: 20, isMerged: false });
    const before = await contentOf(log, fileSystem);
    await prepare(log, fileSystem, guids(), false);
    const after = await contentOf(log, fileSystem);
    expect(after.levels).toEqual([`0/${before.levels.length}`, ...before.levels]);
  });
});

describe('the filter of existing streams', () => {
  it('that is there is added to, one that is damaged is made again', async () => {
    const log = randomLog(new Prng(9), 400, 60);
    const fileSystem = new MemoryFileSystem();
    await serverIndex(log, fileSystem, { end: log.end, memtable: 30, isMerged: true });
    const index = IndexDirectory.open({ fileSystem, directory: DIRECTORY, logEnd: log.end });
    const { tables } = index;
    const options = {
      fileSystem,
      directory: DIRECTORY,
      newGuid: guids(),
      breathe,
      tables,
      log,
      configuredBytes: FILTER_BYTES
    };
    const half = Math.floor(log.end / 200) * 100;
    expect(await catchUpExistence({ ...options, end: half })).toMatchObject({ isRebuilt: true });
    expect(await catchUpExistence({ ...options, end: log.end })).toEqual({
      isRebuilt: false,
      fileBytes: 10_752,
      checkpoint: log.end
    });
    const path = `${DIRECTORY}/stream-existence/streamExistenceFilter.dat`;
    const file = fileSystem.open(path, 'readWrite');
    // More bits than one differ in the first line, so it answers "maybe" to everything.
    file.write(new Uint8Array(60).fill(0x5a), 0, 60, 64);
    file.close();
    expect(await catchUpExistence({ ...options, end: log.end })).toMatchObject({ isRebuilt: true });
    expect((await contentOf(log, fileSystem)).damage).toEqual([]);
    index.close();
  });
});

describe('a power cut', () => {
  it.each([1, 2, 3])(
    'at any call leaves an index with all entries, and the next preparation ends the same (seed %i)',
    async (seed) => {
      const log = randomLog(new Prng(seed + 40), 160);
      const subject = {
        prepare: async () => {
          const fileSystem = new MemoryFileSystem();
          const end = Math.floor(log.end / 150) * 100;
          await serverIndex(log, fileSystem, { end, memtable: 15 + seed, isMerged: seed > 1 });
          return fileSystem;
        },
        act: (fileSystem: FileSystem) => prepare(log, fileSystem),
        resume: (fileSystem: FileSystem) => prepare(log, fileSystem, guids(900)),
        contentOf: async (fileSystem: FileSystem) => {
          // Where a cut came between table and merge, levels differ; what is in them does not.
          const { names, levels, ...content } = await contentOf(log, fileSystem);
          const others = names.filter((name) => !name.startsWith('GUID'));
          return { ...content, others, isAtRest: new Set(levels).size === levels.length };
        },
        look: async (fileSystem: FileSystem) => {
          const { all, damage } = await contentOf(log, fileSystem);
          expect(damage).toEqual([]);
          expect(all).toEqual(modelOf(log));
        }
      };
      const report = await enumerateCuts(subject, { seed });
      recordCuts(`index catching up, random log ${seed}`, 'startup --prepare', report);
      expect(report.calls).toBeGreaterThan(25);
    }
  );
});
