/**
 * Counts a database for an operation: where the counts are kept, where temporary files are, how many threads. One
 * count of a database at a time; a second one waits and then reuses the counts. If another process counts the
 * same database, the counts of this one are not kept.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isWithoutLocks, readUsage, type FileSystem, type Usage } from '../../../src-core/index.ts';
import { startUsageWorkers } from '../../threads/start-usage-workers.ts';
import { isFileGone, requestedNow } from '../database/database-access.ts';
import type { OperationContext } from '../operation.ts';
import type { UsagePlace } from '../../contract/operations/usage-requests.ts';

/** A server's scavenge may replace files while they are counted. */
const ATTEMPTS = 4;
const USUAL_THREADS = 4;

/** The last count of each directory in this process. */
const turns = new Map<string, Promise<unknown>>();

/** Counts the database, runs `work` on the counts, and removes all temporary files afterwards. */
export async function withUsage<T>(
  request: UsagePlace,
  context: OperationContext,
  work: (usage: Usage) => Promise<T>
): Promise<T> {
  const dataDirectory = path.resolve(request.dataDirectory);
  const before = turns.get(dataDirectory);
  const turn = (async () => {
    await before?.catch(() => undefined); // the other count's failure goes to its own caller
    return count(request, context, work);
  })();
  turns.set(dataDirectory, turn);
  try {
    return await turn;
  } finally {
    if (turns.get(dataDirectory) === turn) turns.delete(dataDirectory);
  }
}

async function count<T>(
  request: UsagePlace,
  context: OperationContext,
  work: (usage: Usage) => Promise<T>
): Promise<T> {
  const { fileSystem, control } = context;
  const parent =
    request.scratchDirectory === undefined ? os.tmpdir() : path.resolve(request.scratchDirectory);
  fileSystem.makeDirectory(parent);
  const scratchDirectory = await mkdtemp(path.join(parent, 'winnow-usage-'));
  const kept = keepDirectory(request, fileSystem);
  try {
    const dataDirectory = path.resolve(request.dataDirectory);
    const { indexDirectory } = request;
    for (let attempt = 1; ; attempt++) {
      let usage: Usage | undefined;
      try {
        usage = await readUsage({
          fileSystem,
          dataDirectory,
          indexDirectory: indexDirectory === undefined ? undefined : path.resolve(indexDirectory),
          effectiveNow: requestedNow(request.now, context),
          keepDirectory: kept?.directory ?? scratchDirectory,
          threads: Math.min(request.threads ?? USUAL_THREADS, os.availableParallelism()),
          startWorkers: startUsageWorkers,
          operation: control,
          newGuid: () => randomUUID()
        });
        return await work(usage);
      } catch (error) {
        if (attempt === ATTEMPTS || !isFileGone(error)) throw error;
      } finally {
        usage?.close();
      }
    }
  } finally {
    kept?.release();
    await rm(scratchDirectory, { recursive: true, force: true });
  }
}

/** The directory of this database in WINNOW_HOME, locked; undefined if there is none or another process has it. */
function keepDirectory({ winnowHome, dataDirectory }: UsagePlace, fileSystem: FileSystem) {
  if (winnowHome === undefined) return undefined;
  const name = createHash('sha256').update(path.resolve(dataDirectory)).digest('hex').slice(0, 32);
  const directory = path.join(path.resolve(winnowHome), 'usage', name);
  fileSystem.makeDirectory(directory);
  const lock = path.join(directory, 'lock');
  if (!fileSystem.describe(lock)) createLock(fileSystem, lock);
  const release = lockIfPossible(fileSystem, lock);
  return release && { directory, release };
}

/** Without locks nothing is kept: reading needs none. */
function lockIfPossible(fileSystem: FileSystem, lock: string): (() => void) | undefined {
  try {
    return fileSystem.tryLock(lock);
  } catch (error) {
    if (isWithoutLocks(error)) return undefined;
    throw error;
  }
}

function createLock(fileSystem: FileSystem, lock: string): void {
  try {
    fileSystem.open(lock, 'createNew').close();
  } catch (error) {
    // Another process created it at the same moment.
    if (!fileSystem.describe(lock)) throw error;
  }
}
