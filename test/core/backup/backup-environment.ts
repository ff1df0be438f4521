/** What tests of backups have in common: a small database, a target, an environment, and hard links in memory. */
import path from 'node:path';
import { LocalBackupTarget } from '../../../src-core/backup/local-target.ts';
import type { BackupEnvironment, BackupRequest } from '../../../src-core/backup/backup-request.ts';
import type { FileLinks } from '../../../src-core/backup/copy-file.ts';
import { OperationControl } from '../../../src-core/database/operation-control.ts';
import { writeSampleDatabase } from '../../../src-core/sample/write-sample-database.ts';
import type { FileSystem } from '../../../src-core/storage/file-system.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';
import type { MemoryFileSystem } from '../../support/memory-file-system.ts';

export const DATA = '/node/data';
export const TARGET = '/backups';
const SECOND = 10_000_000n;

/** Hard links of a file system in memory; a clone is what it has none of. */
export function memoryLinks(memory: MemoryFileSystem): FileLinks {
  return {
    link(from, to) {
      const node = memory.find(from);
      const parent = memory.find(path.posix.dirname(to));
      if (node?.kind !== 'file' || parent?.kind !== 'directory') return false;
      parent.entries.set(path.posix.basename(to), node);
      return true;
    },
    clone: () => false
  };
}

export function control(signal?: AbortSignal): OperationControl {
  return new OperationControl({
    signal,
    elapsedMs: () => 0,
    yieldTurn: () => Promise.resolve()
  });
}

export interface TestBackups {
  request: BackupRequest;
  environment: BackupEnvironment;
  target: LocalBackupTarget;
}

/** Ids and times follow from a counter: the same test gives the same names. */
export function testBackups(
  fileSystem: FileSystem,
  change: Partial<BackupRequest> & {
    environment?: Partial<BackupEnvironment>;
    links?: FileLinks;
    directory?: string;
  } = {}
): TestBackups {
  const { environment, links, directory = TARGET, ...request } = change;
  const target = new LocalBackupTarget({ fileSystem, directory, links });
  let count = 0;
  return {
    request: {
      dataDirectory: DATA,
      indexDirectory: `${request.dataDirectory ?? DATA}/index`,
      mode: 'full',
      threads: 1,
      bytesPerSecond: 0,
      isMoved: false,
      ...request
    },
    environment: {
      fileSystem,
      target,
      operation: control(),
      now: () => ticksFromIso('2026-01-31T05:00:00Z')! + BigInt(count++) * SECOND,
      newGuid: () => count.toString(16).padStart(4, '0'),
      toolVersion: '1.0.0',
      wait: () => Promise.resolve(),
      mapLimitMs: 200,
      ...environment
    },
    target
  };
}

/** A database of a few small chunks, with an index. */
export async function writeDatabase(
  fileSystem: FileSystem,
  options: { seed?: number; directory?: string; sizeBytes?: number } = {}
): Promise<void> {
  await writeSampleDatabase({
    fileSystem,
    dataDirectory: options.directory ?? DATA,
    sizeBytes: options.sizeBytes ?? 256 * 1024,
    chunkSizeBytes: 64 * 1024,
    seed: options.seed ?? 1,
    now: ticksFromIso('2026-01-30T00:00:00Z')!,
    control: control()
  });
}
