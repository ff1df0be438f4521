/** What is no file where the filter of a table, or that of existing streams, belongs: nothing fails and nothing waits. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { existenceState } from '../../../src-core/index/catch-up/catch-up-existence.ts';
import { filterTable } from '../../../src-core/index/filter-table.ts';
import { readFilterFile, readFilterSize } from '../../../src-core/index/filter-file.ts';
import { IndexDirectory } from '../../../src-core/index/index-directory.ts';
import { writeIndexMap } from '../../../src-core/index/index-map.ts';
import { filterNameOf, IndexTableReader } from '../../../src-core/index/index-table-reader.ts';
import { writeIndexTable } from '../../../src-core/index/index-table-writer.ts';
import { verifyExistence } from '../../../src-core/index/verify-existence.ts';
import { IRREGULAR_KINDS, putIrregular } from '../../support/irregular-file.ts';
import { MemoryFileSystem, storageError } from '../../support/memory-file-system.ts';
import { fileSystem, guidName, scratchDirectory, sortedEntries } from './index-fixture.ts';

const ROWS: [string, number, number][] = [
  ['97be6233ad91dacb', 1, 1200],
  ['97be6233ad91dacb', 0, 1000]
];
const TABLE = guidName(1);
const EXISTENCE = 'stream-existence/streamExistenceFilter.dat';

function smallTable(): string {
  const directory = scratchDirectory();
  writeIndexTable({ fileSystem, directory, name: TABLE }, sortedEntries(ROWS));
  return directory;
}

describe.runIf(process.platform === 'linux').each(IRREGULAR_KINDS)('%s', (kind) => {
  test('in the place of a filter of a table: the whole table is searched', async () => {
    const directory = smallTable();
    const found = await putIrregular(path.join(directory, filterNameOf(TABLE)), kind);
    const table = IndexTableReader.open({ fileSystem, directory, name: TABLE });
    onTestFinished(() => table.close());
    expect(table.filter).toMatchObject({
      problem: `it is ${found}, not a regular file`,
      isIrregular: true,
      damagedLineCount: 0
    });
    expect(table.mayContain(1, 2)).toBe(true);
  });

  test('in the place of the filter of existing streams: it is made again', async () => {
    const directory = scratchDirectory();
    const file = path.join(directory, EXISTENCE);
    const why = `it is ${await putIrregular(file, kind)}, not a regular file`;
    expect(readFilterSize(fileSystem, file)).toBe(why);
    expect(existenceState({ fileSystem, directory }, undefined)).toMatchObject({ state: 'unusable', why });
    expect(await verifyExistence({ fileSystem, directory, sources: [] })).toMatchObject([
      { severity: 'hint', code: 'filterInvalid', file: EXISTENCE }
    ]);
  });
});

test('a directory in the place of a filter stays when its table is replaced, and gives its rights to no file', async () => {
  const directory = smallTable();
  await putIrregular(path.join(directory, filterNameOf(TABLE)), 'a directory');
  const tables = [{ level: 0, position: 0, file: TABLE }];
  writeIndexMap(
    fileSystem,
    directory,
    { version: 2, prepareCheckpoint: 1200, commitCheckpoint: 1200, maxAutoMergeLevel: 2147483647, tables },
    guidName(9)
  );
  const index = IndexDirectory.open({ fileSystem, directory, logEnd: 1e9 });
  onTestFinished(() => index.close());
  const table = index.tables[0]!;
  const newName = guidName(2);
  const keep = (_high: number, _low: number, number: number): boolean => number === 1;
  await filterTable({ fileSystem, directory, table, keep, newName });
  expect(index.switchIn(table, newName, guidName(8)).count).toBe(1);
  expect(statSync(path.join(directory, filterNameOf(TABLE))).isDirectory()).toBe(true);
  expect(statSync(path.join(directory, filterNameOf(newName))).mode & 0o111).toBe(0);
});

test('no file at all is neither a filter nor a problem', () => {
  const file = path.join(scratchDirectory(), 'nothing');
  expect([readFilterFile(fileSystem, file), readFilterSize(fileSystem, file)]).toEqual([
    undefined,
    undefined
  ]);
});

test.each([
  ['is none where it is removed before it is opened', 'ENOENT', undefined],
  ['is what the system says where it may not be opened', 'EACCES', 'EACCES']
])('the filter of a table %s', (_, osCode, expected) => {
  const memory = new MemoryFileSystem();
  memory.makeDirectory('/index');
  writeIndexTable({ fileSystem: memory, directory: '/index', name: TABLE }, sortedEntries(ROWS));
  const open = memory.open.bind(memory);
  memory.open = (file, mode) => {
    if (file.endsWith('.bloomfilter')) throw storageError(osCode, file);
    return open(file, mode);
  };
  const read = () => readFilterFile(memory, `/index/${filterNameOf(TABLE)}`);
  if (expected === undefined) expect(read()).toBeUndefined();
  else expect(read).toThrow(expected);
});
