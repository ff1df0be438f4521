/** Logs that end in unusual places, checkpoints that are missing, and files that are not what was written. */
import { describe, expect, it } from 'vitest';
import { ChunkWriter } from '../../../src-core/chunks/chunk-writer.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { openDatabase } from '../../../src-core/database/database.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { readCheckpoints } from '../../../src-core/log/checkpoint-file.ts';
import { framedName } from '../../../src-core/log/find-stream-name.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { switchInChunk } from '../../../src-core/log/switch-in.ts';
import { planTruncation } from '../../../src-core/log/truncation.ts';
import { Random } from '../../../src-core/sample/random.ts';
import { readWholeFile } from '../../../src-core/storage/file-system.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';

const DB = '/db';
const CHUNK_BYTES = 16_384;
const FIRST = 'chunk-000000.000000';

function begun() {
  const fileSystem = new MemoryFileSystem();
  fileSystem.makeDirectory(DB);
  const random = new Random(3);
  const newGuid = () => random.guid();
  const writer = LogWriter.create({ fileSystem, directory: DB, chunkSizeBytes: CHUNK_BYTES, newGuid });
  return { fileSystem, newGuid, writer, events: appender(writer, newGuid) };
}

function appender(writer: LogWriter, newGuid: () => string): EventAppender {
  const now = () => ticksFromIso('2026-01-01T00:00:00Z')!;
  return new EventAppender({ writer, now, newGuid, lastEventNumber: () => -1 });
}

const event = (bytes: number) => ({ eventType: 'e', data: Buffer.alloc(bytes, 0x61), isJson: false });

function setOf(fileSystem: MemoryFileSystem) {
  const database = openDatabase({ fileSystem, dataDirectory: DB });
  const { chunkSet } = database;
  database.close();
  return chunkSet;
}

function patch(fileSystem: MemoryFileSystem, path: string, offset: number, bytes: Uint8Array): void {
  fileSystem.changeMode(path, 0o644);
  const file = fileSystem.open(path, 'readWrite');
  file.write(bytes, 0, bytes.length, offset);
  file.close();
}

describe('a log writer', () => {
  it('refuses a write that no chunk has room for, and takes the next one that fits', () => {
    const { writer, events, fileSystem } = begun();
    expect(() => events.append('s', [event(10_000), event(10_000)])).toThrow(
      expect.objectContaining({
        code: 'InvalidRequest',
        message: expect.stringMatching(/^A write of \d+ bytes does not fit a chunk of 16384\.$/) as string
      })
    );
    expect([writer.position, writer.recordCount]).toEqual([0, 0]);
    events.append('s', [event(10)]);
    writer.close();
    expect(openDatabase({ fileSystem, dataDirectory: DB }).log.readAt(0)).toMatchObject({ eventNumber: 0 });
  });

  it('completes no chunk twice', () => {
    const { writer, events, fileSystem } = begun();
    events.append('s', [event(10)]);
    writer.completeChunk();
    const bytes = readWholeFile(fileSystem, `${DB}/${FIRST}`);
    writer.completeChunk();
    writer.close();
    expect(readWholeFile(fileSystem, `${DB}/${FIRST}`)).toEqual(bytes);
    expect(writer.position).toBe(CHUNK_BYTES);
  });

  it('completes the last chunk where that is full to its last byte', () => {
    const { writer, events, fileSystem, newGuid } = begun();
    events.append('s', [event(10)]);
    const used = writer.position;
    events.append('s', [event(10)]);
    const around = writer.position - used - 10;
    events.append('s', [event(CHUNK_BYTES - writer.position - around)]);
    expect(writer.position).toBe(CHUNK_BYTES);
    writer.close();
    const set = setOf(fileSystem);
    const reopened = LogWriter.open({ fileSystem, directory: DB, newGuid }, set);
    expect(reopened.position).toBe(CHUNK_BYTES);
    appender(reopened, newGuid).append('t', [event(10)]);
    reopened.close();
    expect(setOf(fileSystem).chunks.map(({ isCompleted }) => isCompleted)).toEqual([true, false]);
    const { log } = openDatabase({ fileSystem, dataDirectory: DB });
    expect(log.readAt(CHUNK_BYTES)?.stream).toBe('t');
  });

  it('does not continue a file that was cut since it was looked at', () => {
    const { writer, events, fileSystem, newGuid } = begun();
    events.append('s', [event(4000)]);
    writer.close();
    const set = setOf(fileSystem);
    const file = fileSystem.open(`${DB}/${FIRST}`, 'readWrite');
    file.truncate(1000);
    file.close();
    expect(() => LogWriter.open({ fileSystem, directory: DB, newGuid }, set)).toThrow(
      expect.objectContaining({
        code: 'LogCorrupt',
        message: `${FIRST} ends at byte 1000, its records reach byte ${128 + writer.position}.`
      })
    );
  });
});

describe('a truncation', () => {
  function twoChunks() {
    const { writer, events, fileSystem } = begun();
    const positions = [0, 1, 2].map(() => events.append('s', [event(100)]).position);
    writer.completeChunk();
    events.append('s', [event(100)]);
    writer.close();
    const plan = () =>
      planTruncation({ fileSystem, dataDirectory: DB, at: positions[2]!, control: uncontrolled() });
    return { fileSystem, positions, plan, end: writer.position };
  }

  it.each([
    ['is missing', (fileSystem: MemoryFileSystem) => fileSystem.remove(`${DB}/writer.chk`)],
    [
      'holds -5',
      (fileSystem: MemoryFileSystem) => {
        const bytes = Buffer.alloc(8);
        bytes.writeBigInt64LE(-5n);
        patch(fileSystem, `${DB}/writer.chk`, 0, bytes);
      }
    ]
  ])('is refused where writer.chk %s', async (words, change) => {
    const { fileSystem, plan, positions } = twoChunks();
    change(fileSystem);
    await expect(plan()).rejects.toMatchObject({
      code: 'LogCorrupt',
      message: `The log cannot be truncated at ${positions[2]}: writer.chk ${words}.`,
      details: { file: 'writer.chk' }
    });
  });

  it('begins with what a missing chaser and a missing epoch say', async () => {
    const { fileSystem, plan, positions } = twoChunks();
    for (const name of ['chaser', 'epoch']) fileSystem.remove(`${DB}/${name}.chk`);
    expect(readCheckpoints(fileSystem, DB)).toMatchObject({ chaser: null, epoch: null });
    expect((await plan())?.checkpoints).toEqual({ writer: positions[2], chaser: 0, epoch: -1 });
  });

  it('within a chunk whose file ends before it tells of the file', async () => {
    const { fileSystem, plan } = twoChunks();
    fileSystem.changeMode(`${DB}/${FIRST}`, 0o644);
    const file = fileSystem.open(`${DB}/${FIRST}`, 'readWrite');
    file.truncate(300);
    file.close();
    await expect(plan()).rejects.toMatchObject({
      code: 'LogCorrupt',
      details: { file: FIRST },
      message: `${FIRST} is damaged at offset 128: the file ends within a record.`
    });
  });

  it('within a chunk whose records are damaged before it tells of the damage', async () => {
    const { fileSystem, plan, positions } = twoChunks();
    patch(fileSystem, `${DB}/${FIRST}`, 128 + positions[1]! - 4, Uint8Array.of(1));
    await expect(plan()).rejects.toMatchObject({
      code: 'LogCorrupt',
      details: { file: FIRST, offset: 128 },
      message: expect.stringMatching(/the length before the record is \d+, the one after it \d+/) as string
    });
  });
});

describe('switching a chunk in', () => {
  it('leaves the old one where the new file is not what was written', () => {
    const { writer, events, fileSystem } = begun();
    events.append('s', [event(100)]);
    writer.completeChunk();
    writer.close();
    const [chunk] = setOf(fileSystem).chunks;
    const temporaryPath = `${DB}/new.scavenge.tmp`;
    const made = ChunkWriter.create({
      fileSystem,
      path: temporaryPath,
      header: { ...chunk!.header, isScavenged: true },
      withMap: true
    });
    const frame = Buffer.from(readWholeFile(fileSystem, chunk!.path)!.subarray(128, 128 + chunk!.dataSize));
    made.append(frame, 0, frame.length, 0);
    const { fileSize } = made.complete();
    patch(fileSystem, temporaryPath, fileSize - 128, Uint8Array.of(0));
    expect(() => switchInChunk({ fileSystem, directory: DB, temporaryPath, replaced: [chunk!] })).toThrow(
      expect.objectContaining({
        code: 'StorageFailed',
        message: `${temporaryPath} changed during the operation: chunk-000000.000001 is not completed.`
      })
    );
    expect(fileSystem.describe(chunk!.path)).toBeDefined();
    expect(fileSystem.describe(`${DB}/chunk-000000.000001`)).toBeUndefined();
  });
});

it('a name of up to 127 bytes can be searched for', () => {
  expect(framedName('a'.repeat(127))).toEqual(Buffer.from(`\x7f${'a'.repeat(127)}`));
  expect(() => framedName('é'.repeat(64))).toThrow(RangeError);
});
