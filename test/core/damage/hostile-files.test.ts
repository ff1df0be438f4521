/**
 * Files that were made to hurt, or look so: checksums hold, but what they say leads astray. Each test is a fault
 * that was once there.
 */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Chunk } from '../../../src-core/chunks/chunk.ts';
import { requireChunkChecksum } from '../../../src-core/chunks/chunk-checksum.ts';
import { decodeChunkHeader, encodeChunkHeader } from '../../../src-core/chunks/chunk-header.ts';
import { ChunkReader } from '../../../src-core/chunks/chunk-reader.ts';
import { openDatabase, type Database } from '../../../src-core/database/database.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { encodeIndexMap, decodeIndexMap, readIndexMap } from '../../../src-core/index/index-map.ts';
import { IndexTableReader } from '../../../src-core/index/index-table-reader.ts';
import { readExistenceFilter } from '../../../src-core/index/existence-filter.ts';
import { readStreamForward } from '../../../src-core/index/read-stream.ts';
import { openStreamIndex } from '../../../src-core/index/stream-index.ts';
import { readCheckpointFile } from '../../../src-core/log/checkpoint-file.ts';
import { LogRecord } from '../../../src-core/records/log-record.ts';
import { verifyDatabase } from '../../../src-core/verify/verify-database.ts';
import { baseDatabase } from '../../fuzz/base-databases.ts';
import { mountFiles, type DatabaseImage, type FileRole, type Files } from '../../fuzz/database-image.ts';
import { CountingFileSystem } from '../../support/counting-file-system.ts';
import { MemoryLog, nthCharacter } from '../index/memory-log.ts';

const DIRECTORY = '/database';

/** A base with one file changed. */
async function changed(
  name: string,
  file: string,
  change: (bytes: Buffer) => void
): Promise<{ fileSystem: CountingFileSystem; database: Database }> {
  const image = await baseDatabase(name);
  const files: Files = new Map(image.files);
  const bytes = Buffer.from(files.get(file)!);
  change(bytes);
  files.set(file, new Uint8Array(bytes));
  const fileSystem = new CountingFileSystem(mountFiles(files, DIRECTORY));
  return { fileSystem, database: openDatabase({ fileSystem, dataDirectory: DIRECTORY }) };
}

const HEADER = {
  version: 4,
  minCompatibleVersion: 3,
  chunkSizeBytes: 65536,
  startNumber: 0,
  endNumber: 0,
  isScavenged: false,
  chunkId: '11111111-2222-3333-4444-555555555555',
  transformType: 0
};

const filesOf = (image: DatabaseImage, role: FileRole): string[] =>
  [...image.roles].filter(([, found]) => found === role).map(([file]) => file);

async function codesOf(database: Database): Promise<string[]> {
  const { findings } = await verifyDatabase({ database, quick: false, control: uncontrolled() });
  return findings.map(({ severity, code }) => `${severity} ${code}`);
}

/** Makes the hash of a chunk fit what it holds. */
function seal(bytes: Buffer): void {
  createHash('md5')
    .update(bytes.subarray(0, -16))
    .digest()
    .copy(bytes, bytes.length - 16);
}

/** Offsets of the payloads of a chunk's records. */
function payloads(bytes: Buffer): number[] {
  const starts: number[] = [];
  for (let at = 128; at + 8 < bytes.length;) {
    const length = bytes.readInt32LE(at);
    if (length <= 0) break;
    starts.push(at + 4);
    at += length + 8;
  }
  return starts;
}

describe('verification', () => {
  test('names an encrypted chunk that holds the newest epoch, and goes on', async () => {
    const image = await baseDatabase('sample');
    const epoch = Buffer.from(image.files.get('epoch.chk')!).readBigInt64LE();
    const file = `chunk-00000${Math.floor(Number(epoch) / 32_768)}.000000`;
    const { database } = await changed('sample', file, (bytes) => {
      bytes[35] = 1;
    });
    const { findings, notChecked } = await verifyDatabase({ database, quick: true, control: uncontrolled() });
    expect(findings.map(({ code }) => code)).toContain('encrypted');
    expect(notChecked).toContain(`records of ${file} (encrypted)`);
  });

  test('notices two tables that have changed places, each of them sound', async () => {
    const image = await baseDatabase('sample');
    const [first, second] = filesOf(image, 'table') as [string, string];
    const files: Files = new Map(image.files);
    for (const suffix of ['', '.bloomfilter']) {
      files.set(first + suffix, image.files.get(second + suffix)!);
      files.set(second + suffix, image.files.get(first + suffix)!);
    }
    const fileSystem = mountFiles(files, DIRECTORY);
    const database = openDatabase({ fileSystem, dataDirectory: DIRECTORY });
    expect(await codesOf(database)).toContain('damage tableInvalid');
  });

  test('tells of a commit that leads into the middle of a record', async () => {
    const image = await baseDatabase('transactions/before');
    const isCommit = (bytes: Uint8Array) => (at: number) => bytes[at] === 1;
    const file = filesOf(image, 'completedChunk').find((name) => {
      const bytes = Buffer.from(image.files.get(name)!);
      return payloads(bytes).some(isCommit(bytes));
    })!;
    const { database } = await changed('transactions/before', file, (bytes) => {
      const commit = payloads(bytes).find(isCommit(bytes))!;
      bytes.writeBigInt64LE(bytes.readBigInt64LE(commit + 10) + 3n, commit + 10);
      seal(bytes);
    });
    expect(await codesOf(database)).toContain('damage recordInvalid');
  });
});

describe('a stream with a gap of 2^50 numbers', () => {
  test('is read to its end in a few pages', async () => {
    const log = new MemoryLog();
    log.event('ab', 0);
    log.event('ab', 2 ** 50);
    const fileSystem = mountFiles(new Map(), '/nothing');
    const index = await openStreamIndex({ fileSystem, directory: '/nothing', log, hasher: nthCharacter });
    const numbers: number[] = [];
    let from = 0;
    for (let pages = 0; pages < 4 && from >= 0; pages++) {
      const page = readStreamForward(index, { stream: 'ab', from, count: 32, now: 0n });
      numbers.push(...page.events.map(({ number }) => number));
      from = page.isEndOfStream ? -1 : page.nextEventNumber;
    }
    expect(numbers).toEqual([0, 2 ** 50]);
    expect(from).toBe(-1);
  });
});

describe('an index table', () => {
  test('with an event number above 2^53 is refused where it is met', async () => {
    const image = await baseDatabase('sample');
    const [table] = filesOf(image, 'table');
    const bytes = Buffer.from(image.files.get(table!)!);
    bytes.writeBigInt64LE(2n ** 60n, 128 + 24 * 3);
    const fileSystem = mountFiles(new Map([['table', new Uint8Array(bytes)]]), DIRECTORY);
    const reader = IndexTableReader.open({ fileSystem, directory: DIRECTORY, name: 'table' });
    expect(() => reader.readEntry(0, { hashHigh: 0, hashLow: 0, number: 0, position: 0 })).toThrow(
      expect.objectContaining({ code: 'IndexCorrupt', details: { file: 'table', offset: 200 } })
    );
    reader.close();
  });
});

describe.each(['as it is', 'with a checksum that fits'])(
  'a table entry without a possible number, %s',
  (how) => {
    const seal = (bytes: Buffer) =>
      createHash('md5')
        .update(bytes.subarray(0, -16))
        .digest()
        .copy(bytes, bytes.length - 16);
    const damaged = async () => {
      const file = filesOf(await baseDatabase('sample'), 'table')[0]!;
      const { fileSystem } = await changed('sample', file, (bytes) => {
        // The first entry is one of those by which an index is held against its log.
        bytes.writeBigInt64LE(-1n, 128);
        if (how !== 'as it is') seal(bytes);
      });
      return { fileSystem, table: file.slice('index/'.length) };
    };

    test('is a finding of verification, which looks at the rest', async () => {
      const { fileSystem, table } = await damaged();
      const database = openDatabase({ fileSystem, dataDirectory: DIRECTORY });
      const { findings } = await verifyDatabase({ database, quick: false, control: uncontrolled() });
      database.close();
      expect(findings).toContainEqual(
        expect.objectContaining({ severity: 'damage', code: 'tableInvalid', file: table })
      );
      expect(fileSystem.openFiles).toBe(0);
    });

    test('stands in the way of nothing that the log can answer', async () => {
      const { fileSystem } = await damaged();
      const database = openDatabase({ fileSystem, dataDirectory: DIRECTORY });
      const { log, indexDirectory: directory } = database;
      const index = await openStreamIndex({ fileSystem, directory, log });
      expect(index.directory.isUsable).toBe(false);
      expect(index.lastEventNumber('$scavengePoints')).toBeGreaterThanOrEqual(-1);
      index.close();
      database.close();
      expect(fileSystem.openFiles).toBe(0);
    });
  }
);

describe('a record of a type that no server writes, in a chunk whose hash fits', () => {
  test('is a finding of verification, which looks at the rest', async () => {
    const file = 'chunk-000001.000000';
    const { database } = await changed('sample', file, (bytes) => {
      bytes[128 + 4] = 8;
      createHash('md5')
        .update(bytes.subarray(0, -16))
        .digest()
        .copy(bytes, bytes.length - 16);
    });
    const { findings } = await verifyDatabase({ database, quick: false, control: uncontrolled() });
    database.close();
    expect(findings).toContainEqual(
      expect.objectContaining({ severity: 'damage', code: 'recordInvalid', file, offset: 128 })
    );
  });
});

describe('a chunk that calls itself scavenged and has records but no position map', () => {
  test('is damaged, keeps a scavenge away, and is never read as if it were empty', async () => {
    const { database } = await changed('sample', 'chunk-000001.000000', (bytes) => {
      bytes.writeInt32LE(1, 14);
      createHash('md5')
        .update(bytes.subarray(0, -16))
        .digest()
        .copy(bytes, bytes.length - 16);
    });
    expect(await codesOf(database)).toContain('damage chunkFooterInvalid');
    expect(() => database.requireWhole()).toThrow(expect.objectContaining({ code: 'LogCorrupt' }));
    expect(() => database.log.readAt(database.log.chunkSizeBytes)).toThrow(
      expect.objectContaining({ code: 'LogCorrupt' })
    );
    database.close();
  });
});

describe('a chunk with a changed payload', () => {
  test('is refused when its hash is computed before it is copied', async () => {
    const image = await baseDatabase('sample');
    const [file] = filesOf(image, 'completedChunk');
    const { fileSystem, database } = await changed('sample', file!, (bytes) => {
      bytes[2000] = bytes[2000]! ^ 1;
    });
    const [bad, good] = database.chunkSet.chunks;
    const offset = image.files.get(file!)!.length - 16;
    await expect(requireChunkChecksum(fileSystem, bad!)).rejects.toMatchObject({
      code: 'LogCorrupt',
      details: { file, offset }
    });
    await expect(requireChunkChecksum(fileSystem, good!)).resolves.toBeUndefined();
    expect(fileSystem.openFiles).toBe(0);
  });
});

describe('a chunk header', () => {
  test.each([1_000_000, 2 ** 31 - 1])('that reaches to chunk %s is none', (endNumber) => {
    const far = { ...HEADER, endNumber, isScavenged: true };
    expect(decodeChunkHeader(encodeChunkHeader(far))).toMatch(/six digits/);
  });

  test('that spans several chunks without a scavenge hides none of them in silence', async () => {
    const image = await baseDatabase('old-v0/after-t0');
    const file = filesOf(image, 'completedChunk').at(-1)!;
    const { database } = await changed('old-v0/after-t0', file, (bytes) => {
      bytes.writeInt32LE(bytes.readInt32LE(6) + 1, 10);
      bytes.writeInt32LE(0, 14);
    });
    expect(database.problems).toContainEqual(
      expect.objectContaining({ code: 'chunkHeaderInvalid', severity: 'damage', file, offset: 10 })
    );
  });

  test('of an encrypted chunk gets no room for the map its footer claims', () => {
    const chunk = new Chunk({
      fileName: 'chunk-000000.000000',
      path: '/chunk-000000.000000',
      fileVersion: 0,
      fileSize: 4096,
      header: { ...HEADER, isScavenged: true, transformType: 1 },
      footer: {
        isCompleted: true,
        isMap12Bytes: true,
        physicalDataSize: 1000,
        logicalDataSize: 1000,
        mapSize: 1_200_000_000,
        md5: ''
      },
      isActive: false,
      dataSize: 1000
    });
    const before = process.memoryUsage().arrayBuffers;
    const reader = new ChunkReader(mountFiles(new Map(), DIRECTORY), chunk);
    expect(() => reader.map).toThrow(expect.objectContaining({ code: 'UnsupportedFormat' }));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000_000);
  });
});

describe('a chunk that the writer checkpoint leads beyond its file', () => {
  test('gets no room for a record that the file cannot hold', () => {
    const bytes = new Uint8Array(4096);
    new DataView(bytes.buffer).setInt32(128, 12_000_000, true);
    const fileSystem = new CountingFileSystem(mountFiles(new Map([['chunk', bytes]]), DIRECTORY));
    const chunk = new Chunk({
      fileName: 'chunk',
      path: `${DIRECTORY}/chunk`,
      fileVersion: 0,
      fileSize: bytes.length,
      header: { ...HEADER, chunkSizeBytes: 2 ** 28 },
      footer: null,
      isActive: true,
      dataSize: 2 ** 27
    });
    const reader = new ChunkReader(fileSystem, chunk);
    const refusal = expect.objectContaining({ code: 'LogCorrupt' }) as Error;
    expect(() => reader.readAt(0)).toThrow(refusal);
    expect(() => reader.cursor().next()).toThrow(refusal);
    reader.close();
  });
});

describe('a place that looks like a large record', () => {
  test('is refused at its head, and not read to its end', () => {
    const bytes = new Uint8Array(2 * 1024 * 1024);
    const view = new DataView(bytes.buffer);
    for (let at = 128; at < 65_536; at += 4) view.setInt32(at, 1_000_000, true);
    const fileSystem = new CountingFileSystem(mountFiles(new Map([['chunk', bytes]]), DIRECTORY));
    const chunk = new Chunk({
      fileName: 'chunk',
      path: `${DIRECTORY}/chunk`,
      fileVersion: 0,
      fileSize: bytes.length,
      header: { ...HEADER, chunkSizeBytes: 2 ** 28 },
      footer: null,
      isActive: true,
      dataSize: bytes.length - 128
    });
    const reader = new ChunkReader(fileSystem, chunk);
    for (let physical = 0; physical < 40; physical += 4) {
      expect(() => reader.readAtPhysical(physical, new LogRecord())).toThrow(/says it is at position/);
    }
    expect(fileSystem.bytesRead).toBeLessThanOrEqual(10 * 4096);
    reader.close();
  });
});

describe('a writer checkpoint', () => {
  test.each([-1, -(2 ** 40), 2 ** 60])('of %s is damage', async (value) => {
    const { database } = await changed('restored/backup', 'writer.chk', (bytes) => {
      bytes.writeBigInt64LE(BigInt(value));
    });
    expect(database.problems).toContainEqual(
      expect.objectContaining({ severity: 'damage', file: 'writer.chk', offset: 0 })
    );
    expect(() => database.requireWhole()).toThrow(expect.objectContaining({ code: 'LogCorrupt' }));
  });
});

describe('of a file that is far too long', () => {
  const megabytes = (count: number) => new Uint8Array(count * 1024 * 1024);
  const mounted = (name: string, bytes: Uint8Array) =>
    new CountingFileSystem(mountFiles(new Map([[name, bytes]]), DIRECTORY));

  test('called writer.chk only eight bytes are read', () => {
    const fileSystem = mounted('writer.chk', megabytes(1));
    expect(readCheckpointFile(fileSystem, `${DIRECTORY}/writer.chk`)).toBe(0);
    expect(fileSystem.bytesRead).toBe(8);
  });

  test('called indexmap nothing is read', () => {
    const fileSystem = mounted('indexmap', megabytes(9));
    expect(() => readIndexMap(fileSystem, DIRECTORY)).toThrow(
      expect.objectContaining({ code: 'IndexCorrupt' })
    );
    expect(fileSystem.bytesRead).toBe(0);
  });

  test('called a filter only the header is read', () => {
    const fileSystem = mounted('stream-existence/streamExistenceFilter.dat', megabytes(2));
    expect(readExistenceFilter(fileSystem, DIRECTORY)?.problem).toMatch(/version/);
    expect(fileSystem.bytesRead).toBe(64);
  });
});

describe('an index map', () => {
  const map = (tables: { level: number; position: number; file: string }[]) =>
    encodeIndexMap({
      version: 2,
      prepareCheckpoint: 1,
      commitCheckpoint: 1,
      maxAutoMergeLevel: 2147483647,
      tables
    });

  test('that names a table twice is damaged', () => {
    const bytes = map([
      { level: 0, position: 0, file: 'a' },
      { level: 1, position: 0, file: 'A' }
    ]);
    expect(() => decodeIndexMap(bytes)).toThrow(/names the table A twice/);
  });

  test('of a hundred thousand tables in one level is decoded at once', () => {
    const tables = Array.from({ length: 100_000 }, (_, position) => ({
      level: 0,
      position,
      file: `t${position}`
    }));
    const started = performance.now();
    expect(decodeIndexMap(map(tables)).tables).toHaveLength(tables.length);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
