/**
 * Backups and their removal cut and refused at every call that changes or flushes something: the source is never changed, the
 * catalogue never shows a backup that is not whole, and the same command ends what was begun.
 */
import { describe, expect } from 'vitest';
import { readCatalogue } from '../../../src-core/backup/catalogue.ts';
import type { FileLinks } from '../../../src-core/backup/copy-file.ts';
import { LocalBackupTarget } from '../../../src-core/backup/local-target.ts';
import type { BackupTarget } from '../../../src-core/backup/backup-target.ts';
import { runPrune } from '../../../src-core/backup/prune-backups.ts';
import { runBackup } from '../../../src-core/backup/run-backup.ts';
import { verifyBackup } from '../../../src-core/backup/verify-backup.ts';
import { openDatabase } from '../../../src-core/database/database.ts';
import { EventAppender } from '../../../src-core/database/event-appender.ts';
import { LogWriter } from '../../../src-core/log/log-writer.ts';
import { readWholeFile, type FileSystem } from '../../../src-core/storage/file-system.ts';
import type { CutSubject } from '../../support/cut-enumeration.ts';
import { linksByCopy } from '../../support/links-by-copy.ts';
import { MemoryFileSystem } from '../../support/memory-file-system.ts';
import { control, DATA, TARGET, testBackups, writeDatabase } from '../../core/backup/backup-environment.ts';
import { testAllFaults } from '../../crash/all-faults.ts';

type Files = Record<string, string>;

/** Every file below a directory, as text that tells bytes apart. */
function filesIn(fileSystem: FileSystem, directory: string, files: Files = {}): Files {
  for (const { name, isDirectory } of fileSystem.list(directory) ?? []) {
    const path = `${directory}/${name}`;
    if (isDirectory) filesIn(fileSystem, path, files);
    else files[path] = Buffer.from(readWholeFile(fileSystem, path)!).toString('latin1');
  }
  return files;
}

function targetOf(fileSystem: FileSystem): LocalBackupTarget {
  return new LocalBackupTarget({ fileSystem, directory: TARGET });
}

/** Throws unless all that is shown is whole; returns the ids. */
async function shownBackups(target: BackupTarget): Promise<string[]> {
  const { backups, damaged } = await readCatalogue(target);
  expect(damaged).toEqual([]);
  for (const manifest of backups) {
    const { findings } = await verifyBackup({ manifest, target, control: control() });
    expect(findings.filter(({ severity }) => severity === 'damage')).toEqual([]);
  }
  return backups.map(({ id }) => id);
}

function append(fileSystem: FileSystem, count: number): void {
  const { chunkSet, checkpoints } = openDatabase({ fileSystem, dataDirectory: DATA });
  let id = 0;
  const newGuid = (): string => `00000000-0000-0000-0000-${(++id).toString(16).padStart(12, '0')}`;
  const writer = LogWriter.open({ fileSystem, directory: DATA, newGuid }, chunkSet);
  const appender = new EventAppender({
    writer,
    lastEventNumber: () => -1,
    now: () => 638_000_000_000_000_000n,
    newGuid,
    lastEpochPosition: checkpoints.epoch ?? -1
  });
  for (let i = 0; i < count; i++) {
    appender.append(`added-${i}`, [{ eventType: 'added', data: Buffer.alloc(500, i) }]);
  }
  writer.flush();
  writer.close();
}

async function withFirstBackup(): Promise<MemoryFileSystem> {
  const fileSystem = new MemoryFileSystem();
  await writeDatabase(fileSystem, { sizeBytes: 100 * 1024 });
  fileSystem.makeDirectory(TARGET);
  const { request, environment } = testBackups(fileSystem);
  await runBackup(request, environment);
  append(fileSystem, 120);
  return fileSystem;
}

/** Ids that come later than those of the first backup. */
function laterTimes(fileSystem: FileSystem, links?: FileLinks) {
  const { request, environment } = testBackups(fileSystem, { mode: 'auto', ...(links ? { links } : {}) });
  let count = 0;
  return {
    request,
    environment: {
      ...environment,
      now: () => environment.now() + 36_000_000_000n,
      newGuid: () => `b${(count++).toString(16).padStart(3, '0')}`
    }
  };
}

interface BackupVariant {
  prepare: () => Promise<MemoryFileSystem>;
  links?: (fileSystem: FileSystem) => FileLinks;
  /** Backups that are shown at every moment. */
  least: number;
}

function backupSubject({ prepare, links, least }: BackupVariant): CutSubject<unknown> {
  const source: Files = {};
  return {
    prepare: async () => {
      const fileSystem = await prepare();
      Object.assign(source, filesIn(fileSystem, DATA));
      return fileSystem;
    },
    act: (fileSystem) => {
      const { request, environment } = laterTimes(fileSystem, links?.(fileSystem));
      return runBackup(request, environment);
    },
    look: async (fileSystem) => {
      expect(filesIn(fileSystem, DATA)).toEqual(source);
      expect((await shownBackups(targetOf(fileSystem))).length).toBeGreaterThanOrEqual(least);
    },
    contentOf: async (fileSystem) => {
      await shownBackups(targetOf(fileSystem));
      const newest = (await readCatalogue(targetOf(fileSystem))).backups.at(-1);
      // A run that was cut behind its manifest is followed by one more backup: of the same files.
      return newest?.files
        .map(({ area, name, bytes, sha256 }) => `${area}/${name} ${bytes} ${sha256}`)
        .sort();
    }
  };
}

async function withoutBackup(): Promise<MemoryFileSystem> {
  const fileSystem = new MemoryFileSystem();
  await writeDatabase(fileSystem, { sizeBytes: 60 * 1024 });
  fileSystem.makeDirectory(TARGET);
  return fileSystem;
}

describe('a backup changes no source, shows nothing half, and is ended by the next:', () => {
  testAllFaults({
    name: 'first backup',
    operation: 'backup',
    leastCalls: 90,
    refuseEvery: 3,
    againEvery: 12,
    subject: () => {
      const subject = backupSubject({ prepare: withoutBackup, least: 0 });
      return {
        ...subject,
        // Cut behind its manifest the first backup is there: nothing is left to do.
        resume: async (fileSystem) => {
          if ((await shownBackups(targetOf(fileSystem))).length === 0)
            await subject.act(fileSystem, () => undefined);
        }
      };
    }
  });
  testAllFaults({
    name: 'differential backup, naming the earlier objects',
    operation: 'backup',
    leastCalls: 64,
    refuseEvery: 2,
    againEvery: 12,
    subject: () => backupSubject({ prepare: withFirstBackup, least: 1 })
  });
  testAllFaults({
    name: 'differential backup, with names of its own',
    operation: 'backup',
    leastCalls: 116,
    refuseEvery: 3,
    againEvery: 20,
    subject: () => backupSubject({ prepare: withFirstBackup, links: linksByCopy, least: 1 })
  });
});

describe('a removal of backups', () => {
  const prune = {
    retention: { last: 1, daily: 0, weekly: 0, monthly: 0 },
    now: '2027-01-01T00:00:00.0000000Z',
    includeUnfinished: false
  };

  testAllFaults<{ backups: string[]; objects: string[] }>({
    name: 'prune',
    operation: 'backup prune',
    leastCalls: 17,
    againEvery: 3,
    readEvery: 10,
    subject: () => ({
      prepare: async () => {
        const fileSystem = await withFirstBackup();
        const { request, environment } = laterTimes(fileSystem);
        await runBackup(request, environment);
        return fileSystem;
      },
      act: (fileSystem) => runPrune(targetOf(fileSystem), prune, { control: control() }),
      look: async (fileSystem, { after }) => {
        const shown = await shownBackups(targetOf(fileSystem));
        expect(shown).toEqual(expect.arrayContaining(after.backups));
      },
      contentOf: async (fileSystem) => ({
        backups: await shownBackups(targetOf(fileSystem)),
        objects: (await targetOf(fileSystem).list('')).map(({ name }) => name)
      })
    })
  });
});
