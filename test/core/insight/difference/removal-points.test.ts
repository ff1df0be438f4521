/** The scavenge points that a log knows: none where it cannot be read, an error where the disk refuses. */
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../../src-core/database/database.ts';
import { EngineError, logCorrupt } from '../../../../src-core/errors.ts';
import { pointAtEnd, removalPointBefore } from '../../../../src-core/insight/difference/removal-points.ts';
import { MemoryFileSystem, storageError } from '../../../support/memory-file-system.ts';
import { writeSmallDatabase } from '../../../support/restore-fixture.ts';
import { ReadableLog, weakIndexOf } from './readable-log.ts';

const DATA = '/db';

async function memoryWith(change: (memory: MemoryFileSystem) => void = () => undefined) {
  const memory = new MemoryFileSystem();
  await writeSmallDatabase(memory, DATA, { sizeBytes: 20_000 });
  const database = openDatabase({ fileSystem: memory, dataDirectory: DATA });
  change(memory);
  return database;
}

describe('the point at the end', () => {
  test('is the end of the log, as of its last event', async () => {
    const database = await memoryWith();
    const point = pointAtEnd(database.log);
    expect(point).toMatchObject({ position: database.log.end, from: 'end' });
    expect(point?.effectiveNow).toBeGreaterThan(0n);
    database.close();
  });

  test('is none where the last record is damaged', async () => {
    const database = await memoryWith((memory) => {
      const file = memory.open(`${DATA}/chunk-000001.000000`, 'readWrite');
      file.write(new Uint8Array(file.size() - 128), 0, file.size() - 128, 128);
      file.close();
    });
    expect(pointAtEnd(database.log)).toBeUndefined();
    database.close();
  });

  test('is an error where the disk refuses', async () => {
    const database = await memoryWith((memory) => {
      memory.open = (file) => {
        throw storageError('EIO', file);
      };
    });
    expect(() => pointAtEnd(database.log)).toThrow(EngineError);
    expect(() => pointAtEnd(database.log)).toThrow(/EIO/);
    database.close();
  });
});

describe('the newest point before a place', () => {
  test.each([
    ['is none where the log holds none', undefined, undefined],
    ['is none where its record is damaged', logCorrupt('The record is damaged.', { position: 0 }), undefined],
    ['is an error where the disk refuses', storageError('EIO', 'chunk-000000.000000'), /EIO/]
  ])('%s', async (_name, fault, message) => {
    const database = await memoryWith();
    const log = new ReadableLog();
    const at = log.event(fault ? '$scavengePoints' : 'other', 0);
    if (fault) log.faults.set(at, fault);
    const index = await weakIndexOf(log);
    const ask = () => removalPointBefore(database.log, index, Infinity);
    if (message) expect(ask).toThrow(message);
    else expect(ask()).toBeUndefined();
    database.close();
  });
});
