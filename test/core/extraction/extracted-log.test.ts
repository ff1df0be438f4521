/** The new log that extracted events are written to: records of every size, and members that wait for their commits. */
import { expect, test } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { ExtractedLog } from '../../../src-core/extraction/extracted-log.ts';
import { encodePrepare } from '../../../src-core/records/encode-record.ts';
import { LogRecord, MAX_RECORD_LENGTH, PrepareFlag } from '../../../src-core/records/log-record.ts';
import { namesIn } from '../../../src-core/storage/directory-entries.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';

const DIRECTORY = '/out';

function create(fileSystem: MemoryFileSystem, chunkSizeBytes: number): ExtractedLog {
  fileSystem.makeDirectory(DIRECTORY);
  return ExtractedLog.create({
    fileSystem,
    directory: DIRECTORY,
    chunkSizeBytes,
    newGuid: guidsFrom(2),
    ticks: 1n
  });
}

function recordAt(position: number, dataLength: number): LogRecord {
  const payload = encodePrepare({
    position,
    flags: PrepareFlag.data,
    transactionPosition: 0,
    transactionOffset: 0,
    expectedVersion: -2,
    stream: 's',
    eventId: '11111111-1111-1111-1111-111111111111',
    correlationId: '22222222-2222-2222-2222-222222222222',
    ticks: 1n,
    eventType: 't',
    data: Buffer.alloc(dataLength, dataLength % 251),
    metadata: new Uint8Array(0)
  });
  const record = new LogRecord();
  const view = new DataView(payload.buffer, payload.byteOffset, payload.length);
  expect(record.parse(payload, view, 0, payload.length)).toBeUndefined();
  return record;
}

test('events of every size are copied to the byte, the larger ones after the smaller ones', () => {
  const fileSystem = new MemoryFileSystem();
  const log = create(fileSystem, 65_536);
  const lengths = [10, 5000, 20, 30_000, 4096];
  lengths.forEach((length, eventNumber) => {
    const position = eventNumber * 40_000;
    log.add({ record: recordAt(position, length), eventNumber, commitPosition: position });
  });
  const end = log.finish();
  const database = openDatabase({ fileSystem, dataDirectory: DIRECTORY });
  const found: [number, number, boolean][] = [];
  const cursor = database.log.cursor(0, end);
  while (cursor.next()) {
    const { record } = cursor;
    if (record.kind !== 'prepare' || record.stream !== 's') continue;
    const isWhole = record.data.every((byte) => byte === record.dataLength % 251);
    found.push([record.eventNumber, record.dataLength, isWhole]);
  }
  cursor.close();
  database.close();
  expect(found).toEqual(lengths.map((length, number) => [number, length, true]));
});

test('members that wait for their commits are refused once they take more memory than is meant for them', () => {
  const log = create(new MemoryFileSystem(), 256 * 1024 * 1024);
  const record = recordAt(0, MAX_RECORD_LENGTH - 200);
  const wait = (eventNumber: number) => log.add({ record, eventNumber, commitPosition: 1000 });
  // Eight of them are a few bytes below 128 MiB.
  for (let number = 0; number < 8; number++) expect(wait(number)).toBe(false);
  expect(log.isSettled).toBe(false);
  expect(() => wait(8)).toThrow(
    expect.objectContaining({
      code: 'UnsupportedFormat',
      remedy: 'Choose fewer streams, or extract the events instead.',
      details: expect.objectContaining({ expected: 128 * 1024 * 1024 }) as unknown
    })
  );
  log.abandon();
});

test('a log that is continued at a chunk has what lies before it, and nothing of what an earlier run wrote from there on', () => {
  const fileSystem = new MemoryFileSystem();
  const log = create(fileSystem, 65_536);
  const add = (into: ExtractedLog, eventNumber: number) =>
    into.add({
      record: recordAt(eventNumber * 40_000, 20_000),
      eventNumber,
      commitPosition: eventNumber * 40_000
    });
  for (let number = 0; number < 12; number++) add(log, number);
  log.finish();
  const leftover = fileSystem.open(`${DIRECTORY}/chunk-000007.000000.tmp`, 'createNew');
  leftover.close();
  const chunks = () => namesIn(fileSystem, DIRECTORY).filter((name) => name.startsWith('chunk-'));
  expect(chunks().length).toBeGreaterThan(4);

  const parts = { fileSystem, directory: DIRECTORY, chunkSizeBytes: 65_536, newGuid: guidsFrom(3) };
  const continued = ExtractedLog.continueAt(2 * 65_536, parts);
  expect(continued.position).toBe(2 * 65_536);
  expect(chunks()).toEqual(['chunk-000000.000000', 'chunk-000001.000000']);
  add(continued, 100);
  const end = continued.finish();
  const database = openDatabase({ fileSystem, dataDirectory: DIRECTORY });
  const numbers: number[] = [];
  const cursor = database.log.cursor(0, end);
  while (cursor.next()) if (cursor.record.kind === 'prepare') numbers.push(cursor.record.eventNumber);
  cursor.close();
  database.close();
  expect(numbers).toEqual([0, 0, 1, 2, 3, 4, 5, 100]);
});
