/**
 * A new generation of a backup stored, read back, and the old one removed, cut at every call of the file system and
 * with every call failing: what is shown is always whole, one of the two generations is always there, and the same
 * request ends what was begun.
 */
import { describe, expect } from 'vitest';
import { readCatalogue } from '../../src-core/backup/catalogue.ts';
import type { FileLinks } from '../../src-core/backup/copy-file.ts';
import { LocalBackupTarget } from '../../src-core/backup/local-target.ts';
import { runBackup } from '../../src-core/backup/run-backup.ts';
import {
  removeOldGeneration,
  storeRewritten,
  unfinishedRewrite
} from '../../src-core/backup/store-rewritten.ts';
import { verifyBackup } from '../../src-core/backup/verify-backup.ts';
import { openDatabase } from '../../src-core/database/database.ts';
import { runRedaction } from '../../src-core/redaction/run-redaction.ts';
import { readWholeFile, type FileSystem } from '../../src-core/storage/file-system.ts';
import { control, DATA, TARGET, testBackups, writeDatabase } from '../core/backup/backup-environment.ts';
import { guidsFrom } from '../support/crash-database.ts';
import { linksByCopy } from '../support/links-by-copy.ts';
import { MemoryFileSystem } from '../support/memory-file-system.ts';
import { testAllFaults } from './all-faults.ts';

const SCRATCH = '/scratch/db';

/** A backup, a differential one on top of it, and the first one's database with an event redacted. */
async function prepared(links: FileLinksOf): Promise<{ fileSystem: MemoryFileSystem; id: string }> {
  const fileSystem = new MemoryFileSystem();
  await writeDatabase(fileSystem, { sizeBytes: 100 * 1024 });
  fileSystem.makeDirectory(TARGET);
  const { request, environment } = testBackups(fileSystem, optionalLinks(links, fileSystem));
  const { id } = await runBackup(request, environment);
  await runBackup({ ...request, mode: 'differential' }, environment);
  copyTree(fileSystem, DATA, SCRATCH);
  await runRedaction({
    place: { fileSystem, dataDirectory: SCRATCH },
    question: { eventIds: [anEvent(fileSystem)], events: [] },
    assumeStopped: false,
    newGuid: guidsFrom(3),
    control: control()
  });
  return { fileSystem, id };
}

type FileLinksOf = ((fileSystem: FileSystem) => FileLinks) | undefined;

function optionalLinks(links: FileLinksOf, fileSystem: FileSystem): { links?: FileLinks } {
  return links ? { links: links(fileSystem) } : {};
}

function anEvent(fileSystem: FileSystem): string {
  const database = openDatabase({ fileSystem, dataDirectory: SCRATCH });
  const cursor = database.log.cursor();
  while (cursor.next()) {
    const { record } = cursor;
    const isOrdinary =
      record.kind === 'prepare' && !record.stream.startsWith('$') && record.eventType !== '$>';
    if (!isOrdinary || record.dataLength === 0) continue;
    const { eventId } = record;
    cursor.close();
    database.close();
    return eventId;
  }
  throw new Error('an event');
}

function copyTree(fileSystem: FileSystem, from: string, to: string): void {
  fileSystem.makeDirectory(to);
  for (const { name, isDirectory } of fileSystem.list(from) ?? []) {
    if (isDirectory) {
      copyTree(fileSystem, `${from}/${name}`, `${to}/${name}`);
      continue;
    }
    const bytes = readWholeFile(fileSystem, `${from}/${name}`)!;
    const file = fileSystem.open(`${to}/${name}`, 'createNew');
    file.write(bytes, 0, bytes.length, 0);
    file.close();
  }
}

/** As the operation does it, once the database has been gathered and changed. */
async function erase(fileSystem: FileSystem, id: string, run: number, links: FileLinksOf): Promise<void> {
  const { environment, target } = testBackups(fileSystem, {
    ...optionalLinks(links, fileSystem),
    environment: { newGuid: guidsFrom(100 + run) }
  });
  const unlock = await target.lock();
  try {
    const catalogue = await readCatalogue(target);
    const begun = await unfinishedRewrite(target, catalogue, { of: id, question: 'q' });
    const of = catalogue.backups.find((backup) => backup.id === id);
    if (!of) return;
    const stored =
      catalogue.backups.find(({ rewrite }) => rewrite?.of === id) ??
      (await storeRewritten(
        {
          of,
          place: { fileSystem, dataDirectory: SCRATCH, indexDirectory: `${SCRATCH}/index` },
          work: { work: 'redaction', question: 'q', scavengePoint: null },
          asOf: '2026-01-01T00:00:00Z',
          begun,
          threads: 1,
          // Every file is noted, so that each cut leaves something to continue with.
          bytesBetweenNotes: 1
        },
        environment
      ));
    const { findings } = await verifyBackup({ manifest: stored, target, control: control() });
    expect(findings.filter(({ severity }) => severity === 'damage')).toEqual([]);
    await removeOldGeneration(target, id);
  } finally {
    await unlock();
  }
}

interface Shown {
  rewrites: string | null;
  mode: string;
  files: string[];
}

/** Throws unless all that is shown is whole. */
async function shown(fileSystem: FileSystem): Promise<Shown[]> {
  const target = new LocalBackupTarget({ fileSystem, directory: TARGET });
  const { backups, damaged } = await readCatalogue(target);
  expect(damaged).toEqual([]);
  for (const manifest of backups) {
    const { findings } = await verifyBackup({ manifest, target, control: control() });
    expect(findings.filter(({ severity }) => severity === 'damage')).toEqual([]);
  }
  return backups.map(({ rewrite, mode, files }) => ({
    rewrites: rewrite?.of ?? null,
    mode,
    files: files.map(({ area, name, sha256 }) => `${area}/${name} ${sha256}`).sort()
  }));
}

async function requireOneGeneration(fileSystem: FileSystem, id: string): Promise<void> {
  const target = new LocalBackupTarget({ fileSystem, directory: TARGET });
  await shown(fileSystem);
  const { backups } = await readCatalogue(target);
  expect(backups.some((backup) => backup.id === id || backup.rewrite?.of === id)).toBe(true);
  expect(backups.length).toBeGreaterThanOrEqual(2);
}

describe.each([
  { how: 'naming the earlier objects', links: undefined, leastCalls: 86, cutEvery: 1 },
  { how: 'with names of its own', links: linksByCopy, leastCalls: 147, cutEvery: 3 }
])('another generation of a backup, $how, is whole or not shown:', ({ how, links, leastCalls, cutEvery }) => {
  testAllFaults({
    name: `another generation of a backup, ${how}`,
    operation: 'erasure in backups',
    leastCalls,
    cutEvery,
    refuseEvery: 9,
    readEvery: 150,
    againEvery: 40,
    subject: () => {
      let id = '';
      let run = 0;
      return {
        prepare: async () => {
          const made = await prepared(links);
          ({ id } = made);
          return made.fileSystem;
        },
        act: (fileSystem: FileSystem) => erase(fileSystem, id, run++, links),
        contentOf: shown,
        look: (fileSystem: FileSystem) => requireOneGeneration(fileSystem, id)
      };
    }
  });
});
