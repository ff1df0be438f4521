/**
 * Small stories for tests of restores, in memory: a backup (a directory with a manifest, or a plain copy), a target
 * that holds another database, and what both hold as plain values.
 */
import { createHash } from 'node:crypto';
import { LocalBackupTarget } from '../../src-core/backup/local-target.ts';
import type { Manifest, ManifestFile } from '../../src-core/backup/manifest.ts';
import { OperationControl, uncontrolled } from '../../src-core/database/operation-control.ts';
import { openDatabase } from '../../src-core/database/database.ts';
import { readEpochs } from '../../src-core/database/epochs.ts';
import { OperationStopped } from '../../src-core/errors.ts';
import { readCheckpoints, writeCheckpointFile } from '../../src-core/log/checkpoint-file.ts';
import { plainCopySource } from '../../src-core/restore/plain-copy-source.ts';
import { planRestore, type RestorePlan } from '../../src-core/restore/restore-plan.ts';
import { backupSource, type RestoreSource } from '../../src-core/restore/restore-source.ts';
import {
  runRestore,
  type RestoreEnvironment,
  type RestoreOutcome
} from '../../src-core/restore/run-restore.ts';
import { writeSampleDatabase } from '../../src-core/sample/write-sample-database.ts';
import { readWholeFile, type FileSystem } from '../../src-core/storage/file-system.ts';
import { ticksFromIso } from '../../src-core/units/ticks.ts';

export const BACKUP_ID = '20260101T000000Z-abcd';
export const SAMPLE_NOW = ticksFromIso('2026-01-01T00:00:00Z')!;

/** Every file below a directory by its path in it, with its hash; directories by their path and a slash. */
export function treeOf(fileSystem: FileSystem, directory: string): Record<string, string> {
  const tree: Record<string, string> = {};
  const walk = (path: string, prefix: string): void => {
    for (const { name, isDirectory } of fileSystem.list(path) ?? []) {
      const child = fileSystem.join(path, name);
      if (isDirectory) {
        tree[`${prefix}${name}/`] = 'directory';
        walk(child, `${prefix}${name}/`);
      } else {
        tree[prefix + name] = createHash('sha256')
          .update(readWholeFile(fileSystem, child)!)
          .digest('hex')
          .slice(0, 16);
      }
    }
  };
  walk(directory, '');
  return Object.fromEntries(Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function writeText(fileSystem: FileSystem, path: string, text: string): void {
  fileSystem.makeDirectory(fileSystem.join(path, '..'));
  const bytes = new TextEncoder().encode(text);
  const file = fileSystem.open(path, 'createNew');
  file.write(bytes, 0, bytes.length, 0);
  file.close();
}

/** A sample log of a few chunks; with `chaserBehind` chaser.chk is set back by about that many bytes. */
export async function writeSmallDatabase(
  fileSystem: FileSystem,
  dataDirectory: string,
  {
    seed = 1,
    sizeBytes = 60_000,
    chaserBehind = 0
  }: { seed?: number; sizeBytes?: number; chaserBehind?: number } = {}
): Promise<void> {
  await writeSampleDatabase({
    fileSystem,
    dataDirectory,
    sizeBytes,
    chunkSizeBytes: 16384,
    seed,
    now: SAMPLE_NOW,
    control: uncontrolled()
  });
  if (chaserBehind === 0) return;
  const database = openDatabase({ fileSystem, dataDirectory });
  const { log } = database;
  let position = 0;
  for (const cursor = log.cursor(0, log.end - chaserBehind); cursor.next();)
    position = cursor.record.position;
  writeCheckpointFile(fileSystem, fileSystem.join(dataDirectory, 'chaser.chk'), position);
  database.close();
}

/** The old content of a target: no log that anybody could read, but all that a server leaves about. */
export function writeOldDatabase(
  fileSystem: FileSystem,
  dataDirectory: string,
  { truncate = -1 }: { truncate?: number } = {}
): void {
  fileSystem.makeDirectory(dataDirectory);
  for (const name of [
    'chunk-000000.000000',
    'chunk-000001.000003',
    'kurrent.ddb',
    'kurrent.ddb.wal',
    'tag.old'
  ]) {
    writeText(fileSystem, fileSystem.join(dataDirectory, name), `old ${name}`);
  }
  for (const [name, value] of Object.entries({ writer: 100, chaser: 100, epoch: 0, proposal: 7, truncate })) {
    writeCheckpointFile(fileSystem, fileSystem.join(dataDirectory, `${name}.chk`), value);
  }
  const index = fileSystem.join(dataDirectory, 'index');
  for (const name of [
    'indexmap',
    '0b1b7a2e-0000-4000-8000-000000000001',
    'scavenging/scavenging.db',
    'stream-existence/streamExistenceFilter.dat'
  ]) {
    writeText(fileSystem, fileSystem.join(index, ...name.split('/')), `old ${name}`);
  }
}

/** Lays a database out as a backup of a local target, with its manifest, and gives the source. */
export function backupOf(fileSystem: FileSystem, dataDirectory: string, target: string): RestoreSource {
  const manifest = writeBackup(fileSystem, dataDirectory, target);
  return sourceOf(fileSystem, target, manifest);
}

export function sourceOf(fileSystem: FileSystem, target: string, manifest: Manifest): RestoreSource {
  return backupSource({
    target: new LocalBackupTarget({ fileSystem, directory: target }),
    manifest,
    targetName: target
  });
}

export function writeBackup(fileSystem: FileSystem, dataDirectory: string, target: string): Manifest {
  const database = openDatabase({ fileSystem, dataDirectory });
  const isEncrypted = database.problems.some(({ code }) => code === 'encrypted');
  const epochs = isEncrypted ? [] : readEpochs(database.log, database.checkpoints.epoch);
  const { chunkSizeBytes } = database.chunkSet;
  database.close();
  const files: ManifestFile[] = [];
  for (const [path, digest] of Object.entries(treeOf(fileSystem, dataDirectory))) {
    if (digest === 'directory') continue;
    const area = path.startsWith('index/') ? 'index' : 'data';
    const name = area === 'index' ? path.slice('index/'.length) : path;
    const object = `${BACKUP_ID}/${area}/${name}`;
    const bytes = readWholeFile(fileSystem, fileSystem.join(dataDirectory, ...path.split('/')))!;
    const to = fileSystem.join(target, ...object.split('/'));
    fileSystem.makeDirectory(fileSystem.join(to, '..'));
    const file = fileSystem.open(to, 'createNew');
    file.write(bytes, 0, bytes.length, 0);
    file.close();
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    files.push({
      area,
      name,
      bytes: bytes.length,
      sha256,
      object,
      encodings: [],
      storedBytes: bytes.length,
      storedSha256: sha256,
      chunk: null,
      tableMd5: null,
      since: BACKUP_ID
    });
  }
  const { writer, chaser, epoch, proposal, truncate } = readCheckpoints(fileSystem, dataDirectory);
  return {
    id: BACKUP_ID,
    mode: 'full',
    basedOn: null,
    generation: null,
    toolVersion: '0.0.0',
    startedAt: '2026-01-01T00:00:00.0000000Z',
    endedAt: '2026-01-01T00:00:01.0000000Z',
    node: {
      address: null,
      dataDirectory,
      indexDirectory: fileSystem.join(dataDirectory, 'index'),
      serverVersion: null,
      role: null,
      cluster: null,
      wasInUse: false
    },
    databaseTag: null,
    checkpoints: { writer: writer!, chaser: chaser!, epoch, proposal, truncate, index: null, filter: null },
    epochs: epochs.slice(0, 10).map(({ number, position, id }) => ({ number, position, id })),
    chunkSize: chunkSizeBytes,
    indexMap: null,
    files,
    bytesCopied: 0,
    notes: []
  };
}

export function plainSource(fileSystem: FileSystem, directory: string): RestoreSource {
  return plainCopySource(fileSystem, directory);
}

export function restoreEnvironment(
  fileSystem: FileSystem,
  change: Partial<RestoreEnvironment> = {}
): RestoreEnvironment {
  return { fileSystem, control: uncontrolled(), now: () => SAMPLE_NOW, assumeStopped: false, ...change };
}

export interface RestoreStory {
  fileSystem: FileSystem;
  source: RestoreSource;
  dataDirectory: string;
  indexDirectory?: string;
  appliesTruncation?: boolean;
}

export function restorePlanOf(story: RestoreStory): RestorePlan {
  const { fileSystem, source, dataDirectory, appliesTruncation = false } = story;
  return planRestore(fileSystem, {
    source,
    dataDirectory,
    indexDirectory: story.indexDirectory ?? fileSystem.join(dataDirectory, 'index'),
    appliesTruncation,
    stamp: '20260101T000000Z'
  });
}

export async function restore(
  story: RestoreStory,
  change: Partial<RestoreEnvironment> = {}
): Promise<RestoreOutcome> {
  return runRestore(restorePlanOf(story), story.source, restoreEnvironment(story.fileSystem, change));
}

/** A restore that was stopped while it copied: the target is as it was but for the marker. */
export async function stoppedRestore(
  story: RestoreStory,
  { afterReports = 1 }: { afterReports?: number } = {}
): Promise<void> {
  const abort = new AbortController();
  let nowMs = 0;
  let reports = 0;
  const control = new OperationControl({
    signal: abort.signal,
    elapsedMs: () => (nowMs += 1000), // so that every report is told
    yieldTurn: () => Promise.resolve(),
    onProgress: () => {
      if (++reports === afterReports) abort.abort();
    }
  });
  const stopped: unknown = await restore(story, { control }).catch((thrown: unknown) => thrown);
  if (!(stopped instanceof OperationStopped)) throw new Error('The restore was not stopped.');
}
