/** Chunks without a footer, files that change while they are read or hashed, and files of a length that fills a buffer. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { md5Hasher } from '../../../src-core/codec/md5-lanes.ts';
import {
  readChunkChecksum,
  readChunkChecksums,
  requireChecksumOf
} from '../../../src-core/chunks/chunk-checksum.ts';
import { ChunkReader } from '../../../src-core/chunks/chunk-reader.ts';
import { ChunkWriter, type NewChunk } from '../../../src-core/chunks/chunk-writer.ts';
import { Chunk } from '../../../src-core/chunks/chunk.ts';
import { describeCompletedChunk } from '../../../src-core/chunks/completed-chunk.ts';
import { HashedFile } from '../../../src-core/chunks/hashed-file.ts';
import { decodePositionMap } from '../../../src-core/chunks/position-map.ts';
import { RisingWindow } from '../../../src-core/chunks/rising-window.ts';
import { sealChunk } from '../../../src-core/chunks/unsealed-chunk.ts';
import { LogRecord } from '../../../src-core/records/log-record.ts';
import { readWholeFile } from '../../../src-core/storage/file-system.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';

const NAME = 'chunk-000000.000000';
const PATH = `/${NAME}`;
const MIB = 1024 * 1024;
const RECORD = Buffer.alloc(400, 7);
const HEADER = {
  version: 3,
  minCompatibleVersion: 3,
  chunkSizeBytes: 8 * MIB,
  startNumber: 0,
  endNumber: 0,
  isScavenged: false,
  chunkId: '11111111-2222-3333-4444-555555555555',
  transformType: 0
};

function writerOf(fileSystem: MemoryFileSystem, change: Partial<NewChunk> = {}): ChunkWriter {
  return ChunkWriter.create({ fileSystem, path: PATH, header: HEADER, withMap: false, ...change });
}

function described(fileSystem: MemoryFileSystem): Chunk {
  const chunk = describeCompletedChunk({ fileSystem, path: PATH, fileName: NAME });
  if (typeof chunk === 'string') throw new Error(chunk);
  return chunk;
}

/** The same file as one whose records are still being written. */
function growing(
  { fileName, path, fileVersion, fileSize, header, dataSize }: Chunk,
  isScavenged = false
): Chunk {
  const parts = { fileName, path, fileVersion, fileSize, dataSize, footer: null, isActive: true };
  return new Chunk({ ...parts, header: { ...header, isScavenged } });
}

function written(isScavenged = false): { fileSystem: MemoryFileSystem; chunk: Chunk } {
  const fileSystem = new MemoryFileSystem();
  const writer = writerOf(fileSystem, { header: { ...HEADER, isScavenged }, withMap: isScavenged });
  for (let i = 0; i < 3; i++) writer.append(RECORD, 0, RECORD.length, i * RECORD.length);
  writer.complete();
  return { fileSystem, chunk: described(fileSystem) };
}

function cut(fileSystem: MemoryFileSystem, length: number): void {
  fileSystem.changeMode(PATH, 0o644);
  const file = fileSystem.open(PATH, 'readWrite');
  file.truncate(length);
  file.close();
}

describe('a chunk that is being written', () => {
  it('has no checksum, alone and beside one that is completed', async () => {
    const { fileSystem, chunk } = written();
    expect(await readChunkChecksum(fileSystem, growing(chunk))).toBeUndefined();
    const [completed, none] = await readChunkChecksums(fileSystem, [chunk, growing(chunk)]);
    expect(completed?.computed).toBe(completed?.stored);
    expect(none).toBeUndefined();
    const file = fileSystem.open(PATH, 'read');
    await expect(requireChecksumOf(file, growing(chunk))).resolves.toBeUndefined();
    file.close();
  });

  it('has no map: one that was scavenged would seem empty', () => {
    const { fileSystem, chunk } = written();
    const reader = new ChunkReader(fileSystem, growing(chunk, true));
    expect(() => reader.map).toThrow(
      `${NAME} is damaged at offset ${128 + chunk.dataSize}: it has records and no position map.`
    );
    expect(new ChunkReader(fileSystem, growing(chunk)).map.length).toBe(0);
    reader.close();
  });
});

describe('reading a chunk', () => {
  it('tells where a file was cut within its position map', () => {
    const { fileSystem, chunk } = written(true);
    cut(fileSystem, 128 + chunk.dataSize + 17);
    expect(() => new ChunkReader(fileSystem, chunk).map).toThrow(
      `${NAME} is damaged at offset ${128 + chunk.dataSize + 17}: the file ends within the position map.`
    );
  });

  it('backward from where no record can end says so', () => {
    const { fileSystem, chunk } = written();
    expect(() => new ChunkReader(fileSystem, chunk).readEndingAt(7, new LogRecord())).toThrow(
      `${NAME} is damaged at offset ${128 + 7}: no record can end here.`
    );
  });

  it.each([1, 7])('%i bytes before the end of its data says that they are no record', (left) => {
    const { fileSystem, chunk } = written();
    const reader = new ChunkReader(fileSystem, chunk);
    const at = chunk.dataSize - left;
    const rising = () => reader.readRising(at, () => 100, new RisingWindow(), new LogRecord());
    expect(rising).toThrow(`${NAME} is damaged at offset ${128 + at}: the data ends within a record.`);
  });

  it('takes a map that lies at any place in memory', () => {
    const entries = [0, 0, 400, 500, 800, 900];
    const bytes = Buffer.alloc(1 + 4 * entries.length);
    entries.forEach((value, i) => bytes.writeInt32LE(value, 1 + 4 * i));
    const map = decodePositionMap(new Uint8Array(bytes.buffer, bytes.byteOffset + 1, 4 * entries.length), {
      isMap12Bytes: false,
      physicalDataSize: 1200
    });
    if (typeof map === 'number') expect.unreachable();
    expect([0, 500, 600, 900].map((logical) => map.exact(logical))).toEqual([0, 400, -1, 800]);
  });

  it('hashes what is there of a file that was cut, and says that it is shorter', async () => {
    const { fileSystem } = written();
    const bytes = readWholeFile(fileSystem, PATH)!;
    cut(fileSystem, 500);
    let heard = 0;
    const inner = fileSystem.open(PATH, 'read');
    const hashed = new HashedFile(inner, {
      end: bytes.length - 16,
      hasher: md5Hasher(),
      onBytes: (count) => (heard += count)
    });
    const breathe = () => Promise.resolve();
    expect(await hashed.readUpTo(400, breathe)).toBe(true);
    expect(await hashed.readUpTo(600, breathe)).toBe(false);
    expect(heard).toBe(500);
    expect(await hashed.digest(breathe)).toBe(createHash('md5').update(bytes.subarray(0, 500)).digest('hex'));
    hashed.close();
  });
});

describe('a chunk writer', () => {
  it('writes a file whose bytes before the hash fill its buffer', () => {
    const fileSystem = new MemoryFileSystem();
    // Of a version whose files are not padded.
    const header = { ...HEADER, version: 2, minCompatibleVersion: 2 };
    const writer = writerOf(fileSystem, { header });
    const data = Buffer.alloc(MIB - 128 - 112, 9);
    writer.append(data, 0, data.length, 0);
    const { fileSize, md5 } = writer.complete();
    const bytes = readWholeFile(fileSystem, PATH)!;
    expect([fileSize, bytes.length]).toEqual([MIB + 16, MIB + 16]);
    expect(createHash('md5').update(bytes.subarray(0, MIB)).digest('hex')).toBe(md5);
    expect(described(fileSystem).dataSize).toBe(data.length);
  });

  it('ends with the hash that another thread computes', async () => {
    const fileSystem = new MemoryFileSystem();
    const told: number[] = [];
    const writer = writerOf(fileSystem, {
      follow: (path) => ({
        wrote: (count) => told.push(count),
        digest: (count) =>
          Promise.resolve(
            createHash('md5').update(readWholeFile(fileSystem, path)!.subarray(0, count)).digest('hex')
          ),
        abandon: () => expect.unreachable()
      })
    });
    const data = Buffer.alloc(MIB + 500, 9);
    writer.append(data, 0, data.length, 0);
    const { md5, fileSize } = await writer.completeFollowed();
    expect(told).toEqual([MIB, fileSize - 16]);
    await expect(readChunkChecksum(fileSystem, described(fileSystem))).resolves.toMatchObject({
      computed: md5,
      stored: md5
    });
  });

  it('does not seal a file whose footer another program has overwritten', () => {
    const fileSystem = new MemoryFileSystem();
    const writer = writerOf(fileSystem, { isHashedLater: true });
    writer.append(RECORD, 0, RECORD.length, 0);
    const unsealed = writer.leaveUnsealed();
    const file = fileSystem.open(PATH, 'readWrite');
    file.write(Buffer.from([0xff, 0xff, 0xff, 0xff]), 0, 4, unsealed.fileSize - 127);
    file.close();
    expect(() => sealChunk(fileSystem, unsealed, 'ab'.repeat(16))).toThrow(
      expect.objectContaining({
        code: 'StorageFailed',
        message: `${PATH} changed during the operation: a physical data size of -1 is impossible.`
      })
    );
  });
});
