import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { BloomFilter } from '../../../src-core/index/bloom-filter.ts';
import { EntryBlock, emptyEntry } from '../../../src-core/index/index-entry.ts';
import { IndexDirectory } from '../../../src-core/index/index-directory.ts';
import {
  encodeIndexMap,
  readIndexMap,
  writeIndexMap,
  type IndexMap
} from '../../../src-core/index/index-map.ts';
import { filterNameOf, IndexTableReader } from '../../../src-core/index/index-table-reader.ts';
import { writeIndexTable } from '../../../src-core/index/index-table-writer.ts';
import { removeExistenceFilter } from '../../../src-core/index/existence-filter.ts';
import { verifyExistence } from '../../../src-core/index/verify-existence.ts';
import { verifyIndex, verifyTable } from '../../../src-core/index/verify-index.ts';
import { EngineError } from '../../../src-core/errors.ts';
import {
  fileBytes,
  fileSystem,
  guidName,
  scratchDirectory,
  sortedEntries,
  unpackFixture
} from './index-fixture.ts';

const ROWS: [string, number, number][] = [
  ['ec5aaa180973159e', 2 ** 63, 1800],
  ['ec5aaa180973159e', 0, 1600],
  ['97be6233ad91dacb', 1, 1200],
  ['97be6233ad91dacb', 0, 1000],
  ['26c83096d3b4bf35', 0, 1400]
];
const TABLE = guidName(1);

/** An index of one small table. */
function smallIndex(): { directory: string; map: IndexMap } {
  const directory = scratchDirectory();
  writeIndexTable({ fileSystem, directory, name: TABLE }, sortedEntries(ROWS));
  const tables = [{ level: 0, position: 0, file: TABLE }];
  const map = {
    version: 2,
    prepareCheckpoint: 1800,
    commitCheckpoint: 1800,
    maxAutoMergeLevel: 2147483647,
    tables
  };
  writeIndexMap(fileSystem, directory, map, guidName(9));
  return { directory, map };
}

function replace(directory: string, name: string, bytes: Uint8Array): void {
  rmSync(path.join(directory, name), { force: true });
  writeFileSync(path.join(directory, name), bytes);
}

const NO_EXISTENCE_FILTER = 'hint existenceFilterMissing stream-existence/streamExistenceFilter.dat';

async function allCodesOf(directory: string, logEnd = 1e9): Promise<string[]> {
  const index = IndexDirectory.open({ fileSystem, directory, logEnd });
  const problems = await verifyIndex(index);
  index.close();
  return problems.map((problem) => `${problem.severity} ${problem.code} ${problem.file}`);
}

/** Without the hint that there is no existence filter: the indexes of these tests have none. */
async function codesOf(directory: string, logEnd = 1e9): Promise<string[]> {
  return (await allCodesOf(directory, logEnd)).filter((code) => code !== NO_EXISTENCE_FILTER);
}

describe('verification of an index', () => {
  test.each(['tables', 'current-a'])('finds nothing in that of a real server (%s)', async (folder) => {
    expect(await codesOf(unpackFixture(folder))).toEqual([]);
  });

  test('names an existence filter that is missing, once', async () => {
    expect(await allCodesOf(smallIndex().directory)).toEqual([NO_EXISTENCE_FILTER]);
  });

  test('notices each flipped byte of a table, and reading goes on or refuses', async () => {
    const { directory } = smallIndex();
    const sound = fileBytes(directory, TABLE);
    for (let at = 0; at < sound.length; at++) {
      for (const mask of [0x01, 0x80]) {
        const bytes = sound.slice();
        bytes[at] = bytes[at]! ^ mask;
        replace(directory, TABLE, bytes);
        const codes = await codesOf(directory);
        expect(
          codes.some((code) => code.startsWith('damage table')),
          `byte ${at}`
        ).toBe(true);
        readEverything(directory);
      }
    }
  });

  test('notices each length of a table that was cut', async () => {
    const { directory } = smallIndex();
    const sound = fileBytes(directory, TABLE);
    for (let length = 0; length < sound.length; length++) {
      replace(directory, TABLE, sound.slice(0, length));
      expect(await codesOf(directory), `length ${length}`).toContain(`damage tableInvalid ${TABLE}`);
    }
  });

  test('finds a table that is missing, a filter that is missing, and one that does not fit', async () => {
    const { directory } = smallIndex();
    const filter = filterNameOf(TABLE);
    const other = BloomFilter.empty(10_000);
    other.add(0x97be6233, 0xad91dacb);
    replace(directory, filter, other.encode());
    expect(await codesOf(directory)).toEqual([`damage filterFalseNegative ${filter}`]);
    rmSync(path.join(directory, filter));
    expect(await codesOf(directory)).toEqual([`hint filterMissing ${filter}`]);
    replace(directory, filter, new Uint8Array(10));
    expect(await codesOf(directory)).toEqual([`hint filterInvalid ${filter}`]);
    rmSync(path.join(directory, TABLE));
    rmSync(path.join(directory, filter));
    expect(await codesOf(directory)).toEqual([`damage tableMissing ${TABLE}`]);
  });

  test('finds midpoints and an order that do not fit, below a right checksum', async () => {
    const directory = scratchDirectory();
    const swapped = sortedEntries([ROWS[0]!, ROWS[2]!, ROWS[1]!, ROWS[3]!, ROWS[4]!]);
    expect(() => writeIndexTable({ fileSystem, directory, name: TABLE }, swapped)).not.toThrow();
    const table = IndexTableReader.open({ fileSystem, directory, name: TABLE });
    const problems = await verifyTable(table);
    expect(problems.map((problem) => problem.code)).toEqual(['tableInvalid']);
    table.close();
  });

  test('finds files that belong to nothing, and leaves sub-directories alone', async () => {
    const { directory } = smallIndex();
    mkdirSync(path.join(directory, 'scavenging'));
    writeFileSync(path.join(directory, guidName(5)), '');
    writeFileSync(path.join(directory, `indexmap.${guidName(6)}.indexmap.tmp`), '');
    writeFileSync(path.join(directory, '.forceverify'), '');
    expect(await codesOf(directory)).toEqual([
      `hint orphanFile ${guidName(5)}`,
      `hint temporaryFile indexmap.${guidName(6)}.indexmap.tmp`
    ]);
  });

  test('finds tables without a map, and nothing in an empty directory', async () => {
    const { directory } = smallIndex();
    rmSync(path.join(directory, 'indexmap'));
    expect(await codesOf(directory)).toEqual(['damage indexMapMissing indexmap']);
    expect(await codesOf(scratchDirectory())).toEqual([]);
    expect(await codesOf(path.join(directory, 'nothing-here'))).toEqual([]);
  });

  test('finds a damaged map, and one that is ahead of the log', async () => {
    const { directory, map } = smallIndex();
    expect(await codesOf(directory, 1800)).toEqual(['damage indexAheadOfLog indexmap']);
    expect(await codesOf(directory, 1801)).toEqual([]);
    replace(directory, 'indexmap', encodeIndexMap(map).subarray(1));
    expect(await codesOf(directory)).toEqual(['damage indexMapInvalid indexmap']);
  });

  test('finds streams that the existence filter denies, up to its check point', async () => {
    const { directory } = smallIndex();
    const folder = path.join(directory, 'stream-existence');
    mkdirSync(folder);
    const existence = BloomFilter.empty(10_000);
    existence.add(0x97be6233, 0xad91dacb);
    writeFileSync(path.join(folder, 'streamExistenceFilter.dat'), existence.encode());
    const checkpoint = (position: bigint) => {
      const bytes = Buffer.alloc(8);
      bytes.writeBigInt64LE(position);
      writeFileSync(path.join(folder, 'streamExistenceFilter.chk'), bytes);
    };
    const deniedIn = async () => {
      const index = IndexDirectory.open({ fileSystem, directory, logEnd: 1e9 });
      const problems = await verifyExistence({ fileSystem, directory, sources: index.tables });
      index.close();
      return problems.map(({ severity, code, file }) => `${severity} ${code} ${file}`);
    };
    checkpoint(-1n);
    expect(await deniedIn()).toEqual([]);
    checkpoint(1300n);
    expect(await deniedIn()).toEqual([]);
    checkpoint(1500n);
    expect(await deniedIn()).toEqual([
      'damage filterFalseNegative stream-existence/streamExistenceFilter.dat'
    ]);
    removeExistenceFilter(fileSystem, directory);
    expect(readdirSync(folder)).toEqual([]);
    expect(await deniedIn()).toEqual([]);
  });

  test('finds half of an existence filter, and journals of the scavenge state', async () => {
    const { directory } = smallIndex();
    for (const name of ['stream-existence', 'scavenging']) mkdirSync(path.join(directory, name));
    writeFileSync(path.join(directory, 'stream-existence', 'streamExistenceFilter.dat'), 'x');
    for (const name of ['scavenging.db', 'scavenging.db-wal']) {
      writeFileSync(path.join(directory, 'scavenging', name), 'x');
    }
    expect(await codesOf(directory)).toEqual([
      'hint stateJournal scavenging/scavenging.db-wal',
      'hint existenceFilterIncomplete stream-existence/streamExistenceFilter.chk'
    ]);
  });
});

describe('an index directory', () => {
  test('is not usable as a whole when one table is damaged', () => {
    const directory = unpackFixture('tables');
    const names = readIndexMap(fileSystem, directory)!.tables.map((table) => table.file);
    replace(directory, names[1]!, new Uint8Array(300));
    const index = IndexDirectory.open({ fileSystem, directory, logEnd: 1e12 });
    expect(index.isUsable).toBe(false);
    expect(index.checkpoints).toEqual({ prepareCheckpoint: -1, commitCheckpoint: -1 });
    expect(index.tables.map((table) => table.name)).toEqual([names[0], names[2], names[3]]);
    index.close();
  });

  test('refuses tables of version 1, whose hashes are half', () => {
    const directory = unpackFixture('old-ptables');
    const tables = [{ level: 0, position: 0, file: 'ptable-v1' }];
    const map = { version: 1, prepareCheckpoint: 5, commitCheckpoint: 5, maxAutoMergeLevel: 0, tables };
    writeIndexMap(fileSystem, directory, map, guidName(9));
    const index = IndexDirectory.open({ fileSystem, directory, logEnd: 1e12 });
    expect(index.isUsable).toBe(false);
    expect(index.problems.map((problem) => problem.code)).toEqual(['tableInvalid']);
    index.close();
  });

  test('is read again when a table went away because a server replaced the map meanwhile', () => {
    const { directory, map } = smallIndex();
    writeIndexTable({ fileSystem, directory, name: guidName(2) }, sortedEntries(ROWS));
    let isMerged = false;
    const moving = new Proxy(fileSystem, {
      get(target, name: keyof typeof fileSystem) {
        if (name !== 'describe' || isMerged) return target[name].bind(target);
        return (file: string) => {
          // The moment between reading the map and looking for its table.
          if (!file.endsWith(TABLE)) return target.describe(file);
          isMerged = true;
          const tables = [{ level: 1, position: 0, file: guidName(2) }];
          writeIndexMap(fileSystem, directory, { ...map, tables }, guidName(8));
          rmSync(path.join(directory, TABLE));
          return target.describe(file);
        };
      }
    });
    const index = IndexDirectory.open({ fileSystem: moving, directory, logEnd: 1e9 });
    expect(index.problems).toEqual([]);
    expect(index.tables.map((table) => table.name)).toEqual([guidName(2)]);
    index.close();
  });

  test('tells of a table that went away where the map cannot be read any more meanwhile', () => {
    const { directory } = smallIndex();
    const moving = new Proxy(fileSystem, {
      get(target, name: keyof typeof fileSystem) {
        if (name !== 'describe') return target[name].bind(target);
        return (file: string) => {
          if (file.endsWith(TABLE)) {
            rmSync(path.join(directory, TABLE), { force: true });
            replace(directory, 'indexmap', Buffer.from('half of a m'));
          }
          return target.describe(file);
        };
      }
    });
    const index = IndexDirectory.open({ fileSystem: moving, directory, logEnd: 1e9 });
    expect(index.problems).toMatchObject([{ severity: 'damage', code: 'tableMissing', file: TABLE }]);
    index.close();
  });

  test('passes on an error that is no fault of its files', () => {
    const { directory } = smallIndex();
    const broken = new Proxy(fileSystem, {
      get(target, name: keyof typeof fileSystem) {
        if (name !== 'open') return target[name].bind(target);
        return () => {
          throw new TypeError('ours');
        };
      }
    });
    expect(() => IndexDirectory.open({ fileSystem: broken, directory, logEnd: 1e9 })).toThrow(TypeError);
  });

  test('removes what interrupted work left, and nothing else', () => {
    const { directory } = smallIndex();
    const kept = readdirSync(directory).sort();
    const strays = [guidName(5), filterNameOf(guidName(6)), `indexmap.${guidName(7)}.indexmap.tmp`];
    for (const name of [...strays, 'notes.txt']) writeFileSync(path.join(directory, name), 'x');
    const index = IndexDirectory.open({ fileSystem, directory, logEnd: 1e9 });
    expect(index.removeStrayFiles().sort()).toEqual(strays.sort());
    expect(readdirSync(directory).sort()).toEqual([...kept, 'notes.txt'].sort());
    index.close();
  });

  test('switches a table in: map first, then the old files go', () => {
    const { directory, map } = smallIndex();
    const index = IndexDirectory.open({ fileSystem, directory, logEnd: 1e9 });
    writeIndexTable({ fileSystem, directory, name: guidName(2) }, sortedEntries(ROWS.slice(0, 2)));
    const table = index.switchIn(index.tables[0]!, guidName(2), guidName(3));
    expect(table.count).toBe(2);
    expect(index.tables).toEqual([table]);
    const expected = { ...map, tables: [{ level: 0, position: 0, file: guidName(2) }] };
    expect(readIndexMap(fileSystem, directory)).toEqual(expected);
    expect(index.map).toEqual(expected);
    expect(readdirSync(directory).sort()).toEqual([guidName(2), filterNameOf(guidName(2)), 'indexmap']);
    expect(existsSync(path.join(directory, TABLE))).toBe(false);
    index.close();
  });
});

/** Opens, scans and searches a possibly damaged table: it may refuse, but must neither crash nor hang. */
function readEverything(directory: string): void {
  const index = IndexDirectory.open({ fileSystem, directory, logEnd: 1e9 });
  const block = new EntryBlock(3);
  for (const table of index.tables) {
    for (let at = 0; at < table.count; at += block.count) table.readEntries(at, block);
    for (const [hash, number] of ROWS) {
      const high = Number.parseInt(hash.slice(0, 8), 16);
      const low = Number.parseInt(hash.slice(8), 16);
      try {
        const at = table.firstAtOrBelow(high, low, number);
        expect(at).toBeGreaterThanOrEqual(0);
        expect(at).toBeLessThanOrEqual(table.count);
        if (at < table.count) table.readEntry(at, emptyEntry());
      } catch (error) {
        expect(error).toBeInstanceOf(EngineError);
        expect((error as EngineError).code).toBe('IndexCorrupt');
      }
    }
  }
  index.close();
}
