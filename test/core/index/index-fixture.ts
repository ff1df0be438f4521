/** What the tests of the index share: fixture files, scratch directories, small tables of our own. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import { EntryBlock, type IndexEntry, type SortedEntries } from '../../../src-core/index/index-entry.ts';
import { hashFromText } from '../../../src-core/index/stream-hash.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';

export const fileSystem = new NodeFileSystem();
const FIXTURES = path.join(import.meta.dirname, '../../fixtures/index');

export function fixtureBytes(name: string): Uint8Array {
  return new Uint8Array(gunzipSync(readFileSync(path.join(FIXTURES, `${name}.gz`))));
}

export function fixtureText(name: string): string {
  return Buffer.from(fixtureBytes(name)).toString('utf8');
}

export function fixtureJson(name: string): unknown {
  return JSON.parse(readFileSync(path.join(FIXTURES, name), 'utf8'));
}

/** A temporary directory that goes away with the test. */
export function scratchDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'winnow-index-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** All files of one fixture folder, unpacked. */
export function unpackFixture(folder: string): string {
  const directory = scratchDirectory();
  for (const name of readdirSync(path.join(FIXTURES, folder))) {
    if (!name.endsWith('.gz')) continue;
    const plain = name.slice(0, -3);
    writeFileSync(path.join(directory, plain), fixtureBytes(`${folder}/${plain}`));
  }
  return directory;
}

export function fileBytes(directory: string, name: string): Uint8Array {
  return new Uint8Array(readFileSync(path.join(directory, name)));
}

/** A made-up but valid file name for a table. */
export function guidName(n: number): string {
  return `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
}

/** Entries in table order, given as [hash text, number, position]. */
export function sortedEntries(rows: [string, number, number][]): SortedEntries & { all: EntryBlock } {
  const all = new EntryBlock(rows.length);
  rows.forEach(([hash, number, position], i) => {
    const { high, low } = hashFromText(hash);
    all.set(i, high, low, number, position);
  });
  all.count = rows.length;
  return entriesOfBlock(all);
}

/** A block as sorted entries, searched one by one: slow, and too simple to be wrong. */
export function entriesOfBlock(all: EntryBlock): SortedEntries & { all: EntryBlock } {
  const first = (high: number, low: number, number: number, limit: number): number => {
    for (let i = 0; i < all.count; i++) if (all.compareKey(i, high, low, number) <= limit) return i;
    return all.count;
  };
  return {
    name: 'test entries',
    all,
    count: all.count,
    mayContain: () => true,
    firstAtOrBelow: (high, low, number) => first(high, low, number, 0),
    firstBelow: (high, low, number) => first(high, low, number, -1),
    moveUp: () => false,
    readEntry: (index: number, into: IndexEntry) => all.get(index, into),
    readEntries: (index, block) => {
      block.count = Math.max(0, Math.min(block.capacity, all.count - index));
      for (let i = 0; i < block.count; i++) {
        const at = index + i;
        block.set(i, all.hashHigh[at]!, all.hashLow[at]!, all.number[at]!, all.position[at]!);
      }
      return block.count;
    }
  };
}

/** Small seeded generator (mulberry32), values in [0, 1). */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
