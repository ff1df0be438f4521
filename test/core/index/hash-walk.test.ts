import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { HashWalk } from '../../../src-core/index/hash-walk.ts';
import { EntryBlock, type SortedEntries } from '../../../src-core/index/index-entry.ts';
import { IndexTableReader } from '../../../src-core/index/index-table-reader.ts';
import { writeIndexTable } from '../../../src-core/index/index-table-writer.ts';
import { RecentEntriesBuilder, type RecentEntries } from '../../../src-core/index/recent-entries.ts';
import {
  entriesOfBlock,
  fileBytes,
  fileSystem,
  guidName,
  scratchDirectory,
  seededRandom
} from './index-fixture.ts';

type Hash = [high: number, low: number];

/** Entries of `streams` hashes with gaps between them, up to `most` of each. */
function randomEntries(random: () => number, streams: number, most: number, from: number): RecentEntries {
  const builder = new RecentEntriesBuilder();
  for (let i = 0; i < streams; i++) {
    const high = Math.floor(random() * 60) * 0x4000000;
    const low = Math.floor(random() * 3);
    // Few streams hold most of the entries.
    const count = random() < 0.02 ? most * 40 : Math.ceil(random() * most);
    for (let number = 0; number < count; number++) builder.add(high, low, number, from + number * 10 + i);
  }
  return builder.build();
}

function tableOf(entries: SortedEntries, directory: string, name: string): IndexTableReader {
  writeIndexTable({ fileSystem, directory, name }, entries);
  const table = IndexTableReader.open({ fileSystem, directory, name });
  onTestFinished(() => table.close());
  return table;
}

/** All that a walk says of a hash. */
function told(walk: HashWalk, [high, low]: Hash, beforePosition: number, fromNumber: number) {
  walk.start({ high, low }, beforePosition, fromNumber);
  const entries: [number, number][] = [];
  while (walk.next()) entries.push([walk.number, walk.position]);
  return { last: walk.last, entries };
}

function blockOf(entries: SortedEntries): EntryBlock {
  const block = new EntryBlock(entries.count);
  entries.readEntries(0, block);
  return block;
}

describe('the entries of one hash after the other', () => {
  test.each([1, 2, 3, 4, 5, 6])('are the same in whatever order hashes are asked for (seed %i)', (seed) => {
    const random = seededRandom(seed);
    const directory = scratchDirectory();
    const old = randomEntries(random, 300, 12, 0);
    const recent = randomEntries(random, 200, 3, 1000);
    const tables = [old, randomEntries(random, 40, 2, 500), randomEntries(random, 0, 1, 0)];
    const opened = tables.map((entries, i) => tableOf(entries, directory, guidName(i + 1)));
    const sources: SortedEntries[] = [recent, ...opened];
    const plain = [recent, ...tables].map((entries) => entriesOfBlock(blockOf(entries)));

    const hashes: Hash[] = [];
    for (let high = 0; high <= 60; high++) {
      for (let low = 0; low < 4; low++) if (random() < 0.6) hashes.push([high * 0x4000000, low]);
    }
    const rising = hashes.map((hash, i): [Hash, number] => [hash, i]);
    const signed = [...rising].sort(([[a]], [[b]]) => (a | 0) - (b | 0));
    const shuffled = [...rising].sort(([[a], i], [[b], j]) => ((a ^ i) % 7) - ((b ^ j) % 7));
    const repeated = rising.flatMap((one) => [one, one]);
    for (const order of [rising, signed, [...rising].reverse(), shuffled, repeated]) {
      const walk = new HashWalk(() => sources);
      for (const [hash, i] of order) {
        const before = i % 3 === 0 ? 1100 : Infinity;
        const from = i % 5 === 0 ? 2 : 0;
        expect(told(walk, hash, before, from)).toEqual(told(new HashWalk(() => plain), hash, before, from));
      }
    }
  });

  test('are those of the sources that there are now', () => {
    const sourceOf = (number: number) => {
      const builder = new RecentEntriesBuilder();
      for (let high = 1; high < 9; high++) builder.add(high, 0, number, high);
      return builder.build();
    };
    let sources: SortedEntries[] = [sourceOf(5)];
    const walk = new HashWalk(() => sources);
    expect(told(walk, [3, 0], Infinity, 0)).toEqual({ last: 5, entries: [[5, 3]] });
    sources = [sourceOf(7), ...sources];
    expect(told(walk, [4, 0], Infinity, 0)).toEqual({
      last: 7,
      entries: [
        [5, 4],
        [7, 4]
      ]
    });
  });

  test('in a table whose entries contradict its order are refused', () => {
    const builder = new RecentEntriesBuilder();
    for (let high = 0; high < 400; high++) builder.add(high * 2, 0, 0, high);
    const directory = scratchDirectory();
    const name = guidName(1);
    writeIndexTable({ fileSystem, directory, name }, builder.build());
    const bytes = Buffer.from(fileBytes(directory, name));
    const at = 399 - 200;
    // Behind the number of the entry lies its hash, the upper half last.
    const upperHalf = 128 + at * 24 + 12;
    expect(bytes.readUInt32LE(upperHalf)).toBe(400);
    bytes.writeUInt32LE(2, upperHalf);
    rmSync(path.join(directory, name));
    writeFileSync(path.join(directory, name), bytes);
    const table = IndexTableReader.open({ fileSystem, directory, name });
    onTestFinished(() => table.close());
    const sources = [table];
    const walk = new HashWalk(() => sources);
    expect(() => {
      for (let high = 380; high < 420; high++) walk.start({ high, low: 0 }, Infinity);
    }).toThrow(
      expect.objectContaining({
        code: 'IndexCorrupt',
        message: `Entry ${at} of index table ${name} (offset ${128 + at * 24}) contradicts the order of the table.`
      })
    );
  });
});
