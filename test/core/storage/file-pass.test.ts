/** Passes through large files: what they ask the disk for ahead, and what they give back of its cache. */
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyFileInto } from '../../../src-core/backup/copy-file.ts';
import { requireChunkChecksum } from '../../../src-core/chunks/chunk-checksum.ts';
import { ChunkReader } from '../../../src-core/chunks/chunk-reader.ts';
import { ChunkWriter } from '../../../src-core/chunks/chunk-writer.ts';
import type { Chunk } from '../../../src-core/chunks/chunk.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { readDigests } from '../../../src-core/digest/read-digest.ts';
import { readChunkSet } from '../../../src-core/log/chunk-set.ts';
import { encodePrepare, frameRecord } from '../../../src-core/records/encode-record.ts';
import type { Disk } from '../../../src-core/storage/disk.ts';
import { ownDisk } from '../../../src-core/storage/node-disk.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { ownPlatform } from '../../../src-core/storage/node-locks.ts';
import { readBlocks } from '../../../src-core/storage/read-blocks.ts';
import { verifyChunk } from '../../../src-core/verify/verify-chunk.ts';
import { DiskOfKnownLatency } from '../../support/disk-of-known-latency.ts';
import { EXAMPLE_TICKS, exampleHeader } from '../chunks/worked-example.ts';

const MIB = 1024 * 1024;
const CHUNK_BYTES = 24 * MIB;
const RECORD_BYTES = 64 * 1024;

let directory: string;
let chunk: Chunk;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'winnow-pass-'));
  const file = path.join(directory, 'chunk-000000.000000');
  const header = { ...exampleHeader, chunkSizeBytes: CHUNK_BYTES };
  const fileSystem = new NodeFileSystem();
  const writer = ChunkWriter.create({ fileSystem, path: file, header, withMap: false });
  for (let position = 0, i = 0; position < CHUNK_BYTES - 2 * RECORD_BYTES; i++) {
    const framed = frameRecord(
      encodePrepare({
        position,
        flags: 0x0123,
        transactionPosition: position,
        transactionOffset: 0,
        expectedVersion: i - 1,
        stream: 's-1',
        eventId: '10000000-0000-0000-0000-000000000001',
        correlationId: '01020304-0506-0708-090a-0b0c0d0e0f10',
        ticks: EXAMPLE_TICKS,
        eventType: 'T',
        data: Buffer.alloc(RECORD_BYTES, i),
        metadata: new Uint8Array(0)
      })
    );
    writer.append(framed, 0, framed.length, position);
    position += framed.length;
  }
  writer.complete();
  chunk = readChunkSet({ fileSystem, directory, writer: CHUNK_BYTES }).chunks[0]!;
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const over = (disk: DiskOfKnownLatency): NodeFileSystem => new NodeFileSystem(ownPlatform, disk);
const hash = (disk: DiskOfKnownLatency): Promise<void> => requireChunkChecksum(over(disk), chunk);

const PASSES: Record<string, (fileSystem: NodeFileSystem) => Promise<unknown>> = {
  'the hash of a chunk': (fileSystem) => requireChunkChecksum(fileSystem, chunk),
  'a walk over its records': async (fileSystem) => {
    const reader = new ChunkReader(fileSystem, chunk);
    const cursor = reader.cursor();
    while (cursor.next());
    reader.close();
    await Promise.resolve();
  },
  'a verification': (fileSystem) =>
    verifyChunk({ chunk, quick: false, fileSystem, control: uncontrolled(), onBytes: () => undefined }),
  'the first reading for a digest': (fileSystem) =>
    readDigests([{ chunk }], { fileSystem, breathe: () => Promise.resolve(), onBytes: () => undefined }),
  'a copy into a backup': (fileSystem) => {
    const bytes = fileSystem.describe(chunk.path)!.size;
    const job = { from: chunk.path, to: path.join(directory, 'copy'), bytes, sourceBytes: bytes };
    return copyFileInto(
      { ...job, bytesPerSecond: 0 },
      { fileSystem, signal: undefined, onBytes: () => undefined }
    );
  },
  'any file in blocks': async (fileSystem) => {
    let bytes = 0;
    for (const block of readBlocks(fileSystem, chunk.path)) bytes += block.bytes.length;
    expect(bytes).toBe(fileSystem.describe(chunk.path)!.size);
    await Promise.resolve();
  }
};

describe('a disk that makes its readers wait', () => {
  it.each(Object.keys(PASSES))('gets many requests at once from %s', async (name) => {
    const disk = new DiskOfKnownLatency({ latencyMs: 20 });
    await PASSES[name]!(over(disk));
    expect(disk.mostUnderWay).toBeGreaterThanOrEqual(8);
    // Counted, not measured: one request after the other would take 24 times 20 ms.
    expect(disk.nowMs).toBeLessThan(240);
  });

  it('is asked for nothing more where that did not help', () => {
    const file = path.join(directory, 'large');
    writeFileSync(file, Buffer.alloc(96 * MIB));
    const disk = new DiskOfKnownLatency({ latencyMs: 1, busyMs: 10 });
    for (const { offset } of readBlocks(over(disk), file)) expect(offset).toBeLessThan(96 * MIB);
    expect(disk.bytesAsked).toBeGreaterThan(0);
    expect(disk.bytesAsked).toBeLessThanOrEqual(16 * MIB);
  });

  it('is asked for ever more while the reader still waits, up to a bound', () => {
    const file = path.join(directory, 'large');
    writeFileSync(file, Buffer.alloc(160 * MIB));
    const disk = new DiskOfKnownLatency({ latencyMs: 1000 });
    for (const { offset } of readBlocks(over(disk), file)) expect(offset).toBeLessThan(160 * MIB);
    expect(disk.mostUnderWay).toBeGreaterThanOrEqual(24);
    expect(disk.mostUnderWay).toBeLessThanOrEqual(34);
  });

  it('is asked for nothing more where the asking takes the time that the reads took', () => {
    const file = path.join(directory, 'large');
    writeFileSync(file, Buffer.alloc(160 * MIB));
    const disk = new DiskOfKnownLatency({ latencyMs: 10, askingMs: 12 });
    for (const { offset } of readBlocks(over(disk), file)) expect(offset).toBeLessThan(160 * MIB);
    expect(disk.bytesAsked).toBeGreaterThan(0);
    expect(disk.bytesAsked).toBeLessThanOrEqual(16 * MIB);
  });

  it('is asked for nothing ahead by reads here and there', () => {
    const disk = new DiskOfKnownLatency({ latencyMs: 20 });
    const file = over(disk).open(chunk.path, 'read');
    const block = Buffer.alloc(512 * 1024);
    for (const at of [20, 3, 11, 7, 15, 1]) file.read(block, 0, block.length, at * MIB);
    file.close();
    expect(disk.mostUnderWay).toBe(1);
  });
});

it('asks a disk that answers at once for nothing', async () => {
  const disk = new DiskOfKnownLatency({ latencyMs: 1 });
  await PASSES['any file in blocks']!(over(disk));
  expect(disk.mostUnderWay).toBe(1);
});

describe('the page cache', () => {
  const BUDGET_BYTES = 8 * MIB;

  it('gets back what a pass through a large file has brought there', async () => {
    const disk = new DiskOfKnownLatency({ latencyMs: 1, budgetBytes: BUDGET_BYTES });
    await hash(disk);
    // What was passed before it was worth asking, and the last step.
    expect(disk.cachedOf(chunk.path).length).toBeLessThanOrEqual((BUDGET_BYTES / MIB) * 2);
    expect(disk.cachedOf(chunk.path)).not.toContain(10);
  });

  it('keeps everything while memory lies idle', async () => {
    const disk = new DiskOfKnownLatency({ latencyMs: 1, budgetBytes: BUDGET_BYTES });
    disk.isMemoryIdle = true;
    await hash(disk);
    expect(disk.cachedOf(chunk.path).length).toBe(24);
  });

  it('keeps the pages that were there before', async () => {
    const disk = new DiskOfKnownLatency({ latencyMs: 1, budgetBytes: BUDGET_BYTES });
    const theirs = over(disk).open(chunk.path, 'read');
    const page = Buffer.alloc(MIB);
    for (const at of [9, 12, 13]) theirs.read(page, 0, 1, at * MIB);
    theirs.close();
    await hash(disk);
    expect(disk.cachedOf(chunk.path)).toEqual(expect.arrayContaining([9, 12, 13]));
    expect(disk.cachedOf(chunk.path)).not.toContain(10);
    expect(disk.cachedOf(chunk.path)).not.toContain(11);
  });

  it('keeps what fits the budget, for the next pass, and is not even asked', async () => {
    const disk = new DiskOfKnownLatency({ latencyMs: 1, budgetBytes: 64 * MIB });
    await hash(disk);
    expect(disk.cachedOf(chunk.path).length).toBe(24);
    expect(disk.timesAsked).toBe(0);
  });

  it('finds everything in a second pass within the budget', async () => {
    const disk = new DiskOfKnownLatency({ latencyMs: 1, budgetBytes: 40 * MIB });
    const fileSystem = over(disk);
    await requireChunkChecksum(fileSystem, chunk);
    const before = disk.nowMs;
    await requireChunkChecksum(fileSystem, chunk);
    expect(disk.nowMs - before).toBeLessThan(before / 2);
  });

  it('gets back what was written and is on the disk', async () => {
    const disk = new DiskOfKnownLatency({ latencyMs: 1, budgetBytes: BUDGET_BYTES });
    const given: string[] = [];
    disk.onGiveBack = (file) => given.push(path.basename(file));
    await PASSES['a copy into a backup']!(over(disk));
    expect(given).toContain('copy');
  });
});

describe.runIf(process.platform === 'linux')('the page cache of this system', () => {
  it('gets back what a pass has brought there, and the bytes are the same', async () => {
    // Not spread: the length of a page is asked of the system when it is needed.
    const disk = Object.create(ownDisk, {
      budgetBytes: { value: () => 8 * MIB },
      hasIdleMemory: { value: () => false }
    }) as Disk;
    const fileSystem = new NodeFileSystem(ownPlatform, disk);
    const { inode, size } = fileSystem.describe(chunk.path)!;
    disk.giveBack({ path: chunk.path, inode }, [{ from: 0, length: size }]);
    await requireChunkChecksum(fileSystem, chunk);
    const descriptor = openSync(chunk.path, 'r');
    const cached = disk.cachedPages(descriptor, size);
    closeSync(descriptor);
    // Volumes without a page cache, or kernels that do not tell, have nothing to give back.
    if (cached === undefined || cached === 'all' || cached === 'none') return;
    const there = cached.filter((page) => (page & 1) === 1).length * disk.pageBytes;
    expect(there).toBeLessThan(size);
  });
});
