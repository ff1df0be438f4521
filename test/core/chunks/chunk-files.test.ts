import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChunkReader } from '../../../src-core/chunks/chunk-reader.ts';
import { ChunkWriter, completedFileSize } from '../../../src-core/chunks/chunk-writer.ts';
import { decodeChunkFileName, encodeChunkFileName } from '../../../src-core/chunks/chunk-file-name.ts';
import { EngineError } from '../../../src-core/errors.ts';
import { readChunkSet } from '../../../src-core/log/chunk-set.ts';
import { frameRecord } from '../../../src-core/records/encode-record.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { exampleEvent0, exampleEvent1, exampleEvent2, exampleHeader } from './worked-example.ts';

const fileSystem = new NodeFileSystem();
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'winnow-chunks-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function writeMerged(name = 'chunk-000000.000002'): void {
  const writer = ChunkWriter.create({
    fileSystem,
    path: path.join(directory, name),
    header: {
      ...exampleHeader,
      endNumber: 1,
      isScavenged: true,
      chunkId: '0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0'
    },
    withMap: true
  });
  const first = frameRecord(exampleEvent1);
  const second = frameRecord(exampleEvent2);
  writer.append(first, 0, first.length, 101);
  writer.append(second, 0, second.length, 1024);
  writer.complete();
}

function mergedReader(): ChunkReader {
  const set = readChunkSet({ fileSystem, directory, writer: 2048 });
  return new ChunkReader(fileSystem, set.chunks[0]!);
}

it('refuses a file of version 0 whose header says that it holds several chunks', () => {
  writeMerged('chunk-000000.000000');
  const { chunks, problems } = readChunkSet({ fileSystem, directory, writer: 2048 });
  expect(chunks).toEqual([]);
  expect(problems).toContainEqual(
    expect.objectContaining({ code: 'chunkHeaderInvalid', file: 'chunk-000000.000000', offset: 10 })
  );
});

describe('chunk file names', () => {
  it.each([
    ['chunk-000012.000003', { chunkNumber: 12, fileVersion: 3 }],
    ['chunk-000000.000000', { chunkNumber: 0, fileVersion: 0 }]
  ])('%s is a chunk', (name, decoded) => {
    expect(decodeChunkFileName(name)).toEqual(decoded);
    expect(encodeChunkFileName(decoded)).toBe(name);
  });

  it.each([
    'chunk-00012.000003',
    'chunk-000012.00000a',
    'chunk-000012.000003.tmp',
    'Chunk-000012.000003',
    'x'
  ])('%s is no chunk', (name) => expect(decodeChunkFileName(name)).toBeUndefined());
});

describe('a chunk writer', () => {
  it('writes the completed chunk of the worked example byte for byte', () => {
    const file = path.join(directory, 'chunk-000000.000000');
    const writer = ChunkWriter.create({ fileSystem, path: file, header: exampleHeader, withMap: false });
    for (const [payload, at] of [
      [exampleEvent0, 0],
      [exampleEvent1, 101]
    ] as const) {
      const framed = frameRecord(payload);
      writer.append(framed, 0, framed.length, at);
    }
    const done = writer.complete();
    expect(done.fileSize).toBe(4096);
    expect(done.md5).toBe('2a7303ffa8e1c28fe2f6d65a7a6c7d3b');
    expect(readFileSync(file).subarray(-16).toString('hex')).toBe(done.md5);
  });

  it('writes the merged chunk of the worked example byte for byte', () => {
    writeMerged();
    const bytes = readFileSync(path.join(directory, 'chunk-000000.000002'));
    expect(bytes.length).toBe(4096);
    expect(bytes.subarray(-16).toString('hex')).toBe('11a956a382933c349054baaaae05aa1d');
    expect(bytes.subarray(0x14c, 0x164).toString('hex')).toBe(
      '000000006500000000000000' + '670000000004000000000000'
    );
  });

  it('knows the file size before it writes', () => {
    expect(completedFileSize({ dataSize: 204, mapSize: 24, version: 4 })).toBe(4096);
    expect(completedFileSize({ dataSize: 204, mapSize: 24, version: 2 })).toBe(484);
    expect(completedFileSize({ dataSize: 4096 - 256, mapSize: 0, version: 3 })).toBe(4096);
    expect(completedFileSize({ dataSize: 4096 - 255, mapSize: 0, version: 3 })).toBe(8192);
  });
});

describe('a chunk reader', () => {
  it('finds records of a merged chunk by position', () => {
    writeMerged();
    const reader = mergedReader();
    expect(reader.readAt(101)?.eventNumber).toBe(1);
    expect(reader.readAt(1024)?.eventNumber).toBe(2);
    expect(reader.readAt(0)).toBeUndefined();
    expect(reader.physicalOffsetAtOrAfter(0)).toBe(0);
    expect(reader.physicalOffsetAtOrAfter(102)).toBe(103);
    expect(reader.physicalOffsetAtOrAfter(1025)).toBe(204);
    reader.close();
  });

  it('notices every flipped byte of records and map, or reads what the hash alone protects', () => {
    writeMerged();
    const file = path.join(directory, 'chunk-000000.000002');
    const good = readFileSync(file);
    const hashOf = (bytes: Buffer) => createHash('md5').update(bytes.subarray(0, -16)).digest('hex');
    const wanted = hashOf(good);
    rmSync(file, { force: true });
    for (let at = 128; at < 128 + 204 + 24; at++) {
      const damaged = Buffer.from(good);
      damaged[at] = damaged[at]! ^ 0xff;
      writeFileSync(file, damaged);
      expect(hashOf(damaged)).not.toBe(wanted);
      const reader = mergedReader();
      try {
        const cursor = reader.cursor();
        let count = 0;
        while (cursor.next()) expect(++count).toBeLessThan(3);
      } catch (error) {
        expect(error).toBeInstanceOf(EngineError);
        expect((error as EngineError).code).toMatch(/LogCorrupt|UnsupportedFormat/);
        expect((error as EngineError).details.file).toBe('chunk-000000.000002');
        expect((error as EngineError).details.offset).toBeGreaterThanOrEqual(128);
      } finally {
        reader.close();
      }
    }
  });

  it('names an encrypted chunk and refuses to parse it', () => {
    writeMerged();
    const file = path.join(directory, 'chunk-000000.000002');
    const bytes = readFileSync(file);
    bytes[1] = 4;
    bytes[35] = 1;
    rmSync(file);
    writeFileSync(file, bytes);
    const set = readChunkSet({ fileSystem, directory, writer: 2048 });
    expect(set.problems.map((problem) => problem.code)).toEqual(['encrypted']);
    const reader = new ChunkReader(fileSystem, set.chunks[0]!);
    expect(() => reader.cursor().next()).toThrow(/AES-GCM/);
  });
});
