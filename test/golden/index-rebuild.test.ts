/**
 * The index rebuilt from golden logs against the server's: entry for entry what the server itself rebuilt, and, where
 * no scavenge has taken entries away, what the server had indexed while it ran.
 */
import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src-core/database/database.ts';
import { uncontrolled } from '../../src-core/database/operation-control.ts';
import { rebuildIndex } from '../../src-core/repair/rebuild-index.ts';
import { NodeFileSystem } from '../../src-core/storage/node-file-system.ts';
import { verifyDatabase } from '../../src-core/verify/verify-database.ts';
import { entriesOf, filesOf, positionOf, withDatabase } from '../support/database-content.ts';
import {
  goldenFolders,
  goldenNames,
  removeUnpacked,
  unpackDamaged,
  unpackDatabase
} from '../support/golden.ts';

const fileSystem = new NodeFileSystem();
afterEach(removeUnpacked);

const rebuild = (dataDirectory: string) =>
  rebuildIndex({ fileSystem, dataDirectory, control: uncontrolled(), newGuid: randomUUID });

/** All entries in the tables of an index, newest first by position. */
function tableEntries(dataDirectory: string) {
  return withDatabase(dataDirectory, (_database, index) => ({
    checkpoints: index.directory.checkpoints,
    entries: index.tables.flatMap(entriesOf).sort(),
    recent: entriesOf(index.recent).sort(),
    isScavenged: _database.log.chunks.some(({ isScavenged }) => isScavenged),
    version: index.tables.at(-1)?.version ?? 4
  }));
}

async function findingsOf(dataDirectory: string) {
  const database = openDatabase({ fileSystem, dataDirectory });
  try {
    return (await verifyDatabase({ database, quick: false, control: uncontrolled() })).findings;
  } finally {
    database.close();
  }
}

const lastPosition = (entry: string): number => Number(entry.slice(entry.lastIndexOf(' ') + 1));

describe('an index rebuilt from a golden log', () => {
  it.each(['after-rebuild', 'after-rebuild-2'])(
    'has the entries that the server gave it in tables/%s',
    async (folder) => {
      const dataDirectory = unpackDatabase({ name: 'tables', folder });
      const server = await tableEntries(dataDirectory);
      await rebuild(dataDirectory);
      const ours = await tableEntries(dataDirectory);
      const reach = server.checkpoints.commitCheckpoint;
      expect(ours.entries.filter((entry) => lastPosition(entry) <= reach)).toEqual(server.entries);
      expect(ours.entries).toEqual([...server.entries, ...server.recent].sort());
      expect(ours.recent).toEqual([]);
    }
  );

  const folders = goldenNames()
    .filter((name) => !/^(damaged|truncate|scavdb)/.test(name))
    .flatMap((name) => goldenFolders(name).map((folder) => ({ name, folder })));

  it.each(folders)('$name/$folder says what the server indexed, and verifies', async ({ name, folder }) => {
    const dataDirectory = unpackDatabase({ name, folder });
    const before = await tableEntries(dataDirectory);
    const isLogOnly = (file: string) => !file.startsWith('index/') || file.startsWith('index/scavenging/');
    const others = filesOf(dataDirectory, isLogOnly);
    const { entries, actions } = await rebuild(dataDirectory);
    const after = await tableEntries(dataDirectory);
    expect(after.entries.length).toBe(entries);
    expect(actions.every(({ done }) => done)).toBe(true);
    // Tables of 32-bit times number a deletion 2^31-1; rebuilt it has today's number, as in the server.
    const isComparable = !before.isScavenged && before.version > 2;
    if (isComparable)
      expect([...after.entries, ...after.recent].sort()).toEqual(
        [...before.entries, ...before.recent].sort()
      );
    expect((await findingsOf(dataDirectory)).filter(({ severity }) => severity === 'damage')).toEqual([]);
    expect(filesOf(dataDirectory, isLogOnly)).toEqual(others);
    expect(readdirSync(join(dataDirectory, 'index')).filter((file) => file.endsWith('.tmp'))).toEqual([]);
  });
});

describe('a damaged index', () => {
  it.each([
    'damaged-e-ptable-entry-byte-skipindexverify',
    'damaged-e-ptable-header-byte',
    'damaged-e-ptable-version-byte',
    'damaged-e-bloomfilter-byte',
    'damaged-f-indexmap-missing',
    'damaged-f-ptable-missing',
    'damaged-f-extra-unknown-file-in-index',
    'damaged-l-index-dir-missing'
  ])('%s is whole again after a rebuild', async (name) => {
    const dataDirectory = unpackDamaged(name);
    await rebuild(dataDirectory);
    // The server makes the filter of existing streams again.
    expect((await findingsOf(dataDirectory)).map(({ code }) => code)).toEqual(['existenceFilterMissing']);
  });

  it('without its directory gets one', async () => {
    const dataDirectory = unpackDatabase({ name: 'tables', folder: 'before' });
    rmSync(join(dataDirectory, 'index'), { recursive: true });
    const { entries } = await rebuild(dataDirectory);
    const { records } = await withDatabase(dataDirectory, ({ log }) => {
      const positions: string[] = [];
      for (const cursor = log.cursor(); cursor.next();) positions.push(`${cursor.record.position} `);
      return { records: positions.map(positionOf) };
    });
    expect(entries).toBeGreaterThan(0.9 * records.length);
  });
});

describe('a rebuild', () => {
  it.each([
    ['damaged-h-writer-chk-missing', 'LogCorrupt', /writer.chk is missing/],
    ['damaged-c-missing-middle-chunk', 'LogCorrupt', /missing/],
    ['damaged-i-header-magic', 'LogCorrupt', /header/],
    ['damaged-a-record-length-prefix', 'LogCorrupt', /damaged at offset/]
  ])('of %s is refused, and nothing changes', async (name, code, message) => {
    const dataDirectory = unpackDamaged(name);
    const before = filesOf(dataDirectory);
    await expect(rebuild(dataDirectory)).rejects.toMatchObject({ code, message });
    expect(filesOf(dataDirectory)).toEqual(before);
  });
});
