/**
 * The digests of a database: kept in WINNOW_HOME, in a directory for each data directory, and in memory between the
 * questions of a window. Without a home they are kept in memory only.
 */
import { createHash, randomUUID } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import {
  ChunkDigests,
  NodeFileSystem,
  type Chunk,
  type Database,
  type FileSystem
} from '../../../src-core/index.ts';
import { startDigestWorkers } from '../../threads/start-digest-workers.ts';
import type { OperationContext } from '../operation.ts';
import { evictDigests, markUsed, MOST_DIGEST_BYTES } from './evict-digests.ts';

export interface DigestPlace {
  dataDirectory: string;
  winnowHome?: string | undefined;
  /** Threads that read chunks. */
  threads?: number | undefined;
}

const USUAL_THREADS = 4;
/** Of databases whose digests stay in memory. */
const KEPT_DATABASES = 2;

/** Time after a question in which its digests stay in memory: the next one of a person who looks around comes soon. */
const RELEASED_AFTER_MS = 30_000;

interface Kept {
  digests: ChunkDigests;
  timer: NodeJS.Timeout | undefined;
}

const kept = new WeakMap<FileSystem, Map<string, Kept>>();

export function digestsOf(
  { dataDirectory, winnowHome, threads }: DigestPlace,
  { fileSystem }: Pick<OperationContext, 'fileSystem'>
): ChunkDigests {
  const data = path.resolve(dataDirectory);
  const directory =
    winnowHome === undefined ? undefined : path.join(path.resolve(winnowHome), 'digests', nameOf(data));
  const known = kept.get(fileSystem) ?? new Map<string, Kept>();
  kept.set(fileSystem, known);
  const key = `${data}\n${directory ?? ''}`;
  const one = known.get(key) ?? { digests: newDigests(fileSystem, directory), timer: undefined };
  one.digests.threads = Math.min(threads ?? USUAL_THREADS, os.availableParallelism());
  if (directory !== undefined) markUsed(directory);
  clearTimeout(one.timer);
  one.timer = setTimeout(() => one.digests.release(), RELEASED_AFTER_MS).unref();
  known.delete(key);
  known.set(key, one);
  for (const [oldest, { timer }] of known) {
    if (known.size <= KEPT_DATABASES) break;
    clearTimeout(timer);
    known.delete(oldest);
  }
  return one.digests;
}

/**
 * For a question about a scavenge: its threads are those that the scavenge would have, one unless more are asked for. Reading is
 * what every other question does, with as many threads.
 */
export function digestsOfPlan(
  request: DigestPlace & { threads: number },
  context: Pick<OperationContext, 'fileSystem'>
): ChunkDigests {
  const { threads, ...place } = request;
  return digestsOf(threads > 1 ? request : place, context);
}

/** The digests of a database, if no chunk would have to be read for them: for questions that need little of the log. */
export function knownDigestsOf(
  database: Database,
  winnowHome: string | undefined,
  context: Pick<OperationContext, 'fileSystem'>
): ChunkDigests | undefined {
  if (winnowHome === undefined) return undefined;
  const digests = digestsOf({ dataDirectory: database.dataDirectory, winnowHome }, context);
  return digests.knowsCompleted(database.log.chunks) ? digests : undefined;
}

/** The same, if at least half of these completed chunks are known: for who reads the others. */
export function digestsOfHalf(
  { dataDirectory, winnowHome }: { dataDirectory: string; winnowHome: string | undefined },
  chunks: readonly Chunk[],
  context: Pick<OperationContext, 'fileSystem'>
): ChunkDigests | undefined {
  if (winnowHome === undefined) return undefined;
  const digests = digestsOf({ dataDirectory, winnowHome }, context);
  if (digests.isEmpty) return undefined; // a log may have ten thousand chunks to ask about
  const completed = chunks.filter(({ isLasting }) => isLasting);
  let unknown = 0;
  for (const chunk of completed) {
    if (!digests.isKnown(chunk) && ++unknown > completed.length / 2) return undefined;
  }
  return digests;
}

function newDigests(fileSystem: FileSystem, directory: string | undefined): ChunkDigests {
  return new ChunkDigests({
    fileSystem,
    directory,
    newGuid: () => randomUUID(),
    clock: () => Date.now(),
    threads: 1,
    onStored: () => {
      if (directory === undefined) return;
      evictDigests(path.dirname(directory), { inUse: directory, mostBytes: MOST_DIGEST_BYTES });
    },
    // Threads read the files of the machine, whatever this one reads.
    ...(fileSystem instanceof NodeFileSystem ? { startWorkers: startDigestWorkers } : {})
  });
}

/** A data directory as the name of a directory. */
export function nameOf(dataDirectory: string): string {
  return createHash('sha256').update(dataDirectory).digest('hex').slice(0, 32);
}
