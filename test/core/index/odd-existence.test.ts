/** The filter of existing streams where it cannot be used, and where something else has its name. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { BloomFilter } from '../../../src-core/index/bloom-filter.ts';
import { readExistenceCheckpoint, removeExistenceFilter } from '../../../src-core/index/existence-filter.ts';
import { verifyExistence } from '../../../src-core/index/verify-existence.ts';
import { catchUpExistence } from '../../../src-core/index/catch-up/catch-up-existence.ts';
import { emptyIndexMap, writeIndexMap } from '../../../src-core/index/index-map.ts';
import { openStreamIndex } from '../../../src-core/index/stream-index.ts';
import { writeIndexTable } from '../../../src-core/index/index-table-writer.ts';
import { readRecentEntries } from '../../../src-core/index/read-recent-entries.ts';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { readWholeFile, type FileFacts } from '../../../src-core/storage/file-system.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { fileSystem, guidName, scratchDirectory, sortedEntries } from './index-fixture.ts';
import { MemoryLog, nthCharacter } from './memory-log.ts';

const FILTER = 'streamExistenceFilter.dat';
const CHECKPOINT = 'streamExistenceFilter.chk';

function withFilter(bytes: Uint8Array): { directory: string; folder: string } {
  const directory = scratchDirectory();
  const folder = path.join(directory, 'stream-existence');
  mkdirSync(folder);
  writeFileSync(path.join(folder, FILTER), bytes);
  const checkpoint = Buffer.alloc(8);
  checkpoint.writeBigInt64LE(5000n);
  writeFileSync(path.join(folder, CHECKPOINT), checkpoint);
  return { directory, folder };
}

test('one that is damaged is named with what the server does about it', async () => {
  const { directory } = withFilter(Buffer.alloc(10));
  expect(await verifyExistence({ fileSystem, directory, sources: [] })).toMatchObject([
    {
      severity: 'hint',
      code: 'filterInvalid',
      file: `stream-existence/${FILTER}`,
      message: expect.stringMatching(
        /^The filter of existing streams is not used: .+; the server rebuilds it when it starts\.$/
      ) as string
    }
  ]);
});

test('streams that it denies are counted by where their entries are', async () => {
  const { directory } = withFilter(BloomFilter.empty(10_000).encode());
  const rows: [string, number, number][] = [
    ['97be6233ad91dacb', 1, 1200],
    ['97be6233ad91dacb', 0, 1000],
    ['26c83096d3b4bf35', 0, 1400]
  ];
  const recent = { ...sortedEntries(rows), name: 'the log after the index' };
  const table = { ...sortedEntries(rows.slice(2)), name: 'a-table' };
  const problems = await verifyExistence({ fileSystem, directory, sources: [recent, table] });
  expect(problems.map(({ message }) => message)).toEqual([
    'The filter of existing streams denies 2 stream hashes of the log after the index: readers do not see these streams.',
    'The filter of existing streams denies 1 stream hashes of index table a-table: readers do not see these streams.'
  ]);
});

test('a directory in the place of one of its files is left there', () => {
  const { directory, folder } = withFilter(Buffer.alloc(10));
  expect(removeExistenceFilter(fileSystem, directory)).toBe(true);
  mkdirSync(path.join(folder, FILTER));
  writeFileSync(path.join(folder, CHECKPOINT), 'x');
  expect(removeExistenceFilter(fileSystem, directory)).toBe(false);
  expect(readdirSync(folder)).toEqual([FILTER]);
});

test('a check point that shrinks between the look and the reading is none', () => {
  class Shrinking extends MemoryFileSystem {
    override describe(file: string): FileFacts | undefined {
      const facts = super.describe(file);
      const open = this.open(file, 'readWrite');
      open.truncate(3);
      open.close();
      return facts;
    }
  }
  const memory = new Shrinking();
  const file = memory.open(`/${CHECKPOINT}`, 'createNew');
  file.write(Buffer.alloc(8), 0, 8, 0);
  file.close();
  expect(readExistenceCheckpoint(memory, '/')).toBe(-1);
});

test('of a long log it is made with pauses, and told how far it is', async () => {
  const memory = new MemoryFileSystem();
  const log = new MemoryLog();
  for (let number = 0; number < 5000; number++) log.event(`s${number % 50}`, number);
  memory.makeDirectory('/index');
  const told: { done: number; total: number }[] = [];
  let pauses = 0;
  await catchUpExistence({
    fileSystem: memory,
    directory: '/index',
    newGuid: () => guidName(1),
    tables: [],
    log,
    end: log.end,
    configuredBytes: 10_000,
    breathe: () => {
      pauses++;
      return Promise.resolve();
    },
    onProgress: (progress) => told.push(progress)
  });
  expect(pauses).toBeGreaterThan(0);
  expect(told[0]).toEqual({ done: 4095 * 100, total: log.end, unit: 'bytes' });
  const entries = await readRecentEntries({
    log,
    prepareCheckpoint: -1,
    commitCheckpoint: -1,
    end: log.end,
    hasher: hashStream
  });
  expect(await verifyExistence({ fileSystem: memory, directory: '/index', sources: [entries] })).toEqual([]);
});

test('of tables in which hashes have the same upper half it has every stream', async () => {
  const log = new MemoryLog();
  for (const stream of ['aa', 'ab', 'ab', 'ac', 'ad']) log.event(stream, stream === 'ab' ? log.end / 100 : 0);
  const directory = scratchDirectory();
  const end = log.end;
  const place = { log, hasher: nthCharacter };
  const entries = await readRecentEntries({ ...place, prepareCheckpoint: -1, commitCheckpoint: -1, end });
  writeIndexTable({ fileSystem, directory, name: guidName(1) }, entries);
  const map = { ...emptyIndexMap(), prepareCheckpoint: end - 100, commitCheckpoint: end - 100 };
  const tables = [{ level: 0, position: 0, file: guidName(1) }];
  writeIndexMap(fileSystem, directory, { ...map, tables }, guidName(9));
  const index = await openStreamIndex({ fileSystem, directory, ...place });
  const found = await catchUpExistence({
    ...{ fileSystem, directory, ...place, tables: index.directory.tables, end, configuredBytes: 10_000 },
    newGuid: () => guidName(2),
    breathe: () => Promise.resolve()
  });
  expect(found).toMatchObject({ isRebuilt: true });
  expect(await verifyExistence({ fileSystem, directory, sources: index.directory.tables })).toEqual([]);
  const expected = BloomFilter.empty(10_000);
  for (const stream of ['aa', 'ab', 'ac', 'ad']) {
    const { high, low } = nthCharacter(stream);
    expected.add(high, low);
  }
  const file = readWholeFile(fileSystem, path.join(directory, 'stream-existence', FILTER))!;
  expect(Buffer.compare(file, expected.encode())).toBe(0);
  index.close();
});
