/** Digests are made once, kept beside nothing of the database, and made again whenever they are not what they should be. */
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../../src-core/database/database.ts';
import { ChunkDigests } from '../../../src-core/digest/chunk-digests.ts';
import { readDigestsInThisThread, type StartDigestWorkers } from '../../../src-core/digest/digest-workers.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { ticksFromIso, type Ticks } from '../../../src-core/units/ticks.ts';
import { verifyDatabase } from '../../../src-core/verify/verify-database.ts';
import { PassThroughFileSystem } from '../../../src-core/storage/pass-through.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { scavengeEnvironment, temporaryDirectory } from '../../support/scavenge-environment.ts';

const COMPLETED = 5;
const fileSystem = new NodeFileSystem();
let home: string;
let dataDirectory: string;
let directory: string;
let database: Database;

beforeEach(() => {
  home = temporaryDirectory();
  dataDirectory = join(home, 'db');
  directory = join(home, 'winnow/digests/db');
  fileSystem.makeDirectory(dataDirectory);
  const newGuid = guidsFrom(7);
  const writer = LogWriter.create({ fileSystem, directory: dataDirectory, chunkSizeBytes: 8192, newGuid });
  let ticks = ticksFromIso('2026-01-01T00:00:00Z')!;
  const lastEventNumber = () => -1;
  const appender = new EventAppender({
    writer,
    newGuid,
    now: () => (ticks = (ticks + 1n) as Ticks),
    lastEventNumber
  });
  const count = () => readdirSync(dataDirectory).filter((name) => name.startsWith('chunk-')).length;
  for (let i = 0; count() <= COMPLETED; i++) {
    appender.append(`stream-${i % 7}`, [{ eventType: 'happened', data: Buffer.alloc(300, 'x') }]);
  }
  writer.close();
  database = openDatabase({ fileSystem, dataDirectory });
});
afterEach(() => {
  database.close();
  rmSync(home, { recursive: true, force: true });
});

/** As another process would. */
async function prepared(
  change: { directory?: string; clock?: () => number; memoryBytes?: number } = { directory }
): Promise<ChunkDigests> {
  const { newGuid, operation } = scavengeEnvironment();
  const digests = new ChunkDigests({ fileSystem, newGuid, threads: 1, ...change });
  await digests.prepare(database.log.chunks, operation);
  return digests;
}

const unkept = { fileSystem, newGuid: guidsFrom(3), threads: 1 };

function files(): string[] {
  return readdirSync(directory).sort();
}

function columnsOf(digests: ChunkDigests): unknown[] {
  return database.log.chunks.map((chunk) => digests.of(chunk).columns);
}

describe('digests', () => {
  it('are read once for questions that begin together, and again where the first was stopped', async () => {
    const { newGuid, operation } = scavengeEnvironment();
    const { chunks } = database.log;
    const together = new ChunkDigests({ fileSystem, newGuid, threads: 1 });
    await Promise.all([1, 2, 3].map(() => together.prepare(chunks, operation)));
    expect(together.chunksRead).toBe(COMPLETED + 1);
    const stopping = new AbortController();
    const stopped = new ChunkDigests({ fileSystem, newGuid, threads: 1 });
    const first = stopped.prepare(chunks, operation.stoppedAlsoBy(stopping.signal));
    const second = stopped.prepare(chunks, operation);
    stopping.abort();
    await expect(first).rejects.toThrow();
    await second;
    const readBefore = stopped.chunksRead;
    for (const chunk of chunks) stopped.of(chunk);
    expect(stopped.chunksRead).toBe(readBefore);
    const waiting = new AbortController();
    const third = new ChunkDigests({ fileSystem, newGuid, threads: 1 });
    const reading = third.prepare(chunks, operation);
    const impatient = third.prepare(chunks, operation.stoppedAlsoBy(waiting.signal));
    waiting.abort();
    await expect(impatient).rejects.toThrow();
    await reading;
  });

  it.each([
    ['stay in the store where memory would not hold them', true],
    ['come back where the store cannot hold them either', false]
  ])('of chunks that are read together %s', async (_, hasRoom) => {
    const { newGuid, operation } = scavengeEnvironment();
    const { chunks } = database.log;
    class Volume extends PassThroughFileSystem {
      override freeBytes(path: string): number {
        return hasRoom ? super.freeBytes(path) : 0;
      }
    }
    const volume = new Volume(fileSystem);
    const came: boolean[] = [];
    const startWorkers: StartDigestWorkers = () => {
      const breathe = () => Promise.resolve();
      const workers = readDigestsInThisThread({ fileSystem: volume, store: digests.store, breathe });
      return {
        ...workers,
        read: async (...reading) => {
          const settled = await workers.read(...reading);
          for (const one of settled) came.push(one.status === 'fulfilled' && one.value !== undefined);
          return settled;
        }
      };
    };
    const digests = new ChunkDigests({
      ...{ fileSystem: volume, newGuid, directory, threads: 2, startWorkers },
      ...{ memoryBytes: 1, leastThreadBytes: 1 }
    });
    await digests.prepare(chunks, operation);
    // That of the chunk that is being written is not stored.
    expect(came).toEqual(chunks.map(({ isLasting }) => !hasRoom || !isLasting));
    expect(columnsOf(digests)).toEqual(columnsOf(new ChunkDigests(unkept)));
  });

  it('that threads are writing just now are not taken for what a killed process left', async () => {
    const { newGuid, operation } = scavengeEnvironment();
    const { chunks } = database.log;
    const half = join(directory, 'half.tmp');
    let isThere: boolean | undefined;
    let other: Promise<void> | undefined;
    const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
    const startWorkers: StartDigestWorkers = () => {
      const breathe = () => Promise.resolve();
      const workers = readDigestsInThisThread({ fileSystem, store: digests.store, breathe });
      return {
        ...workers,
        read: async (...reading) => {
          await nextTurn();
          if (isThere === undefined) {
            fileSystem.makeDirectory(directory);
            writeFileSync(half, '');
            other = digests.prepare(chunks, operation);
            isThere = existsSync(half);
          }
          return workers.read(...reading);
        }
      };
    };
    const digests = new ChunkDigests({
      ...{ fileSystem, newGuid, directory, threads: 2, startWorkers },
      leastThreadBytes: 1
    });
    await digests.prepare(chunks, operation);
    await other;
    expect(isThere).toBe(true);
    // Nobody writes any more: the next question removes it.
    await prepared();
    expect(existsSync(half)).toBe(false);
  });

  it('are kept of the open chunk of a node at rest until something is written to it', async () => {
    const laterMs = 3_600_000;
    const clock = () => Date.now() + laterMs;
    expect((await prepared({ directory, clock })).chunksRead).toBe(COMPLETED + 1);
    const expected = columnsOf(await prepared());
    const known = await prepared({ directory, clock });
    expect(known.chunksRead).toBe(0);
    expect(columnsOf(known)).toEqual(expected);
    // One that may be written just now is read.
    expect((await prepared({ directory, clock: () => Date.now() })).chunksRead).toBe(1);
    const { path } = database.log.chunks.at(-1)!;
    utimesSync(path, statSync(path).atime, new Date(statSync(path).mtimeMs + 1000));
    expect((await prepared({ directory, clock })).chunksRead).toBe(1);
  });

  it('are made once for each completed chunk, and kept', async () => {
    const first = await prepared();
    expect(first.chunksRead).toBe(COMPLETED + 1);
    expect(files()).toHaveLength(COMPLETED);
    const second = await prepared();
    expect(second.chunksRead).toBe(1); // that which is being written
    expect(columnsOf(second)).toEqual(columnsOf(first));
    expect(second.chunksRead).toBe(1);
    expect(database.log.chunks.map((chunk) => second.of(chunk).isHashed)).toEqual([
      ...Array.from({ length: COMPLETED }, () => true),
      false
    ]);
  });

  it('take no more memory than they may, the last one used apart, and are then loaded or read again', async () => {
    const wanted = columnsOf(await prepared());
    const [sizeBytes] = database.log.chunks.map((chunk) => new ChunkDigests(unkept).of(chunk).sizeBytes);
    for (const memoryBytes of [1, Math.floor(sizeBytes! * 2.5)]) {
      const stored = await prepared({ directory, memoryBytes });
      const readFirst = stored.chunksRead;
      for (let round = 0; round < 2; round++) expect(columnsOf(stored)).toEqual(wanted);
      // Only that which is being written is stored nowhere.
      expect(stored.chunksRead - readFirst).toBeLessThanOrEqual(2);
      const unstored = await prepared({ memoryBytes });
      expect(unstored.chunksRead).toBe(COMPLETED + 1);
      expect(columnsOf(unstored)).toEqual(wanted);
      expect(unstored.chunksRead).toBeGreaterThan(COMPLETED + 1);
      const { chunksRead } = unstored;
      const chunk = database.log.chunks.at(-1)!;
      expect(unstored.of(chunk)).toBe(unstored.of(chunk));
      expect(unstored.chunksRead).toBe(chunksRead);
    }
  });

  it('say whether a chunk may have records of a stream, loaded or not', async () => {
    const digests = await prepared();
    const [chunk] = database.log.chunks;
    for (const isLoaded of [false, true]) {
      if (isLoaded) digests.of(chunk!);
      expect(digests.mayHoldStream(chunk!, 'stream-3')).toBe(true);
      expect(digests.mayHoldStream(chunk!, 'no such stream')).toBe(false);
    }
    expect(new ChunkDigests(unkept).mayHoldStream(chunk!, 'no such stream')).toBe(true);
  });

  it('give their memory back where they are stored, and are loaded again', async () => {
    const stored = await prepared();
    const wanted = columnsOf(stored);
    stored.release();
    expect(columnsOf(stored)).toEqual(wanted);
    expect(stored.chunksRead).toBe(COMPLETED + 2); // once more that which is being written
    const inMemory = await prepared({});
    inMemory.release();
    columnsOf(inMemory);
    expect(inMemory.chunksRead).toBe(COMPLETED + 1);
  });

  it('are made in memory where nothing is kept', async () => {
    const wanted = columnsOf(await prepared());
    const inMemory = await prepared({});
    expect(columnsOf(inMemory)).toEqual(wanted);
    expect(inMemory.chunksRead).toBe(COMPLETED + 1);
  });

  it.each([
    ['deleted', (path: string) => rmSync(path)],
    ['cut', (path: string) => truncateSync(path, 100)],
    ['emptied', (path: string) => truncateSync(path, 0)],
    [
      'flipped',
      (path: string) => {
        const bytes = readFileSync(path);
        bytes[bytes.length >> 1]! ^= 4;
        writeFileSync(path, bytes);
      }
    ]
  ])('are made again when one was %s', async (_what, damage) => {
    const wanted = columnsOf(await prepared());
    const path = join(directory, files()[0]!);
    const whole = readFileSync(path);
    damage(path);
    expect(columnsOf(await prepared())).toEqual(wanted);
    await prepared(); // at the latest: damage within the columns shows when they are used
    expect(readFileSync(path)).toEqual(whole);
  });

  it('are those of the file that is there: a chunk that was touched is read again, and the old digest goes', async () => {
    await prepared();
    const before = files();
    const [chunk] = database.log.chunks;
    utimesSync(chunk!.path, new Date(), new Date(Date.now() + 5000));
    const again = await prepared();
    expect(again.chunksRead).toBe(2);
    const after = files();
    expect(after).toHaveLength(COMPLETED);
    expect(after.filter((name) => !before.includes(name))).toHaveLength(1);
  });

  it('are not kept of a chunk whose hash is wrong, nor called sound', async () => {
    const [chunk] = database.log.chunks;
    chmodSync(chunk!.path, 0o644);
    const bytes = readFileSync(chunk!.path);
    const at = bytes.indexOf('xxxxxxxx');
    bytes[at] = 'y'.charCodeAt(0);
    writeFileSync(chunk!.path, bytes);
    const digests = await prepared();
    expect(digests.of(chunk!).isHashed).toBe(false);
    expect(files()).toHaveLength(COMPLETED - 1);
  });

  it('fail as the chunk does when a record of it is damaged', async () => {
    const [chunk] = database.log.chunks;
    chmodSync(chunk!.path, 0o644);
    const bytes = readFileSync(chunk!.path);
    bytes[128]! ^= 1; // the length of the first record
    writeFileSync(chunk!.path, bytes);
    const digests = await prepared();
    expect(() => digests.of(chunk!)).toThrow(/chunk-000000.000000 is damaged at offset 128/);
    expect(files()).toHaveLength(COMPLETED - 1);
  });

  it('are readable by their owner only, since names are in them', async () => {
    await prepared();
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  it('of chunks that the database no longer has are removed', async () => {
    const first = await prepared();
    writeFileSync(join(directory, 'something-else.txt'), 'mine');
    writeFileSync(join(directory, '4f0c0000-0000-4000-8000-000000000000.tmp'), 'left by a killed process');
    const { newGuid, operation } = scavengeEnvironment();
    const less = new ChunkDigests({ fileSystem, newGuid, threads: 1, directory });
    await less.prepare(database.log.chunks.slice(2), operation);
    expect(files()).toHaveLength(COMPLETED - 2 + 1);
    expect(first.of(database.log.chunks[0]!).recordCount).toBeGreaterThan(0);
  });

  it('are answered from memory when their place cannot be written', async () => {
    writeFileSync(join(home, 'file'), '');
    const digests = await prepared({ directory: join(home, 'file/digests') });
    expect(columnsOf(digests)).toEqual(columnsOf(await prepared()));
  });

  it('are stopped between chunks', async () => {
    const stopped = new AbortController();
    stopped.abort();
    const { newGuid, operation } = scavengeEnvironment({ signal: stopped.signal });
    const digests = new ChunkDigests({ fileSystem, newGuid, threads: 1, directory });
    await expect(digests.prepare(database.log.chunks, operation)).rejects.toThrow(/stopped/i);
  });

  describe('after a verification', () => {
    async function verified(change: { quick?: boolean } = {}) {
      const { newGuid, operation } = scavengeEnvironment();
      const digests = new ChunkDigests({ fileSystem, newGuid, threads: 1, directory });
      return verifyDatabase({ database, quick: false, control: operation, digests, ...change });
    }

    it('are there, since every byte was read', async () => {
      await verified();
      expect(files()).toHaveLength(COMPLETED);
      const later = await prepared();
      expect(later.chunksRead).toBe(1);
      expect(columnsOf(later)).toEqual(columnsOf(await prepared({})));
    });

    it('are not there of a damaged chunk, nor after a quick one', async () => {
      await verified({ quick: true });
      expect(() => files()).toThrow('ENOENT');
      const [chunk] = database.log.chunks;
      chmodSync(chunk!.path, 0o644);
      const bytes = readFileSync(chunk!.path);
      bytes[bytes.indexOf('xxxxxxxx')] = 'y'.charCodeAt(0);
      writeFileSync(chunk!.path, bytes);
      const { findings } = await verified();
      expect(findings.map(({ code }) => code)).toContain('chunkHashMismatch');
      expect(files()).toHaveLength(COMPLETED - 1);
    });
  });
});
