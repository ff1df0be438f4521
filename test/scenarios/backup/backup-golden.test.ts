/**
 * Backups of every golden database: restored by hand they hold what the source holds, record by record and entry by
 * entry, up to the chaser. And a differential one over a scavenge with merges, by the real server.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { LocalBackupTarget } from '../../../src-core/backup/local-target.ts';
import { runBackup } from '../../../src-core/backup/run-backup.ts';
import { verifyBackup } from '../../../src-core/backup/verify-backup.ts';
import type { BackupEnvironment, BackupRequest } from '../../../src-core/backup/backup-request.ts';
import type { Manifest } from '../../../src-core/backup/manifest.ts';
import { NodeFileSystem } from '../../../src-core/storage/node-file-system.ts';
import { nodeLinks } from '../../../src-main/threads/node-links.ts';
import { contentOf, filesOf, positionOf } from '../../support/database-content.ts';
import { goldenFolders, goldenNames, removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { control, testBackups } from '../../core/backup/backup-environment.ts';
import { restoreByHand } from './restore-by-hand.ts';

const fileSystem = new NodeFileSystem();
const directories: string[] = [];

afterEach(() => {
  removeUnpacked();
  for (const directory of directories.splice(0)) fs.rmSync(directory, { recursive: true, force: true });
});

function temporaryDirectory(): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-backup-'));
  directories.push(directory);
  return directory;
}

const notStarted = { name: 'restored', folder: 'restored-0' };
const databases = goldenNames()
  .filter((name) => !/^(damaged|truncate-(?!middle|chunk|inside)|old-ptables|scavdb|http|locks)/.test(name))
  .flatMap((name) => goldenFolders(name).map((folder) => ({ name, folder })))
  .filter(({ name, folder }) => name !== notStarted.name || folder !== notStarted.folder);

interface Setting {
  request: BackupRequest;
  environment: BackupEnvironment;
  target: LocalBackupTarget;
  directory: string;
}

function settingFor(dataDirectory: string, mode: BackupRequest['mode']): Setting {
  const directory = temporaryDirectory();
  const { request, environment, target } = testBackups(fileSystem, {
    dataDirectory,
    mode,
    directory,
    links: nodeLinks
  });
  return { request, environment, target, directory };
}

async function requireWhole(manifest: Manifest, target: LocalBackupTarget): Promise<void> {
  const { findings } = await verifyBackup({ manifest, target, control: control() });
  expect(findings.filter(({ severity }) => severity === 'damage')).toEqual([]);
}

/** What a restored copy must hold: everything below the chaser, and the tables of the index. */
async function expectRestores(manifest: Manifest, directory: string, dataDirectory: string): Promise<void> {
  const restored = path.join(temporaryDirectory(), 'data');
  restoreByHand(path.join(directory, manifest.id), restored);
  const [source, copy] = [await contentOf(dataDirectory), await contentOf(restored)];
  const isBelow = (line: string): boolean => positionOf(line) < manifest.checkpoints.chaser;
  expect(copy.records.filter(isBelow)).toEqual(source.records.filter(isBelow));
  expect(copy.tables).toEqual(source.tables);
  expect(copy.chunks.map((chunk) => chunk.split(' ')[0])).toEqual(
    source.chunks.map((chunk) => chunk.split(' ')[0])
  );
}

describe('a full and a differential backup', () => {
  test.each(databases)(
    'of $name/$folder, restored by hand, hold what the source holds',
    async ({ name, folder }) => {
      const dataDirectory = unpackDatabase({ name, folder });
      const before = filesOf(dataDirectory);
      const { request, environment, target, directory } = settingFor(dataDirectory, 'full');
      for (const mode of ['full', 'differential'] as const) {
        const manifest = await runBackup({ ...request, mode }, environment);
        await requireWhole(manifest, target);
        await expectRestores(manifest, directory, dataDirectory);
      }
      expect(filesOf(dataDirectory)).toEqual(before);
    }
  );

  test('of a restored copy are refused before its first start, which cuts its log', async () => {
    const dataDirectory = unpackDatabase(notStarted);
    const { request, environment, target } = settingFor(dataDirectory, 'full');
    await expect(runBackup(request, environment)).rejects.toThrow(/truncate\.chk/);
    expect(await target.folders()).toEqual([]);
  });
});

/** As a server leaves it: other chunks and tables, and the same checkpoint files with other content. */
function becomeInPlace(dataDirectory: string, later: string): void {
  const isCheckpoint = (name: string): boolean => name.endsWith('.chk');
  for (const name of fs.readdirSync(dataDirectory)) {
    if (!isCheckpoint(name)) fs.rmSync(path.join(dataDirectory, name), { recursive: true });
  }
  for (const name of fs.readdirSync(later)) {
    const [from, to] = [path.join(later, name), path.join(dataDirectory, name)];
    if (isCheckpoint(name)) fs.writeFileSync(to, fs.readFileSync(from));
    else fs.cpSync(from, to, { recursive: true });
  }
}

describe('a differential backup', () => {
  test.each([
    { name: 'rules', after: 'after-t0' },
    { name: 'current-a', after: 'after' },
    { name: 'current-a', after: 'after-nomerge' },
    { name: 'tables', after: 'after-scavenge' },
    { name: 'tables', after: 'after-mergeindexes' }
  ])(
    'after the scavenge of $name to $after has its chunks and tables, and the first is unchanged',
    async (story) => {
      const dataDirectory = unpackDatabase({ name: story.name, folder: 'before' });
      const { request, environment, target, directory } = settingFor(dataDirectory, 'auto');
      const first = await runBackup(request, environment);
      const firstFiles = filesOf(path.join(directory, first.id));

      const later = unpackDatabase({ name: story.name, folder: story.after });
      becomeInPlace(dataDirectory, later);
      const second = await runBackup(request, environment);

      expect(second.mode).toBe('differential');
      await requireWhole(second, target);
      await expectRestores(second, directory, dataDirectory);
      const names = (manifest: Manifest): string[] =>
        manifest.files.flatMap((file) => (file.chunk ? [file.name] : [])).sort();
      expect(names(second)).toEqual(
        fs
          .readdirSync(dataDirectory)
          .filter((file) => file.startsWith('chunk-'))
          .sort()
      );
      const shared = second.files.filter(({ since }) => since === first.id);
      for (const { object, name, area } of shared) {
        const [a, b] = [`${first.id}/${area}/${name}`, object].map((file) =>
          fs.statSync(path.join(directory, file))
        );
        expect(a!.ino).toBe(b!.ino);
      }
      expect(filesOf(path.join(directory, first.id))).toEqual(firstFiles);
      await requireWhole(first, target);
      expect(
        fs.readdirSync(path.join(directory, second.id, 'data')).filter((file) => file.endsWith('.old'))
      ).toEqual([]);
    }
  );
});
