import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../../src-core/database/database.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { readEpochs } from '../../../src-core/database/epochs.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { Random } from '../../../src-core/sample/random.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { verifyChunk } from '../../../src-core/verify/verify-chunk.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { EXAMPLE_TICKS } from '../chunks/worked-example.ts';

const fileSystem = new NodeFileSystem();
let directory: string;
let newGuid: () => string;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'winnow-log-'));
  const random = new Random(7);
  newGuid = () => random.guid();
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const at = (name: string) => path.join(directory, name);
const open = (): Database => openDatabase({ fileSystem, dataDirectory: directory });

function appender(writer: LogWriter, last: (stream: string) => number = () => -1): EventAppender {
  return new EventAppender({ writer, lastEventNumber: last, now: () => EXAMPLE_TICKS, newGuid });
}

const event = (size: number) => ({ eventType: 'e', data: Buffer.alloc(size, 0x20) });

function create(version = 4): LogWriter {
  return LogWriter.create({ fileSystem, directory, chunkSizeBytes: 4096, version, newGuid });
}

async function expectSound(): Promise<string[]> {
  const database = open();
  const names: string[] = [];
  expect(database.problems).toEqual([]);
  for (const chunk of database.chunkSet.chunks) {
    const parts = { fileSystem, chunk, quick: false, control: uncontrolled(), onBytes: () => undefined };
    expect((await verifyChunk(parts)).findings).toEqual([]);
  }
  for (const cursor = database.log.cursor(); cursor.next();) {
    const { record } = cursor;
    names.push(`${record.stream}@${record.eventNumber}`);
  }
  database.close();
  return names;
}

describe('a log writer', () => {
  it('moves a record that does not fit to the next chunk and completes the one before', async () => {
    const writer = create();
    const events = appender(writer);
    for (let i = 0; i < 10; i++) events.append('s', [event(1000)]);
    writer.close();
    expect((await expectSound()).length).toBe(10);
    const database = open();
    expect(database.chunkSet.chunks.map((chunk) => chunk.isCompleted)).toEqual([true, true, true, false]);
    expect(database.checkpoints.writer).toBe(database.checkpoints.chaser);
    database.close();
  });

  it('keeps all records of one write in one chunk', async () => {
    const writer = create();
    const events = appender(writer);
    events.append('a', [event(2000)]);
    events.append('b', [event(1000), event(1000)]);
    writer.close();
    const database = open();
    const cursor = database.log.cursor(4096);
    expect(cursor.next()).toBe(true);
    expect([cursor.record.position, cursor.record.stream]).toEqual([4096, 'b']);
    expect(cursor.next()).toBe(true);
    expect([cursor.record.transactionPosition, cursor.record.transactionOffset]).toEqual([4096, 1]);
    cursor.close();
    database.close();
    await expectSound();
  });

  it('goes on in the middle of a chunk over stale bytes, and the hash still holds', async () => {
    const writer = create();
    appender(writer).append('s', [event(500)]);
    writer.close();
    const end = writer.position;
    const chunk = at('chunk-000000.000000');
    const bytes = readFileSync(chunk);
    bytes.fill(0xee, 128 + end, 128 + end + 900); // what a killed process may leave behind
    writeFileSync(chunk, bytes);
    const again = LogWriter.open({ fileSystem, directory, newGuid }, open().chunkSet);
    const events = appender(again, () => 0);
    events.append('s', [event(600)]);
    again.completeChunk();
    events.append('s', [event(10)]);
    again.close();
    expect(await expectSound()).toEqual(['s@0', 's@1', 's@2']);
  });

  it('opens a last chunk that was cut to exactly its data', async () => {
    const writer = create();
    appender(writer).append('s', [event(500)]);
    writer.close();
    truncateSync(at('chunk-000000.000000'), 128 + writer.position);
    const again = LogWriter.open({ fileSystem, directory, newGuid }, open().chunkSet);
    appender(again, () => 0).append('s', [event(600)]);
    again.close();
    expect(await expectSound()).toEqual(['s@0', 's@1']);
  });

  it('makes an unaligned chunk that is still being written version 3', () => {
    const writer = create(2);
    appender(writer).append('s', [event(100)]);
    writer.close();
    expect(readFileSync(at('chunk-000000.000000'))[1]).toBe(2);
    const again = LogWriter.open({ fileSystem, directory, newGuid }, open().chunkSet);
    again.close();
    expect([...readFileSync(at('chunk-000000.000000')).subarray(0, 2)]).toEqual([2, 3]);
  });

  it('creates the next chunk at once where the server of that format does', () => {
    const writer = create(3);
    const events = appender(writer);
    events.append('s', [event(100)]);
    writer.completeChunk();
    writer.close();
    expect(readdirSync(directory).filter((name) => name.startsWith('chunk'))).toEqual([
      'chunk-000000.000000',
      'chunk-000001.000000'
    ]);
    expect(statSync(at('chunk-000001.000000')).size).toBe(8192);
  });

  it('rests on a boundary without a next chunk in the newest format', async () => {
    const writer = create();
    const events = appender(writer);
    events.writeScavengePoint(0);
    writer.close();
    const database = open();
    expect(database.checkpoints.writer).toBe(4096);
    expect(database.chunkSet.chunks.map((chunk) => [chunk.isCompleted, chunk.fileSize])).toEqual([
      [true, 4096]
    ]);
    database.close();
    expect(await expectSound()).toEqual(['$scavengePoints@0']);
  });

  it('links each epoch to the one before', () => {
    const writer = create();
    const events = appender(writer);
    for (const number of [0, 1, 5])
      events.writeEpoch({ number, epochId: newGuid(), leaderInstanceId: newGuid() });
    writer.close();
    const database = open();
    expect(readEpochs(database.log, database.checkpoints.epoch).map((epoch) => epoch.number)).toEqual([
      5, 1, 0
    ]);
    for (const unset of [-1, null])
      expect(readEpochs(database.log, unset).map((epoch) => epoch.number)).toEqual([5, 1, 0]);
    // What epoch.chk names comes first, even where the log has newer ones.
    const [, older] = readEpochs(database.log, -1);
    expect(readEpochs(database.log, older!.position).map((epoch) => epoch.number)).toEqual([1, 0]);
    const newest = database.checkpoints.epoch!;
    const { end } = database.log;
    expect(readEpochs(database.log, -1, end - newest).map((epoch) => epoch.number)).toEqual([5, 1, 0]);
    expect(readEpochs(database.log, -1, end - newest - 1)).toEqual([]);
    database.close();
  });

  it('refuses to append to a hard-deleted stream, its metastream, and its tombstone in the active chunk', () => {
    const writer = create();
    const events = appender(writer);
    events.append('s', [event(1)]);
    events.hardDelete('s');
    expect(() => events.append('s', [event(1)])).toThrow(/hard-deleted/);
    expect(() => events.setMetadata('s', '{}')).toThrow(/hard-deleted/);
    expect(() => events.hardDelete('s')).toThrow(/hard-deleted/);
    writer.close();
  });
});

describe('choosing chunk files', () => {
  it('takes the highest version and names the others superseded', () => {
    const writer = create();
    appender(writer).writeScavengePoint(0);
    writer.close();
    copyFileSync(at('chunk-000000.000000'), at('chunk-000000.000003'));
    writeFileSync(at('chunk-000000.000003.0.tmp'), '');
    const { chunkSet } = open();
    expect(chunkSet.chunks.map((chunk) => chunk.fileName)).toEqual(['chunk-000000.000003']);
    expect(chunkSet.superseded.map(({ file }) => file)).toEqual(['chunk-000000.000000']);
    expect(chunkSet.leftovers.map(({ file }) => file)).toEqual(['chunk-000000.000003.0.tmp']);
  });

  it('says what is missing and from where on', () => {
    const writer = create();
    const events = appender(writer);
    for (let i = 0; i < 10; i++) events.append('s', [event(1000)]);
    writer.close();
    rmSync(at('chunk-000001.000000'));
    expect(open().problems).toMatchObject([{ code: 'chunkMissing', severity: 'damage', position: 4096 }]);
    rmSync(at('chunk-000000.000000'));
    expect(open().problems).toMatchObject([{ code: 'archiveGap', message: /Chunks 0 to 1 are/ }]);
  });

  it('says that a directory holds no database', () => {
    expect(() => open()).toThrow(/is not a database/);
    expect(() => openDatabase({ fileSystem, dataDirectory: at('nowhere') })).toThrow(/does not exist/);
  });
});
