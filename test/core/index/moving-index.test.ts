/** An index that a running server changes while it is opened: what is read again, how often, and what is taken as it is. */
import { beforeEach, expect, test } from 'vitest';
import { IndexDirectory } from '../../../src-core/index/index-directory.ts';
import { writeIndexMap } from '../../../src-core/index/index-map.ts';
import { writeIndexTable } from '../../../src-core/index/index-table-writer.ts';
import type { FileFacts, OpenFile, OpenMode } from '../../../src-core/storage/file-system.ts';
import { CountingFileSystem } from '../../support/counting-file-system.ts';
import { MemoryFileSystem, storageError } from '../../support/memory-file-system.ts';
import { guidName, sortedEntries } from './index-fixture.ts';

const directory = '/index';
const MAP = `${directory}/indexmap`;
const ALWAYS_THERE = guidName(100);

let memory: MemoryFileSystem;
beforeEach(() => {
  memory = new MemoryFileSystem();
  memory.makeDirectory(directory);
  writeTable(ALWAYS_THERE);
});

function writeTable(name: string): void {
  const rows: [string, number, number][] = [['97be6233ad91dacb', 0, 1000]];
  writeIndexTable({ fileSystem: memory, directory, name }, sortedEntries(rows));
}

/** As a server saves it. */
function writeMap(...names: string[]): void {
  const tables = names.map((file, position) => ({ level: 0, position, file }));
  const checkpoints = { prepareCheckpoint: 1000, commitCheckpoint: 1000 };
  const map = { version: 2, ...checkpoints, maxAutoMergeLevel: 5, tables };
  writeIndexMap(memory, directory, map, guidName(99));
}

/** Tells of each look at a file, which may change something before it is seen. */
class Moving extends CountingFileSystem {
  /** undefined: the file is there, or is not, as it is. */
  onLook: (path: string) => 'missing' | undefined = () => undefined;

  override describe(path: string): FileFacts | undefined {
    return this.onLook(path) === 'missing' ? undefined : super.describe(path);
  }
  override open(path: string, mode: OpenMode): OpenFile {
    if (this.onLook(path) === 'missing') throw storageError('ENOENT', path);
    return super.open(path, mode);
  }
}

function open(moving: Moving): IndexDirectory {
  return IndexDirectory.open({ fileSystem: moving, directory, logEnd: 1e9 });
}

const namesOf = ({ tables }: IndexDirectory): string[] => tables.map(({ name }) => name);

test('is read again where its map was not there for the moment between unlink and rename', () => {
  writeMap(ALWAYS_THERE);
  const moving = new Moving(memory);
  let looks = 0;
  moving.onLook = (path) => (path === MAP && ++looks <= 2 ? 'missing' : undefined);
  const index = open(moving);
  expect(namesOf(index)).toEqual([ALWAYS_THERE]);
  expect(index.checkpoints).toEqual({ prepareCheckpoint: 1000, commitCheckpoint: 1000 });
});

test('has no tables and no problem where its map stays away, and is not looked for again and again', () => {
  const moving = new Moving(memory);
  let looks = 0;
  moving.onLook = (path) => {
    if (path === MAP) looks++;
    return undefined;
  };
  const index = open(moving);
  expect(index).toMatchObject({ map: undefined, tables: [], problems: [], isUsable: true });
  expect(looks).toBeLessThan(6);
});

test('is taken as it was where another map came meanwhile and its tables are still there', () => {
  writeTable(guidName(1));
  writeMap(guidName(1), ALWAYS_THERE);
  const moving = new Moving(memory);
  moving.onLook = (path) => {
    if (path.endsWith(guidName(1))) writeMap(ALWAYS_THERE);
    return undefined;
  };
  const index = open(moving);
  expect(namesOf(index)).toEqual([ALWAYS_THERE, guidName(1)]);
  expect(index.problems).toEqual([]);
});

test('that loses a table each time is given up after the fifth, with nothing left open', () => {
  writeMap(ALWAYS_THERE, guidName(1));
  const moving = new Moving(memory);
  let gone = 0;
  moving.onLook = (path) => {
    if (path.endsWith(guidName(gone + 1))) writeMap(ALWAYS_THERE, guidName(++gone + 1));
    return undefined;
  };
  const index = open(moving);
  expect(gone).toBe(5);
  expect(index.problems).toMatchObject([{ severity: 'damage', code: 'tableMissing', file: guidName(5) }]);
  expect(index.isUsable).toBe(false);
  expect(namesOf(index)).toEqual([ALWAYS_THERE]);
  index.close();
  expect(moving.openFiles).toBe(0);
});

test('that names a table which is not there, and stays so, is read once', () => {
  writeMap(ALWAYS_THERE, guidName(1));
  const moving = new Moving(memory);
  let looks = 0;
  moving.onLook = (path) => {
    if (path.endsWith(guidName(1))) looks++;
    return undefined;
  };
  const index = open(moving);
  expect(looks).toBe(1);
  expect(index.problems).toMatchObject([{ code: 'tableMissing', file: guidName(1) }]);
});

test('leaves nothing open where the disk refuses the second look at its map', () => {
  writeMap(ALWAYS_THERE, guidName(1));
  const moving = new Moving(memory);
  let isTableMissed = false;
  moving.onLook = (path) => {
    if (path === MAP && isTableMissed) throw storageError('EIO', path);
    if (path.endsWith(guidName(1))) isTableMissed = true;
    return undefined;
  };
  expect(() => open(moving)).toThrow(/EIO/);
  expect(moving.openFiles).toBe(0);
});
