/** What binds a proof to a file: another one as soon as the file is another one, and none of a file that is gone. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../../src-core/database/database.ts';
import { IndexTableReader } from '../../../src-core/index/index-table-reader.ts';
import { readIndexMap } from '../../../src-core/index/index-map.ts';
import { provableChunks, provableTable } from '../../../src-core/proof/provable-file.ts';
import { readingOn } from '../../../src-core/verify/follow-replaced-chunks.ts';
import { writeCrashDatabase } from '../../support/crash-database.ts';
import { storageError, type MemoryFileSystem } from '../../support/memory-file-system.ts';

const DATA = '/db';
let fileSystem: MemoryFileSystem;
let database: Database;
beforeEach(async () => {
  fileSystem = await writeCrashDatabase({ dataDirectory: DATA, rounds: 2 });
  database = openDatabase({ fileSystem, dataDirectory: DATA });
});
afterEach(() => database.close());

/** Writes the same bytes again, later. */
function touch(path: string): void {
  fileSystem.changeMode(path, 0o644);
  const file = fileSystem.open(path, 'readWrite');
  const byte = new Uint8Array(1);
  file.read(byte, 0, 1, 0);
  file.write(byte, 0, 1, 0);
  file.close();
}

test('a chunk that was written to, or is gone, is another one; the others stay the same', () => {
  const before = provableChunks(database);
  expect(before.map(({ kind }) => kind)).toEqual([...before.slice(1).map(() => 'chunk'), 'growing']);
  expect(new Set(before.map(({ identity }) => identity)).size).toBe(before.length);
  touch(`${DATA}/${before[0]!.name}`);
  fileSystem.remove(`${DATA}/${before[1]!.name}`);
  touch(`${DATA}/${before.at(-1)!.name}`);
  const changed = provableChunks(database).map(({ identity }, i) => identity !== before[i]!.identity);
  expect(changed).toEqual(before.map((_, i) => i < 2 || i === before.length - 1));
});

test('a table that was written to, or is gone, is another one', () => {
  const directory = `${DATA}/index`;
  const [name] = readIndexMap(fileSystem, directory)!.tables.map(({ file }) => file);
  const table = IndexTableReader.open({ fileSystem, directory, name: name! });
  const first = provableTable(fileSystem, table);
  expect(provableTable(fileSystem, table)).toEqual(first);
  touch(`${directory}/${name!}`);
  const second = provableTable(fileSystem, table);
  fileSystem.remove(`${directory}/${name!}`);
  const third = provableTable(fileSystem, table);
  table.close();
  expect(new Set([first, second, third].map(({ identity }) => identity)).size).toBe(3);
  expect(first).toMatchObject({ kind: 'table', name });
});

test('what fails for another reason than a file that was replaced is not read again', async () => {
  let reads = 0;
  const failing = (error: Error) => () => {
    reads++;
    return Promise.reject(error);
  };
  const broken = storageError('EIO', 'chunk-000000.000000');
  await expect(readingOn(database, failing(broken))).rejects.toBe(broken);
  expect(reads).toBe(1);
  const gone = storageError('ENOENT', 'chunk-000000.000000');
  await expect(readingOn(database, failing(gone))).rejects.toBe(gone);
  expect(reads).toBe(6);
  let isGone = true;
  const answer = await readingOn(database, () => {
    if (!isGone) return Promise.resolve('read');
    isGone = false;
    return Promise.reject(gone);
  });
  expect(answer).toBe('read');
});
