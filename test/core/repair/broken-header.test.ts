/** The header of the chunk that is being written, broken in the only chunk of a database: nothing else says how large a chunk is. */
import { beforeAll, describe, expect, it } from 'vitest';
import { decodeChunkHeader } from '../../../src-core/chunks/chunk-header.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { Random } from '../../../src-core/sample/random.ts';
import { writeSampleDatabase } from '../../../src-core/sample/write-sample-database.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { differenceOf, streamContentOf, type StreamContent } from '../../support/stream-content.ts';
import {
  bytesOf,
  checkpointOf,
  copyOf,
  DATABASE,
  flip,
  namesIn,
  overwrite,
  repair
} from './repair-sample.ts';

const CHUNK = 'chunk-000000.000000';
const CHUNK_SIZE = 262_144;
const HEADER_LENGTH = 128;
const VERSION = 34;
const CHUNK_ID = { from: 18, to: 34 };

let whole: MemoryFileSystem;
let content: StreamContent;
beforeAll(async () => {
  whole = new MemoryFileSystem();
  whole.makeDirectory('/node');
  await writeSampleDatabase({
    fileSystem: whole,
    dataDirectory: DATABASE,
    sizeBytes: 40_000,
    chunkSizeBytes: CHUNK_SIZE,
    seed: 5,
    now: ticksFromIso('2026-01-01T00:00:00Z')!,
    control: uncontrolled()
  });
  content = await streamContentOf(whole, DATABASE);
  expect(namesIn(whole, DATABASE).filter((name) => name.startsWith('chunk-'))).toEqual([CHUNK]);
});

/** A copy of the database whose header was changed. */
function broken(change: (header: Buffer) => void): MemoryFileSystem {
  const fileSystem = copyOf(whole);
  const bytes = bytesOf(fileSystem, CHUNK);
  change(bytes.subarray(0, HEADER_LENGTH));
  overwrite(fileSystem, CHUNK, bytes);
  return fileSystem;
}

const headerOf = (fileSystem: MemoryFileSystem) =>
  decodeChunkHeader(bytesOf(fileSystem, CHUNK).subarray(0, HEADER_LENGTH));

async function expectRepaired(fileSystem: MemoryFileSystem): Promise<void> {
  const { ok, unrepaired } = await repair(fileSystem);
  expect({ ok, unrepaired }).toEqual({ ok: true, unrepaired: [] });
  expect(differenceOf(content, await streamContentOf(fileSystem, DATABASE))).toEqual({
    missing: 0,
    surplus: 0
  });
}

describe('the only chunk of a database, whose header is broken', () => {
  it('gets back every byte of it while only its first one is wrong', async () => {
    const fileSystem = broken((header) => header.writeUInt8(9, 0));
    await expectRepaired(fileSystem);
    expect(bytesOf(fileSystem, CHUNK).equals(bytesOf(whole, CHUNK))).toBe(true);
  });

  it('gets it although the file was marked as one that nobody writes to', async () => {
    const fileSystem = broken((header) => header.writeUInt8(9, 0));
    fileSystem.changeMode(`${DATABASE}/${CHUNK}`, 0o444);
    await expectRepaired(fileSystem);
    expect(fileSystem.describe(`${DATABASE}/${CHUNK}`)!.mode & 0o200).toBe(0o200);
  });

  it('gets a version that every server reads where its own is none', async () => {
    const fileSystem = broken((header) => {
      header.writeUInt8(77, 1);
      header.writeUInt8(99, VERSION);
    });
    await expectRepaired(fileSystem);
    expect(headerOf(fileSystem)).toMatchObject({
      version: 3,
      minCompatibleVersion: 3,
      chunkSizeBytes: CHUNK_SIZE
    });
  });

  it('gets a new id where it has none any more', async () => {
    const fileSystem = broken((header) => {
      header.writeUInt8(9, 0);
      header.fill(0, CHUNK_ID.from, CHUNK_ID.to);
    });
    await expectRepaired(fileSystem);
    const ids = [fileSystem, whole].map((one) => bytesOf(one, CHUNK).subarray(CHUNK_ID.from, CHUNK_ID.to));
    expect(ids[0]!.equals(Buffer.alloc(16))).toBe(false);
    expect(ids[0]!.equals(ids[1]!)).toBe(false);
  });

  it.each([
    ['nothing of it is left', (header: Buffer) => header.fill(0)],
    [
      'it names a size that the length of the file contradicts',
      (header: Buffer) => header.writeInt32LE(4096, 2)
    ]
  ])('is left as it is, and named, where %s', async (_, change) => {
    const fileSystem = broken((header) => {
      change(header);
      header.writeUInt8(9, 0);
    });
    const before = bytesOf(fileSystem, CHUNK);
    const { ok, unrepaired } = await repair(fileSystem);
    expect(ok).toBe(false);
    expect(unrepaired.map(({ file }) => file)).toContain(CHUNK);
    expect(bytesOf(fileSystem, CHUNK).equals(before)).toBe(true);
  });

  it('gets back every byte of it where its records fill it to the last byte', async () => {
    const size = 16_384;
    const fileSystem = new MemoryFileSystem();
    fileSystem.makeDirectory(DATABASE);
    const random = new Random(7);
    const newGuid = () => random.guid();
    const log = LogWriter.create({ fileSystem, directory: DATABASE, chunkSizeBytes: size, newGuid });
    const now = () => ticksFromIso('2026-01-02T00:00:00Z')!;
    const appender = new EventAppender({ writer: log, lastEventNumber: () => -1, now, newGuid });
    const write = (bytes: number): number =>
      appender.append('s', [{ eventType: 'e', data: Buffer.alloc(bytes, 1) }]).position;
    const [first, second] = [write(1000), write(1000)];
    const payload = 1000 + (size - 2 * (second - first)) - (second - first);
    write(payload);
    log.close();
    expect(checkpointOf(fileSystem, 'writer')).toBe(size);
    const before = bytesOf(fileSystem, CHUNK);
    const read = await streamContentOf(fileSystem, DATABASE);
    flip(fileSystem, CHUNK, 0);
    const { ok } = await repair(fileSystem);
    expect(ok).toBe(true);
    expect(bytesOf(fileSystem, CHUNK).equals(before)).toBe(true);
    expect(differenceOf(read, await streamContentOf(fileSystem, DATABASE))).toEqual({
      missing: 0,
      surplus: 0
    });
  });
});
