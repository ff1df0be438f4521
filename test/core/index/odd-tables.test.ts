/** Tables that are empty, too old, cut while they are open, or have few midpoints: what is said of them, and what is left alone. */
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mergeLevels } from '../../../src-core/index/catch-up/merge-levels.ts';
import { filterTable } from '../../../src-core/index/filter-table.ts';
import { emptyEntry } from '../../../src-core/index/index-entry.ts';
import { emptyIndexMap, readIndexMap, writeIndexMap } from '../../../src-core/index/index-map.ts';
import { filterNameOf, IndexTableReader } from '../../../src-core/index/index-table-reader.ts';
import { writeIndexTable } from '../../../src-core/index/index-table-writer.ts';
import { EntrySorter } from '../../../src-core/index/rebuild/entry-sorter.ts';
import { ownerOf, writeSortedTable } from '../../../src-core/index/rebuild/sorted-table.ts';
import { hashText } from '../../../src-core/index/stream-hash.ts';
import { verifyTable } from '../../../src-core/index/verify-index.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import {
  fileBytes,
  fileSystem,
  guidName,
  scratchDirectory,
  sortedEntries,
  unpackFixture
} from './index-fixture.ts';

const TABLE = guidName(1);
const breathe = (): Promise<void> => Promise.resolve();

function opened(directory: string, name = TABLE): IndexTableReader {
  const table = IndexTableReader.open({ fileSystem, directory, name });
  onTestFinished(() => table.close());
  return table;
}

/** `count` streams of one event each, the greatest hash first. */
function rowsOf(count: number): [string, number, number][] {
  return Array.from({ length: count }, (_, i) => [hashText(0x10000000 - i, 7), 0, 100 * i]);
}

const write = (directory: string, name: string, rows: [string, number, number][]) =>
  writeIndexTable({ fileSystem, directory, name }, sortedEntries(rows));

describe('a table without entries', () => {
  test('holds nothing, and a checksum that is wrong is only a hint, as the server checks none', async () => {
    const directory = scratchDirectory();
    write(directory, TABLE, []);
    expect(await verifyTable(opened(directory))).toEqual([]);
    expect(opened(directory).mayContain(1, 2)).toBe(false);
    const bytes = Buffer.from(fileBytes(directory, TABLE));
    bytes[bytes.length - 1]! ^= 1;
    rmSync(path.join(directory, TABLE));
    writeFileSync(path.join(directory, TABLE), bytes);
    const table = opened(directory);
    expect(await verifyTable(table)).toMatchObject([
      { severity: 'hint', code: 'tableHashMismatch', file: TABLE, offset: bytes.length - 16 }
    ]);
    const kept = await filterTable({ fileSystem, directory, table, keep: () => true, newName: guidName(2) });
    expect(kept).toMatchObject({ kept: 0, dropped: 0, written: undefined });
  });
});

describe('a table of more entries than are written at a time', () => {
  const AT_A_TIME = 16_384;

  test.each([AT_A_TIME, AT_A_TIME + 1, 2 * AT_A_TIME + 1])('holds them all, of %i entries', (count) => {
    const directory = scratchDirectory();
    const rows = rowsOf(count);
    expect(write(directory, TABLE, rows).entryCount).toBe(count);
    const table = opened(directory);
    expect(table.count).toBe(count);
    for (const at of [0, AT_A_TIME - 1, AT_A_TIME, count - 1].filter((index) => index < count)) {
      const entry = { hashHigh: 0x10000000 - at, hashLow: 7, number: 0, position: 100 * at };
      expect(table.readEntry(at, emptyEntry())).toEqual(entry);
    }
  });

  test('may begin one time with the entry that ended the last', () => {
    const rows = rowsOf(AT_A_TIME + 1);
    rows[AT_A_TIME] = rows[AT_A_TIME - 1]!;
    expect(write(scratchDirectory(), TABLE, rows).entryCount).toBe(AT_A_TIME + 1);
  });

  test.each([AT_A_TIME, 2 * AT_A_TIME])('is not left where entry %i does not follow the one before', (at) => {
    const directory = scratchDirectory();
    const rows = rowsOf(2 * AT_A_TIME + 1);
    [rows[at - 1], rows[at]] = [rows[at]!, rows[at - 1]!];
    expect(() => write(directory, TABLE, rows)).toThrow(
      expect.objectContaining({
        code: 'AssertionFailed',
        message: 'Internal check failed: entries to write are sorted.'
      })
    );
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe('a table that another program cuts while it is open', () => {
  /** In memory, where it can be cut below its reader. */
  function cutTo(length: number, version: 3 | 4 = 4): IndexTableReader {
    const memory = new MemoryFileSystem();
    const entries = sortedEntries(rowsOf(40));
    writeIndexTable({ fileSystem: memory, directory: '/', name: TABLE, version }, entries);
    const table = IndexTableReader.open({ fileSystem: memory, directory: '/', name: TABLE });
    memory.changeMode(`/${TABLE}`, 0o644);
    const file = memory.open(`/${TABLE}`, 'readWrite');
    file.truncate(length);
    file.close();
    return table;
  }
  const first: [number, number] = [0x10000000, 7];

  test('is told with the place where it ends', () => {
    const damage = { code: 'IndexCorrupt', details: { file: TABLE, offset: 128 + 100 } };
    expect(() => cutTo(128 + 100).readEntry(20, emptyEntry())).toThrow(
      expect.objectContaining({ code: 'IndexCorrupt' })
    );
    expect(() => cutTo(128 + 100).readEntry(0, emptyEntry())).toThrow(expect.objectContaining(damage));
    expect(() => cutTo(128 + 40 * 24).firstAtOrBelow(...first, 0)).toThrow(
      `Index table ${TABLE} ends within its midpoints.`
    );
    // Older tables have no midpoints of their own: entries are sampled.
    expect(() => cutTo(128 + 100, 3).firstAtOrBelow(...first, 0)).toThrow(
      `Index table ${TABLE} ends within entry `
    );
  });

  test('has another checksum, and its entries cannot be read', async () => {
    const problems = await verifyTable(cutTo(128));
    expect(problems.map(({ severity, code, file }) => `${severity} ${code} ${file}`)).toEqual([
      `damage tableHashMismatch ${TABLE}`,
      `damage tableInvalid ${TABLE}`
    ]);
  });
});

test('each entry is found where the midpoints of a table all name its first entry but one', () => {
  const directory = scratchDirectory();
  const rows = rowsOf(5000);
  write(directory, TABLE, rows);
  const bytes = Buffer.from(fileBytes(directory, TABLE));
  const midpoints = 128 + rows.length * 24;
  const count = opened(directory).midpoints.sampled.count;
  for (let k = 1; k < count - 1; k++) bytes.copyWithin(midpoints + k * 24, midpoints, midpoints + 24);
  rmSync(path.join(directory, TABLE));
  writeFileSync(path.join(directory, TABLE), bytes);
  for (let i = 1; i < rows.length; i += 97) {
    const table = opened(directory);
    expect(table.firstAtOrBelow(0x10000000 - i, 7, 0)).toBe(i);
    expect(table.firstBelow(0x10000000 - i, 7, 0)).toBe(i + 1);
    expect(table.firstAtOrBelow(0x10000000 - i, 7, 1)).toBe(i);
  }
});

describe('a table of version 1, which holds halves of hashes', () => {
  test('may hold any stream, is sound by itself, and is not copied', async () => {
    const directory = unpackFixture('old-ptables');
    const table = opened(directory, 'ptable-v1');
    expect(table.mayContain(123, 456)).toBe(true);
    expect(await verifyTable(table)).toEqual([]);
    const before = readdirSync(directory).sort();
    await expect(
      filterTable({ fileSystem, directory, table, keep: () => false, newName: guidName(2) })
    ).rejects.toMatchObject({ code: 'IndexCorrupt', details: { file: 'ptable-v1' } });
    expect(readdirSync(directory).sort()).toEqual(before);
  });

  test('is not merged: its level stays as it is', async () => {
    const directory = unpackFixture('old-ptables');
    for (const end of ['', '.bloomfilter'])
      renameSync(path.join(directory, `ptable-v1${end}`), path.join(directory, `${TABLE}${end}`));
    write(directory, guidName(2), rowsOf(3));
    const tables = [
      { level: 0, position: 1, file: guidName(2) },
      { level: 0, position: 0, file: TABLE }
    ];
    const map = { ...emptyIndexMap(), version: 1, prepareCheckpoint: 5, commitCheckpoint: 5, tables };
    writeIndexMap(fileSystem, directory, map, guidName(9));
    const kept = readIndexMap(fileSystem, directory);
    const options = { fileSystem, directory, newGuid: () => guidName(7), breathe };
    expect(await mergeLevels(options)).toEqual([]);
    expect(readIndexMap(fileSystem, directory)).toEqual(kept);
    expect(readdirSync(directory)).toEqual(expect.arrayContaining([TABLE, guidName(2)]));
    expect(readdirSync(directory)).not.toContain(guidName(7));
  });
});

describe('merging levels', () => {
  test('does nothing where there is no map, whatever lies there', async () => {
    const directory = scratchDirectory();
    write(directory, TABLE, rowsOf(2));
    const before = readdirSync(directory).sort();
    const options = { fileSystem, directory, newGuid: () => guidName(7), breathe };
    expect(await mergeLevels(options)).toEqual([]);
    expect(readdirSync(directory).sort()).toEqual(before);
  });

  test('keeps every entry in the version that is asked for, and makes a filter where the newest had none', async () => {
    const directory = scratchDirectory();
    const rows = rowsOf(6);
    write(directory, TABLE, rows.slice(0, 3));
    write(directory, guidName(2), rows.slice(3));
    rmSync(path.join(directory, filterNameOf(guidName(2))));
    const tables = [
      { level: 0, position: 1, file: guidName(2) },
      { level: 0, position: 0, file: TABLE }
    ];
    const map = { ...emptyIndexMap(), prepareCheckpoint: 500, commitCheckpoint: 500, tables };
    writeIndexMap(fileSystem, directory, map, guidName(9));
    const options = { fileSystem, directory, newGuid: () => guidName(7), version: 3 as const, breathe };
    expect(await mergeLevels(options)).toMatchObject([{ name: guidName(7), entryCount: 6 }]);
    const merged = opened(directory, guidName(7));
    expect([merged.version, merged.count, merged.hasFilterFile]).toEqual([3, 6, true]);
    expect(await verifyTable(merged)).toEqual([]);
    const positions = rows.map((_, i) => merged.readEntry(i, emptyEntry()).position);
    expect(positions).toEqual([0, 100, 200, 300, 400, 500]);
    expect(readdirSync(directory).sort()).toEqual([guidName(7), filterNameOf(guidName(7)), 'indexmap']);
  });
});

test('a copy has as many midpoints as it is asked for', async () => {
  const directory = scratchDirectory();
  write(directory, TABLE, rowsOf(100));
  const table = opened(directory);
  const filter = {
    fileSystem,
    directory,
    table,
    midpointDepth: 3,
    keep: (_h: number, low: number, _n: number, position: number) => low === 7 && position > 0
  };
  const planned = await filterTable({ ...filter, newName: guidName(2), isDryRun: true });
  const { written, bytesAfter } = await filterTable({ ...filter, newName: guidName(2) });
  expect(written).toMatchObject({ entryCount: 99, sizeBytes: bytesAfter });
  expect(planned.bytesAfter).toBe(bytesAfter);
  expect(opened(directory, guidName(2)).midpoints.sampled.count).toBe(8);
});

describe('a sorted table', () => {
  test.each([undefined, 3] as const)('has the version that is asked for: %s', async (version) => {
    const memory = new MemoryFileSystem();
    const parts = { fileSystem: memory, directory: '/', newGuid: () => TABLE, breathe };
    const sorter = new EntrySorter(parts);
    for (const position of [100, 0, 200]) sorter.add(5, 6, position / 100, position);
    const written = await writeSortedTable({ ...parts, ...(version && { version }) }, sorter, undefined);
    expect(written).toMatchObject({ name: TABLE, entryCount: 3 });
    const table = IndexTableReader.open({ fileSystem: memory, directory: '/', name: TABLE });
    expect(table.version).toBe(version ?? 4);
    expect([0, 1, 2].map((i) => table.readEntry(i, emptyEntry()).position)).toEqual([200, 100, 0]);
    table.close();
  });

  test('gets the owner of the first old table that is there, else that of the directory, read-only', () => {
    const memory = new MemoryFileSystem();
    memory.makeDirectory('/index');
    memory.changeOwner('/index', 7, 8);
    const tables = [1, 2].map((n) => ({ level: 0, position: n, file: guidName(n) }));
    const old = { ...emptyIndexMap(), tables };
    const place = { fileSystem: memory, directory: '/index' };
    expect(ownerOf(place, old)).toEqual({ mode: 0o444, uid: 7, gid: 8 });
    memory.open(`/index/${guidName(2)}`, 'createNew').close();
    memory.changeMode(`/index/${guidName(2)}`, 0o440);
    memory.changeOwner(`/index/${guidName(2)}`, 5, 6);
    expect(ownerOf(place, old)).toMatchObject({ mode: 0o440, uid: 5, gid: 6 });
    expect(ownerOf({ ...place, directory: '/none' }, undefined)).toBeUndefined();
  });
});
