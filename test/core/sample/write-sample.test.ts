/** The sample database in odd sizes: with so few streams that closed ones come again, and with nothing to index. */
import { beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { uncontrolled } from '../../../src-core/database/operation-control.ts';
import { readIndexMap } from '../../../src-core/index/index-map.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { writeSampleDatabase } from '../../../src-core/sample/write-sample-database.ts';
import { writeSampleIndex } from '../../../src-core/sample/write-sample-index.ts';
import { namesIn } from '../../../src-core/storage/directory-entries.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { treeOf } from '../../support/restore-fixture.ts';

const DATA = '/db';
let fileSystem: MemoryFileSystem;
beforeEach(() => {
  fileSystem = new MemoryFileSystem();
  fileSystem.makeDirectory(DATA);
});

function write(change: { sizeBytes?: number; streamCount?: number } = {}) {
  return writeSampleDatabase({
    fileSystem,
    dataDirectory: DATA,
    sizeBytes: 50_000,
    chunkSizeBytes: 16_384,
    seed: 3,
    now: ticksFromIso('2026-01-01T00:00:00Z')!,
    control: uncontrolled(),
    ...change
  });
}

describe('the sample database', () => {
  test('is written into an empty directory, and into no other one', async () => {
    expect((await write()).chunks).toBeGreaterThan(2);
    const before = treeOf(fileSystem, DATA);
    await expect(write()).rejects.toMatchObject({
      code: 'InvalidRequest',
      message: `${DATA} is not empty; the sample database needs a new or empty directory.`,
      details: { field: 'dataDirectory', file: DATA }
    });
    expect(treeOf(fileSystem, DATA)).toEqual(before);
  });

  test('writes nothing to a stream behind its tombstone, however often the stream comes again', async () => {
    await write({ sizeBytes: 400_000, streamCount: 2 });
    const database = openDatabase({ fileSystem, dataDirectory: DATA });
    const closed = new Set<string>();
    const cursor = database.log.cursor();
    while (cursor.next()) {
      const { record } = cursor;
      if (record.kind !== 'prepare') continue;
      expect(closed.has(record.stream), record.stream).toBe(false);
      if (record.isTombstone) closed.add(record.stream);
    }
    cursor.close();
    database.close();
    expect([...closed].some((stream) => stream.startsWith('customer-'))).toBe(true);
    expect([...closed].some((stream) => stream.startsWith('cart-'))).toBe(true);
  });

  test('has a snapshot after each twelve events of an account, and hides what is older', async () => {
    await write({ sizeBytes: 400_000, streamCount: 2 });
    const database = openDatabase({ fileSystem, dataDirectory: DATA });
    const expected: string[] = [];
    const found: string[] = [];
    const cursor = database.log.cursor();
    while (cursor.next()) {
      const { record } = cursor;
      const { stream, eventNumber } = record;
      if (record.kind !== 'prepare' || !/^(\$\$)?account-/.test(stream)) continue;
      const data = record.data.toString();
      if (stream.startsWith('$$')) found.push(`${stream.slice(2)} ${data}`);
      else if (record.eventType === 'Snapshot') {
        expect(JSON.parse(data)).toMatchObject({ upTo: eventNumber - 1 });
      } else if (eventNumber > 0 && eventNumber % 12 === 0)
        expected.push(`${stream} {"$tb":${eventNumber + 1}}`);
    }
    cursor.close();
    database.close();
    expect(found.length).toBeGreaterThan(2);
    expect(found).toEqual(expected);
  });
});

test('the index of a log without events is a directory without a map', async () => {
  LogWriter.create({ fileSystem, directory: DATA, chunkSizeBytes: 16_384, newGuid: guidsFrom(1) }).close();
  const { log, indexDirectory, close } = opened();
  await writeSampleIndex({ fileSystem, indexDirectory, log, newGuid: guidsFrom(2), control: uncontrolled() });
  close();
  expect(namesIn(fileSystem, indexDirectory)).toEqual([]);
});

test('the index has one table where all shares end at one event', async () => {
  await write();
  fileSystem.removeDirectory(`${DATA}/index`);
  const { log, indexDirectory, close } = opened();
  const shares = [0.5, 0.5, 1];
  await writeSampleIndex({
    ...{ fileSystem, indexDirectory, log, shares },
    newGuid: guidsFrom(2),
    control: uncontrolled()
  });
  close();
  expect(readIndexMap(fileSystem, indexDirectory)!.tables.map(({ level }) => level)).toEqual([2]);
});

function opened() {
  const database = openDatabase({ fileSystem, dataDirectory: DATA });
  const { log, indexDirectory } = database;
  return { log, indexDirectory, close: () => database.close() };
}
