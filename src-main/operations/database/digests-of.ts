/**
 * The digests of a database: kept in WINNOW_HOME, in a directory for each data directory, and in memory between the
 * questions of a window. Without a home they are kept in memory only.
 */
import { createHash, randomUUID } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { ChunkDigests, NodeFileSystem, type FileSystem } from '../../../src-core/index.ts';
import { startDigestWorkers } from '../../threads/start-digest-workers.ts';
import type { OperationContext } from '../operation.ts';

export interface DigestPlace {
  dataDirectory: string;
  winnowHome?: string | undefined;
  /** Threads that read chunks. */
  threads?: number | undefined;
}

const USUAL_THREADS = 4;
/** Of databases whose digests stay in memory. */
const KEPT_DATABASES = 2;

const kept = new WeakMap<FileSystem, Map<string, ChunkDigests>>();

export function digestsOf(
  { dataDirectory, winnowHome, threads }: DigestPlace,
  { fileSystem }: Pick<OperationContext, 'fileSystem'>
): ChunkDigests {
  const data = path.resolve(dataDirectory);
  const directory =
    winnowHome === undefined ? undefined : path.join(path.resolve(winnowHome), 'digests', nameOf(data));
  const known = kept.get(fileSystem) ?? new Map<string, ChunkDigests>();
  kept.set(fileSystem, known);
  const key = `${data}\n${directory ?? ''}\n${threads ?? ''}`;
  const digests =
    known.get(key) ??
    new ChunkDigests({
      fileSystem,
      directory,
      newGuid: () => randomUUID(),
      threads: Math.min(threads ?? USUAL_THREADS, os.availableParallelism()),
      // Threads read the files of the machine, whatever this one reads.
      ...(fileSystem instanceof NodeFileSystem ? { startWorkers: startDigestWorkers } : {})
    });
  known.delete(key);
  known.set(key, digests);
  for (const oldest of known.keys()) {
    if (known.size <= KEPT_DATABASES) break;
    known.delete(oldest);
  }
  return digests;
}

/** A data directory as the name of a directory. */
export function nameOf(dataDirectory: string): string {
  return createHash('sha256').update(dataDirectory).digest('hex').slice(0, 32);
}
