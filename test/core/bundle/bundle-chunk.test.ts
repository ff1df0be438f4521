/** Chunks of a bundle in the place of damaged ones: what is wrong with them is there again, and nothing of what they said. */
import { beforeEach, describe, expect, test } from 'vitest';
import { CHUNK_FOOTER_LENGTH, decodeChunkFooter } from '../../../src-core/chunks/chunk-footer.ts';
import { CHUNK_HEADER_LENGTH } from '../../../src-core/chunks/chunk-header.ts';
import { openDatabase } from '../../../src-core/database/database.ts';
import { MAX_RECORD_LENGTH } from '../../../src-core/records/log-record.ts';
import { namesIn } from '../../../src-core/storage/directory-entries.ts';
import { readWholeFile } from '../../../src-core/storage/file-system.ts';
import { writeCrashDatabase } from '../../support/crash-database.ts';
import { makeBundle } from '../../support/make-bundle.ts';
import type { MemoryFileSystem } from '../../support/memory-file-system.ts';

const SOURCE = '/data/node';
const TARGET = '/out/bundle';
const FIRST = 'chunk-000000.000000';

let fileSystem: MemoryFileSystem;
beforeEach(async () => {
  fileSystem = await writeCrashDatabase({ dataDirectory: SOURCE, rounds: 2 });
  fileSystem.makeDirectory('/out');
});

const bytesOf = (path: string): Buffer => Buffer.from(readWholeFile(fileSystem, path)!);
const bundle = () => makeBundle(fileSystem, { source: SOURCE, target: TARGET, headersOnly: false });

function change(name: string, at: number, bytes: Uint8Array): void {
  const file = fileSystem.open(`${SOURCE}/${name}`, 'readWrite');
  file.write(bytes, 0, bytes.length, at);
  file.close();
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

function manifest(): { unreadable: { file: string; from: number; to: number }[] } {
  return JSON.parse(bytesOf(`${TARGET}/bundle.json`).toString()) as ReturnType<typeof manifest>;
}

describe('a record that cannot be read', () => {
  test.each([
    ['negative', -5, -1],
    ['larger than a record can be', MAX_RECORD_LENGTH + 1, -1],
    ['none', 0, 0],
    ['another one', 17, 17]
  ])('has a length that is %s where it had one, and zeros behind it', async (_what, length, expected) => {
    const before = bytesOf(`${SOURCE}/${FIRST}`);
    const whole = before.readInt32LE(CHUNK_HEADER_LENGTH);
    change(FIRST, CHUNK_HEADER_LENGTH, int32(length));
    await bundle();
    const after = bytesOf(`${TARGET}/${FIRST}`);
    expect(after).toHaveLength(before.length);
    expect(after.readInt32LE(CHUNK_HEADER_LENGTH)).toBe(expected);
    const hidden = after.subarray(CHUNK_HEADER_LENGTH + 4, CHUNK_HEADER_LENGTH + 4 + whole + 4);
    expect(hidden.every((byte) => byte === 0)).toBe(true);
    expect(manifest().unreadable).toMatchObject([{ file: FIRST, from: 0, to: whole + 8 }]);
  });
});

describe('a record of which only the content is damaged', () => {
  test('keeps its lengths before and after it, and zeros between them', async () => {
    const before = bytesOf(`${SOURCE}/${FIRST}`);
    const whole = before.readInt32LE(CHUNK_HEADER_LENGTH);
    // Its type, which no server knows.
    change(FIRST, CHUNK_HEADER_LENGTH + 4, Buffer.of(0x77));
    await bundle();
    const after = bytesOf(`${TARGET}/${FIRST}`);
    const suffix = CHUNK_HEADER_LENGTH + 4 + whole;
    expect(after.readInt32LE(CHUNK_HEADER_LENGTH)).toBe(whole);
    expect(after.readInt32LE(suffix)).toBe(whole);
    expect(after.subarray(CHUNK_HEADER_LENGTH + 4, suffix).every((byte) => byte === 0)).toBe(true);
    expect(manifest().unreadable).toMatchObject([{ file: FIRST, from: 0, to: whole + 8 }]);
  });
});

describe('the chunk that is being written', () => {
  const last = (): string =>
    namesIn(fileSystem, SOURCE)
      .filter((name) => name.startsWith('chunk-'))
      .at(-1)!;

  /** As a server leaves it that is killed while it completes the chunk. */
  function footer(physicalDataSize: number): void {
    const bytes = Buffer.alloc(CHUNK_FOOTER_LENGTH);
    bytes[0] = 3;
    bytes.writeInt32LE(physicalDataSize, 1);
    bytes.writeBigInt64LE(BigInt(physicalDataSize), 5);
    bytes.fill(7, 112);
    change(last(), fileSystem.describe(`${SOURCE}/${last()}`)!.size - CHUNK_FOOTER_LENGTH, bytes);
  }

  function footerIn(directory: string) {
    return decodeChunkFooter(bytesOf(`${directory}/${last()}`).subarray(-CHUNK_FOOTER_LENGTH));
  }

  function dataSize(): number {
    const database = openDatabase({ fileSystem, dataDirectory: SOURCE });
    const { dataSize: size, footer: known } = database.chunkSet.chunks.at(-1)!;
    database.close();
    expect(known).toBeNull();
    return size;
  }

  test('keeps the footer that a killed server has left in it, with another hash', async () => {
    footer(dataSize());
    await bundle();
    const found = footerIn(TARGET);
    expect(found).toMatchObject({ isCompleted: true, physicalDataSize: dataSize(), mapSize: 0 });
    expect(found).not.toEqual(footerIn(SOURCE));
  });

  test('keeps none whose sizes are not those of the file', async () => {
    footer(2 ** 30);
    await bundle();
    expect(footerIn(TARGET)).toMatchObject({ isCompleted: false });
  });

  test('has no footer where it had none', async () => {
    await bundle();
    expect(footerIn(TARGET)).toMatchObject({ isCompleted: false });
  });
});
