/**
 * What is prepared for a start by a given server with given settings: nothing that this server would undo, and nothing that it
 * could not read.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src-core/database/database.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { OperationControl, uncontrolled } from '../../../src-core/database/operation-control.ts';
import {
  emptyIndexMap,
  readIndexMap,
  writeIndexMap,
  type IndexMap
} from '../../../src-core/index/index-map.ts';
import { IndexTableReader } from '../../../src-core/index/index-table-reader.ts';
import type { TableVersion } from '../../../src-core/index/index-table.ts';
import { writeIndexTable } from '../../../src-core/index/index-table-writer.ts';
import { readRecentEntries } from '../../../src-core/index/read-recent-entries.ts';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { forecastStartup } from '../../../src-core/startup/forecast-startup.ts';
import { prepareStartup } from '../../../src-core/startup/prepare-startup.ts';
import { namesIn } from '../../../src-core/storage/directory-entries.ts';
import type { OpenFile, OpenMode } from '../../../src-core/storage/file-system.ts';
import { PassThroughFileSystem } from '../../../src-core/storage/pass-through.ts';
import { guidsFrom } from '../../support/crash-database.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { treeOf } from '../../support/restore-fixture.ts';
import { guidName } from '../index/index-fixture.ts';
import { stoppedAtFirstTurn } from '../../support/stopped-operation.ts';

const DATA = '/db';
const INDEX = `${DATA}/index`;
const SMALL_FILTER = '--stream-existence-filter-size=10000';

let fileSystem: MemoryFileSystem;
/** Positions of the events. */
let positions: number[];
let nextId: number;

/** Chunks of the third format, so that old servers read them. */
beforeEach(() => {
  nextId = 500;
  fileSystem = new MemoryFileSystem();
  fileSystem.makeDirectory(INDEX);
  const newGuid = guidsFrom(2);
  const parts = { fileSystem, directory: DATA, newGuid };
  const writer = LogWriter.create({ ...parts, chunkSizeBytes: 4096, version: 3 });
  const appender = new EventAppender({ writer, newGuid, now: () => 1n, lastEventNumber: () => -1 });
  appender.writeEpoch({ number: 0, epochId: newGuid(), leaderInstanceId: newGuid() });
  positions = Array.from(
    { length: 60 },
    (_, i) =>
      appender.append(`stream-${i % 7}`, [{ eventType: 'happened', data: Buffer.alloc(100, 'x') }]).position
  );
  writer.close();
});

/** Tables of level 0 up to these events. */
async function index(
  ends: readonly number[],
  version: TableVersion,
  change: Partial<IndexMap> = {}
): Promise<void> {
  const database = openDatabase({ fileSystem, dataDirectory: DATA });
  let checkpoint = -1;
  const tables = [];
  for (const [position, at] of ends.entries()) {
    const end = positions[at]!;
    const range = { prepareCheckpoint: checkpoint, commitCheckpoint: checkpoint, end: end + 1 };
    const entries = await readRecentEntries({ log: database.log, ...range, hasher: hashStream });
    const file = guidName(position + 1);
    writeIndexTable({ fileSystem, directory: INDEX, name: file, version }, entries);
    tables.unshift({ level: 0, position, file });
    checkpoint = end;
  }
  database.close();
  const map = { ...emptyIndexMap(), prepareCheckpoint: checkpoint, commitCheckpoint: checkpoint, tables };
  writeIndexMap(fileSystem, INDEX, { ...map, ...change }, guidName(99));
}

interface Asked {
  serverVersion?: string;
  serverArguments?: readonly string[];
  mergeTables?: boolean;
  control?: OperationControl;
}

function request({ serverVersion, serverArguments = [SMALL_FILTER], mergeTables = true, control }: Asked) {
  return {
    place: { fileSystem, dataDirectory: DATA },
    serverVersion,
    serverArguments,
    choice: { applyTruncation: false, mergeTables },
    control: control ?? uncontrolled(),
    newGuid: () => guidName(nextId++)
  };
}

const prepare = (asked: Asked = {}) => prepareStartup(request(asked));
const codes = (steps: readonly { code: string }[]) => steps.map(({ code }) => code);
const versions = () =>
  readIndexMap(fileSystem, INDEX)!.tables.map(({ file }) => {
    const table = IndexTableReader.open({ fileSystem, directory: INDEX, name: file });
    table.close();
    return table.version;
  });

function checkpoint(name: string, value: number): void {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(value));
  const file = fileSystem.open(`${DATA}/${name}.chk`, 'readWrite');
  file.write(bytes, 0, 8, 0);
  file.close();
}

/** Files of the index, without the filter of streams. */
const indexTree = () =>
  Object.fromEntries(Object.entries(treeOf(fileSystem, INDEX)).filter(([name]) => !/existence/.test(name)));

describe('for a server that does not read the tables that are written', () => {
  test('the index is left as it is, merges included', async () => {
    await index([20, 40], 3);
    const before = indexTree();
    const { steps, notes } = await prepare({ serverVersion: '4.0.3', serverArguments: [] });
    expect(steps).toEqual([]);
    expect(notes).toEqual([
      'The index is left as it is: a server 4.0.3 does not read the tables that Winnow writes.'
    ]);
    expect(indexTree()).toEqual(before);
    expect(versions()).toEqual([3, 3]);
  });
});

describe('for a server that rebuilds the index because of its settings', () => {
  test('the index is left as it is, merges included', async () => {
    await index([20, 40], 4, { maxAutoMergeLevel: 1 });
    const before = indexTree();
    const { steps, notes } = await prepare({
      serverArguments: [SMALL_FILTER, '--max-auto-merge-index-level=2']
    });
    expect(notes).toEqual([
      'The index is left as it is: the server rebuilds it because MaxAutoMergeIndexLevel is higher than before.'
    ]);
    expect(codes(steps)).toEqual(['rebuildExistenceFilter']);
    expect(indexTree()).toEqual(before);
  });

  test('and the same settings as before change nothing of that', async () => {
    await index([20, 40], 4, { maxAutoMergeLevel: 1 });
    const { steps } = await prepare({ serverArguments: [SMALL_FILTER, '--max-auto-merge-index-level=1'] });
    expect(codes(steps)).toEqual(['catchUpIndex', 'mergeTables', 'rebuildExistenceFilter']);
    expect(readIndexMap(fileSystem, INDEX)!.maxAutoMergeLevel).toBe(1);
  });
});

describe('a preparation', () => {
  test('catches up, merges and makes the filter, and has nothing left to do', async () => {
    await index([20, 40], 4);
    const forecast = await forecastStartup(request({}));
    const planned = forecast.preparation.steps;
    expect(codes(planned)).toEqual(['catchUpIndex', 'mergeTables', 'rebuildExistenceFilter']);
    const { steps } = await prepare();
    expect(codes(steps)).toEqual(codes(planned));
    expect(steps.every(({ done }) => done)).toBe(true);
    expect(steps[0]!.entries).toBe(positions.length - 41);
    expect((await prepare()).steps).toEqual([]);
  });

  test('merges only where that is chosen, and where there is something to merge', async () => {
    await index([20, 59], 4);
    expect(codes((await prepare({ mergeTables: false })).steps)).toEqual(['rebuildExistenceFilter']);
    expect(codes((await prepare()).steps)).toEqual(['mergeTables']);
    expect(codes((await prepare()).steps)).toEqual([]);
    expect(readIndexMap(fileSystem, INDEX)!.tables.map(({ level }) => level)).toEqual([1]);
  });

  test('makes the filter again with an index that is rebuilt', async () => {
    await index([20], 4);
    await prepare();
    const [table] = readIndexMap(fileSystem, INDEX)!.tables;
    fileSystem.remove(`${INDEX}/${table!.file}`);
    const { steps } = await prepare();
    expect(codes(steps)).toEqual(['rebuildIndex', 'rebuildExistenceFilter']);
    expect(steps[1]!.why).toBe('It is made again with the index that is rebuilt.');
    expect((await prepare()).steps).toEqual([]);
  });

  test('reaches to chaser.chk, and says who reads the rest', async () => {
    checkpoint('chaser', positions[30]!);
    const { steps, notes } = await prepare();
    expect(codes(steps)).toEqual(['rebuildIndex', 'rebuildExistenceFilter']);
    const { writer } = openDatabase({ fileSystem, dataDirectory: DATA }).checkpoints;
    expect(notes).toEqual([
      `chaser.chk is at ${positions[30]!}, the log ends at ${writer!}: what lies between is read by the server itself.`
    ]);
    checkpoint('chaser', writer!);
    expect(codes((await prepare({ mergeTables: false })).steps)).toEqual([
      'catchUpIndex',
      'catchUpExistenceFilter'
    ]);
  });

  test('has nothing to do for an empty log', async () => {
    for (const name of namesIn(fileSystem, DATA))
      if (name.startsWith('chunk-')) fileSystem.remove(`${DATA}/${name}`);
    for (const name of ['writer', 'chaser']) checkpoint(name, 0);
    checkpoint('epoch', -1);
    const { steps, notes } = await prepare();
    expect([steps, notes]).toEqual([[], []]);
  });

  test.each([true, false])(
    'writes nothing to a volume of the index that has no room for it; tables are merged: %s',
    async (mergeTables) => {
      await index([20, 59], 4);
      const before = treeOf(fileSystem, INDEX);
      class Full extends PassThroughFileSystem {
        override freeBytes(path: string): number {
          return path === INDEX ? 1 : super.freeBytes(path);
        }
      }
      const place = { fileSystem: new Full(fileSystem), dataDirectory: DATA };
      await expect(prepareStartup({ ...request({ mergeTables }), place })).rejects.toMatchObject({
        code: 'StorageFailed',
        details: { file: INDEX, freeBytes: 1, osCode: 'ENOSPC' }
      });
      expect(treeOf(fileSystem, INDEX)).toEqual(before);
    }
  );

  test('gives way to others, and stops when it is asked to', async () => {
    await index([20], 4);
    const before = treeOf(fileSystem, DATA);
    const control = stoppedAtFirstTurn();
    await expect(prepare({ control })).rejects.toMatchObject({ name: 'OperationStopped' });
    expect(treeOf(fileSystem, DATA)).toEqual(before);
  });
});

describe('a forecast', () => {
  test('does not price the check of tables where the server is set to leave it out', async () => {
    await index([20], 4);
    const [checked, skipped] = [
      await forecastStartup(request({})),
      await forecastStartup(request({ serverArguments: [SMALL_FILTER, '--skip-index-verify'] }))
    ];
    expect(skipped.parts.map(({ what }) => what)).not.toContain('hashTables');
    expect(checked.parts.map(({ what }) => what)).toContain('hashTables');
    expect(skipped.preparedMs).toBeLessThanOrEqual(checked.preparedMs);
  });

  test('says of what is prepared that nothing of it is left to the start, and of the rest that it stays', async () => {
    await index([20], 4);
    const { parts } = await forecastStartup(request({}));
    const part = (wanted: string) => parts.find(({ what }) => what === wanted)!;
    expect(part('readLogIntoIndex')).toMatchObject({ isPreparable: true, afterMs: 0 });
    expect(part('readLogIntoIndex').ms).toBeGreaterThan(0);
    expect(part('openChunks')).toMatchObject({ isPreparable: false, afterMs: part('openChunks').ms });
  });

  test('measures over files that are large enough, and stops once it has read enough', async () => {
    let now = 0;
    const control = new OperationControl({ elapsedMs: () => now++, yieldTurn: () => Promise.resolve() });
    const sizes: number[] = [];
    class Large extends PassThroughFileSystem {
      override open(path: string, mode: OpenMode): OpenFile {
        const file = super.open(path, mode);
        const read = file.read.bind(file);
        // Whole blocks are only asked for to measure.
        file.read = (target, offset, length, at) => {
          if (!/chunk-/.test(path) || length < 1024 * 1024 || at > 100 * 1024 * 1024)
            return read(target, offset, length, at);
          sizes.push(length);
          return length;
        };
        return file;
      }
    }
    const place = { fileSystem: new Large(fileSystem), dataDirectory: DATA };
    const { rates } = await forecastStartup({ ...request({ control }), place });
    expect(rates.bytes.basis).toBe('measured');
    expect(sizes.length).toBe(64);
  });

  test('measures by files only as long as that takes no time of its own', async () => {
    let now = 0;
    const control = new OperationControl({
      elapsedMs: () => (now += 60),
      yieldTurn: () => Promise.resolve()
    });
    const { rates } = await forecastStartup(request({ control }));
    expect(rates.files.basis).toBe('assumed');
    expect(rates.bytes.basis).toBe('assumed');
  });
});
