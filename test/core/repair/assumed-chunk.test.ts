/** What a repair assumes of a damaged file, which name a chunk from elsewhere gets, and how many entries a log may have. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { decodeChunkHeader } from '../../../src-core/chunks/chunk-header.ts';
import { openDatabase } from '../../../src-core/database/database.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { assumeChunk, withWholeArea } from '../../../src-core/repair/assumed-chunk.ts';
import { estimateEntryCount } from '../../../src-core/repair/estimate-entry-count.ts';
import { installChunk, nextChunkName, type InstallChunk } from '../../../src-core/repair/install-chunk.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import {
  bytesOf,
  CHUNK_SIZE,
  copyOf,
  DATABASE,
  namesIn,
  overwrite,
  sampleInMemory
} from './repair-sample.ts';

const CHUNK = 'chunk-000001.000000';
let whole: MemoryFileSystem;
let fileSystem: MemoryFileSystem;
beforeAll(async () => {
  whole = await sampleInMemory();
});
beforeEach(() => {
  fileSystem = copyOf(whole);
});

const assume = (fileName = CHUNK, onDisk?: string) =>
  assumeChunk({
    fileSystem,
    directory: DATABASE,
    fileName,
    chunkSizeBytes: CHUNK_SIZE,
    ...(onDisk === undefined ? {} : { onDisk })
  });
const put = (bytes: Uint8Array): void => overwrite(fileSystem, CHUNK, bytes);

describe('a damaged chunk file', () => {
  it('is nothing under another name, where it is missing, or where nothing follows its header', () => {
    expect(assume('writer.chk')).toBeUndefined();
    expect(assume('chunk-000900.000000')).toBeUndefined();
    put(Buffer.alloc(128));
    expect(assume()).toBeUndefined();
    put(Buffer.alloc(129));
    expect(assume()?.chunk.dataSize).toBe(1);
  });

  it('may lie under a temporary name', () => {
    overwrite(fileSystem, 'x.tmp', bytesOf(fileSystem, CHUNK));
    expect(assume(CHUNK, 'x.tmp')?.chunk).toMatchObject({
      fileName: CHUNK,
      path: `${DATABASE}/x.tmp`,
      startNumber: 1
    });
  });

  it('keeps a header that fits its name, and has one by its name otherwise', () => {
    const { header } = assume()!.chunk;
    expect(header.chunkId).not.toBe('00000000-0000-0000-0000-000000000000');
    const of = (number: number): Buffer => bytesOf(whole, `chunk-00000${number}.000000`);
    put(of(0));
    expect(assume()!.chunk.header).toMatchObject({
      startNumber: 1,
      endNumber: 1,
      chunkSizeBytes: CHUNK_SIZE
    });
    expect(assume()!.chunk.header.chunkId).not.toBe(header.chunkId);
    put(Buffer.concat([Buffer.alloc(128), of(1).subarray(128)]));
    expect(assume()!.chunk.header).toMatchObject({
      startNumber: 1,
      isScavenged: false,
      chunkId: '00000000-0000-0000-0000-000000000000',
      transformType: 0
    });
  });

  it('keeps a header that fits its name as it is, its version too', () => {
    const written = decodeChunkHeader(bytesOf(fileSystem, CHUNK));
    expect(written).toMatchObject({ version: 4, startNumber: 1 });
    expect(assume()!.chunk.header).toEqual(written);
  });

  it('ends its records where a footer says so that fits the file', () => {
    const bytes = bytesOf(fileSystem, CHUNK);
    const { dataEnd, chunk } = assume()!;
    expect(dataEnd).toBeGreaterThan(0);
    expect(dataEnd).toBeLessThanOrEqual(CHUNK_SIZE);
    expect(chunk.dataSize).toBe(Math.min(bytes.length - 128, CHUNK_SIZE));
    // Its flag alone may be what is wrong.
    const unflagged = Buffer.from(bytes);
    unflagged[bytes.length - 128]! &= 0xfe;
    put(unflagged);
    expect(assume()?.dataEnd).toBe(dataEnd);
    put(Buffer.concat([unflagged.subarray(0, -128), Buffer.alloc(4096), unflagged.subarray(-128)]));
    expect(assume()?.dataEnd).toBeUndefined();
    put(Buffer.concat([bytes.subarray(0, -128 - 4096 * 2), bytes.subarray(-128)]));
    expect(assume()?.dataEnd).toBeUndefined();
  });

  it('has no footer where something lies before it, for the file then ends within a record', () => {
    const bytes = bytesOf(fileSystem, CHUNK);
    bytes[bytes.length - 129] = 1;
    put(bytes);
    expect(assume()).toMatchObject({ dataEnd: undefined });
  });

  it('has no footer in zeros, which would say that it holds nothing', () => {
    put(Buffer.concat([bytesOf(fileSystem, CHUNK).subarray(0, 128), Buffer.alloc(128 + 100)]));
    expect(assume()).toMatchObject({ dataEnd: undefined, chunk: { dataSize: 228 } });
  });

  it.each([129, 200, 255])('has no footer in %i bytes', (length) => {
    put(bytesOf(fileSystem, CHUNK).subarray(0, length));
    expect(assume()).toMatchObject({ dataEnd: undefined, chunk: { dataSize: length - 128 } });
  });

  it('is walked to the footer where that may claim too little, and a scavenged one is not', () => {
    const { chunkSet, close } = openedChunks();
    const chunk = chunkSet.chunks.find(({ fileName }) => fileName === CHUNK)!;
    const area = chunk.fileSize - 256;
    expect(withWholeArea(chunk).dataSize).toBe(Math.max(chunk.dataSize, Math.min(area, CHUNK_SIZE)));
    const active = chunkSet.chunks.find(({ isActive }) => isActive)!;
    expect(withWholeArea(active)).toBe(active);
    close();
  });
});

function openedChunks() {
  const database = openDatabase({ fileSystem, dataDirectory: DATABASE });
  return { database, chunkSet: database.chunkSet, close: () => database.close() };
}

it('so many entries a log has as records that the index knows: exactly, where few records say it', () => {
  const { database, close } = openedChunks();
  const { log } = database;
  const countTo = (end: number): number => {
    let count = 0;
    for (const cursor = log.cursor(0, end); cursor.next();) {
      if (cursor.record.hasData || cursor.record.isTombstone) count++;
    }
    return count;
  };
  expect(countTo(log.end)).toBeGreaterThan(50);
  const estimate = estimateEntryCount(database, log.end);
  expect(Math.abs(estimate - countTo(log.end))).toBeLessThanOrEqual(0.1 * countTo(log.end));
  const half = log.chunks[1]!.endPosition;
  expect(Math.abs(estimateEntryCount(database, half) - countTo(half))).toBeLessThanOrEqual(
    0.1 * countTo(half)
  );
  const within = log.chunks[1]!.startPosition + 3000;
  expect(Math.abs(estimateEntryCount(database, within) - countTo(within))).toBeLessThanOrEqual(
    0.1 * countTo(within)
  );
  expect(estimateEntryCount(database, 0)).toBe(0);
  close();
});

describe('a chunk from elsewhere', () => {
  it('gets the next version of its number, and its own name where there is none', () => {
    expect(nextChunkName(fileSystem, DATABASE, 'chunk-000001.000007')).toBe('chunk-000001.000001');
    overwrite(fileSystem, 'chunk-000001.000009', Buffer.alloc(1));
    expect(nextChunkName(fileSystem, DATABASE, 'chunk-000001.000000')).toBe('chunk-000001.000010');
    expect(nextChunkName(fileSystem, DATABASE, 'chunk-000900.000003')).toBe('chunk-000900.000003');
    expect(nextChunkName(fileSystem, '/none', CHUNK)).toBe(CHUNK);
    expect(nextChunkName(fileSystem, DATABASE, 'other')).toBe('other');
  });

  const install = (change: Partial<InstallChunk> = {}) => {
    const bytes = bytesOf(whole, CHUNK);
    return installChunk({
      fileSystem,
      directory: DATABASE,
      fileName: CHUNK,
      fileSize: bytes.length,
      sha256: null,
      content: [bytes],
      likePath: `${DATABASE}/writer.chk`,
      newGuid: () => '00000000-0000-4000-8000-000000000009',
      control: uncontrolled(),
      ...change
    });
  };
  const temporaries = (): string[] => namesIn(fileSystem, DATABASE).filter((name) => name.endsWith('.tmp'));

  it('serves under its new name, read-only, with the owner of another file', async () => {
    Object.assign(fileSystem.find(`${DATABASE}/writer.chk`)!, { uid: 7, gid: 8 });
    expect(await install()).toEqual({ fileName: 'chunk-000001.000001' });
    const facts = fileSystem.describe(`${DATABASE}/chunk-000001.000001`)!;
    expect(facts).toMatchObject({ uid: 7, gid: 8 });
    expect(facts.mode & 0o222).toBe(0);
    expect(bytesOf(fileSystem, 'chunk-000001.000001')).toEqual(bytesOf(whole, CHUNK));
    expect(temporaries()).toEqual([]);
  });

  it('serves with the owner of this user where there is no file to be like', async () => {
    expect(await install({ likePath: `${DATABASE}/none` })).toEqual({ fileName: 'chunk-000001.000001' });
    expect(fileSystem.describe(`${DATABASE}/chunk-000001.000001`)).toMatchObject({ uid: 1000, gid: 1000 });
  });

  it.each<[string, () => Partial<InstallChunk>, string]>([
    ['another hash than noted', () => ({ sha256: 'other' }), 'the SHA-256 of its bytes differs'],
    ['fewer bytes', () => ({ content: [bytesOf(whole, CHUNK).subarray(0, 500)] }), ''],
    [
      'a last word against it',
      () => ({ refuse: () => Promise.resolve('not of this log') }),
      'not of this log'
    ],
    ['a check of its own that fails', () => ({ examine: () => Promise.resolve('not whole') }), 'not whole']
  ])('is refused in words, and leaves nothing: %s', async (_, change, words) => {
    const answer = await install(change());
    expect(typeof answer).toBe('string');
    expect(answer).toContain(words);
    expect(temporaries()).toEqual([]);
    expect(namesIn(fileSystem, DATABASE)).toEqual(namesIn(whole, DATABASE));
  });

  it('is refused where there is no room, to the byte', async () => {
    fileSystem.freeBytes = () => bytesOf(whole, CHUNK).length - 1;
    await expect(install()).rejects.toMatchObject({
      code: 'StorageFailed',
      details: { file: CHUNK, osCode: 'ENOSPC' }
    });
    fileSystem.freeBytes = () => bytesOf(whole, CHUNK).length;
    expect(await install()).toEqual({ fileName: 'chunk-000001.000001' });
  });
});
