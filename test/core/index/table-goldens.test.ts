import { createHash } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { EntryBlock } from '../../../src-core/index/index-entry.ts';
import { filterNameOf, IndexTableReader } from '../../../src-core/index/index-table-reader.ts';
import { IndexTableWriter, writeIndexTable } from '../../../src-core/index/index-table-writer.ts';
import { filterTable } from '../../../src-core/index/filter-table.ts';
import { hashText } from '../../../src-core/index/stream-hash.ts';
import { eventNumberToBigInt } from '../../../src-core/units/event-number.ts';
import {
  fileBytes,
  fileSystem,
  fixtureJson,
  fixtureText,
  guidName,
  scratchDirectory,
  sortedEntries,
  unpackFixture
} from './index-fixture.ts';

interface ExpectedTable {
  file: string;
  count: number;
  version: number;
  entriesSha256: string;
}

function open(directory: string, name: string): IndexTableReader {
  return IndexTableReader.open({ fileSystem, directory, name });
}

function entriesDigest(table: IndexTableReader): string {
  const block = new EntryBlock(1000);
  const sum = createHash('sha256');
  for (let at = 0; at < table.count; at += block.count) {
    table.readEntries(at, block);
    const bytes = Buffer.alloc(block.count * 24);
    for (let i = 0; i < block.count; i++) {
      bytes.writeUInt32LE(block.hashLow[i]!, i * 24);
      bytes.writeUInt32LE(block.hashHigh[i]!, i * 24 + 4);
      bytes.writeBigInt64LE(eventNumberToBigInt(block.number[i]!), i * 24 + 8);
      bytes.writeBigInt64LE(BigInt(block.position[i]!), i * 24 + 16);
    }
    sum.update(bytes);
  }
  return sum.digest('hex');
}

const tableNames = (directory: string) =>
  readdirSync(directory).filter((name) => /^[0-9a-f-]{36}$/.test(name));

describe('tables written by the server', () => {
  test('hold the entries the server says they hold', () => {
    const directory = unpackFixture('tables');
    const expected = (fixtureJson('tables/expected.json') as { ptables: ExpectedTable[] }).ptables;
    expect(expected.length).toBe(4);
    for (const { file, count, version, entriesSha256 } of expected) {
      const table = open(directory, file);
      expect({ count: table.count, version: table.version }).toEqual({ count, version });
      expect(entriesDigest(table)).toBe(entriesSha256);
      table.close();
    }
  });

  test.each(['tables', 'current-a'])('are reproduced byte for byte from their entries (%s)', (folder) => {
    const directory = unpackFixture(folder);
    for (const name of tableNames(directory)) {
      const table = open(directory, name);
      // A scavenge sizes the filter from the count before it, which only the length of the old filter tells.
      const oldFilter = fileBytes(directory, filterNameOf(name));
      const copy = guidName(1);
      const target = scratchDirectory();
      const written = writeIndexTable({ fileSystem, directory: target, name: copy }, table);
      expect(fileBytes(target, copy)).toEqual(fileBytes(directory, name));
      expect(fileBytes(target, filterNameOf(copy))).toEqual(oldFilter);
      expect(written).toEqual({
        name: copy,
        entryCount: table.count,
        sizeBytes: table.sizeBytes,
        filterSizeBytes: oldFilter.length
      });
      table.close();
    }
  });

  test.each([1, 2, 3, 4] as const)('of version %i hold what the engine reads from them', (version) => {
    const directory = unpackFixture('old-ptables');
    const table = open(directory, `ptable-v${version}`);
    const rows = fixtureText('old-ptables/entries.tsv')
      .trim()
      .split('\n')
      .map((line) => line.split('\t'))
      .filter((row) => row[0] === `v${version}`);
    const block = new EntryBlock(700);
    expect(table.version).toBe(version);
    expect(table.readEntries(0, block)).toBe(700);
    const found = Array.from({ length: 700 }, (_, i) => [
      hashText(block.hashHigh[i]!, block.hashLow[i]!),
      eventNumberToBigInt(block.number[i]!).toString(),
      block.position[i]!.toString()
    ]);
    expect(found).toEqual(rows.map((row) => row.slice(2)));
    table.close();
  });

  test.each([2, 3, 4] as const)('of version %i are reproduced byte for byte', (version) => {
    const directory = unpackFixture('old-ptables');
    const table = open(directory, `ptable-v${version}`);
    const copy = guidName(version);
    writeIndexTable({ fileSystem, directory, name: copy, version }, table);
    expect(fileBytes(directory, copy)).toEqual(fileBytes(directory, `ptable-v${version}`));
    expect(fileBytes(directory, filterNameOf(copy))).toEqual(
      fileBytes(directory, `ptable-v${version}.bloomfilter`)
    );
    table.close();
  });

  test('find every entry again by its key', () => {
    const directory = unpackFixture('tables');
    for (const name of tableNames(directory)) {
      const table = open(directory, name);
      const block = new EntryBlock(table.count);
      table.readEntries(0, block);
      for (let i = 0; i < block.count; i += 3) {
        const [high, low, number] = [block.hashHigh[i]!, block.hashLow[i]!, block.number[i]!];
        expect(table.mayContain(high, low)).toBe(true);
        expect(table.firstAtOrBelow(high, low, number)).toBe(i);
        expect(table.firstBelow(high, low, number)).toBe(i + 1);
      }
      table.close();
    }
  });
});

describe('the worked example', () => {
  const rows: [string, number, number][] = [
    ['ec5aaa180973159e', 2 ** 63, 1800],
    ['ec5aaa180973159e', 0, 1600],
    ['97be6233ad91dacb', 1, 1200],
    ['97be6233ad91dacb', 0, 1000],
    ['26c83096d3b4bf35', 0, 1400]
  ];

  test('is written with the checksum the server would write', () => {
    const directory = scratchDirectory();
    const written = writeIndexTable({ fileSystem, directory, name: guidName(1) }, sortedEntries(rows));
    const bytes = fileBytes(directory, guidName(1));
    expect(written.sizeBytes).toBe(512);
    expect(Buffer.from(bytes.subarray(496)).toString('hex')).toBe('e5283cb0141f28f13c0335a4e9b0360a');
    expect(
      createHash('md5')
        .update(fileBytes(directory, filterNameOf(guidName(1))))
        .digest('hex')
    ).toBe('afe80c729534dc88599049e62aa7f5e2');
  });

  test('is read-only on disk, like the tables of a running server', () => {
    const directory = scratchDirectory();
    writeIndexTable({ fileSystem, directory, name: guidName(1) }, sortedEntries(rows));
    expect(fileSystem.describe(fileSystem.join(directory, guidName(1)))!.mode).toBe(0o444);
  });

  test('leaves nothing behind when its writing is given up', () => {
    const directory = scratchDirectory();
    const writer = IndexTableWriter.create({
      fileSystem,
      directory,
      name: guidName(1),
      expectedEntryCount: 5
    });
    writer.append(1, 2, 3, 4);
    writer.abort();
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe('filtering and merging', () => {
  test('keeps order, drops what the predicate refuses, and sizes the filter from the old count', async () => {
    const directory = unpackFixture('tables');
    const name = tableNames(directory).at(-1)!;
    const table = open(directory, name);
    const before = new EntryBlock(table.count);
    table.readEntries(0, before);
    const newName = guidName(9);
    const keep = (_high: number, _low: number, number: number) => number % 3 !== 0;
    const filter = { fileSystem, directory, table, keep, newName };
    const planned = await filterTable({ ...filter, isDryRun: true });
    const result = await filterTable(filter);
    const kept = before.number.filter((number) => number % 3 !== 0);
    expect(result.kept).toBe(kept.length);
    expect(result.dropped).toBe(table.count - kept.length);
    expect(planned).toEqual({ ...result, written: undefined });
    const copy = open(directory, newName);
    const after = new EntryBlock(copy.count);
    copy.readEntries(0, after);
    expect(Array.from(after.number)).toEqual(Array.from(kept));
    expect(result.bytesAfter).toBe(copy.sizeBytes);
    expect(copy.filter.filter!.logicalSizeBytes).toBe(table.filter.filter!.logicalSizeBytes);
    table.close();
    copy.close();
  });

  test('leaves the old table alone when nothing is dropped', async () => {
    const directory = unpackFixture('tables');
    const before = readdirSync(directory).sort();
    const table = open(directory, tableNames(directory)[0]!);
    const result = await filterTable({
      fileSystem,
      directory,
      table,
      keep: () => true,
      newName: guidName(9)
    });
    expect(result).toEqual({
      kept: table.count,
      dropped: 0,
      bytesBefore: table.sizeBytes,
      bytesAfter: table.sizeBytes,
      written: undefined
    });
    expect(readdirSync(directory).sort()).toEqual(before);
    table.close();
  });

  test('leaves an empty table of 272 bytes when everything is dropped', async () => {
    const directory = unpackFixture('old-ptables');
    const table = open(directory, 'ptable-v4');
    const result = await filterTable({
      fileSystem,
      directory,
      table,
      keep: () => false,
      newName: guidName(9)
    });
    expect(result.bytesAfter).toBe(272);
    const empty = open(directory, guidName(9));
    expect(empty.count).toBe(0);
    expect(empty.firstAtOrBelow(1, 1, 1)).toBe(0);
    table.close();
    empty.close();
  });

  test('keeps the version of an old table unless another is asked for', async () => {
    const directory = unpackFixture('old-ptables');
    const table = open(directory, 'ptable-v2');
    const keep = (_high: number, _low: number, number: number) => number !== 2147483647;
    await filterTable({ fileSystem, directory, table, keep, newName: guidName(2) });
    await filterTable({ fileSystem, directory, table, keep: () => true, newName: guidName(4), version: 4 });
    const same = open(directory, guidName(2));
    const raised = open(directory, guidName(4));
    expect([same.version, raised.version]).toEqual([2, 4]);
    expect(entriesDigest(raised)).toBe(entriesDigest(table));
    for (const each of [table, same, raised]) each.close();
  });

  test('removes its copy when it is ended in the middle', async () => {
    const directory = unpackFixture('old-ptables');
    const before = readdirSync(directory).sort();
    const table = open(directory, 'ptable-v4');
    let breaths = 0;
    // The first breath is taken while the checksum is verified, the second in the middle of the copy.
    const breathe = () => (++breaths < 2 ? Promise.resolve() : Promise.reject(new Error('stopped')));
    const filter = filterTable({
      fileSystem,
      directory,
      table,
      keep: () => false,
      newName: guidName(9),
      breathe
    });
    await expect(filter).rejects.toThrow('stopped');
    expect(readdirSync(directory).sort()).toEqual(before);
    table.close();
  });

  test('refuses to copy a table that is out of order', async () => {
    const directory = scratchDirectory();
    const writer = IndexTableWriter.create({
      fileSystem,
      directory,
      name: guidName(1),
      expectedEntryCount: 2
    });
    writer.append(1, 0, 0, 10);
    writer.append(2, 0, 0, 20);
    writer.complete();
    const table = open(directory, guidName(1));
    const filter = filterTable({ fileSystem, directory, table, keep: () => true, newName: guidName(2) });
    await expect(filter).rejects.toMatchObject({ code: 'IndexCorrupt', details: { offset: 152 } });
    table.close();
  });

  test('refuses to copy a table whose checksum is wrong', async () => {
    const directory = unpackFixture('old-ptables');
    const bytes = fileBytes(directory, 'ptable-v4');
    bytes[128 + 24 * 600 + 16] = bytes[128 + 24 * 600 + 16]! ^ 1;
    writeFileSync(path.join(directory, guidName(1)), bytes);
    const table = open(directory, guidName(1));
    const filter = filterTable({ fileSystem, directory, table, keep: () => false, newName: guidName(2) });
    await expect(filter).rejects.toMatchObject({ code: 'IndexCorrupt', details: { file: guidName(1) } });
    expect(readdirSync(directory)).not.toContain(guidName(2));
    table.close();
  });
});
