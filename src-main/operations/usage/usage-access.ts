/**
 * Counts a database for an operation. One count of a database at a time: a second one waits, and then has the digests of
 * the first.
 */
import { randomUUID } from 'node:crypto';
import { rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { readUsage, type Usage, isFileGone } from '../../../src-core/index.ts';
import { requestedNow } from '../database/database-access.ts';
import { digestsOf, nameOf } from '../database/digests-of.ts';
import type { OperationContext } from '../operation.ts';
import type { UsagePlace } from '../../contract/operations/usage-requests.ts';

/** A server's scavenge may replace files while they are counted. */
const ATTEMPTS = 4;

/** The last count of each directory in this process. */
const turns = new Map<string, Promise<unknown>>();

/** Counts the database and runs `work` on the counts. */
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
  const { indexDirectory } = request;
  await removeStoredCounts(request);
  const digests = digestsOf(request, context);
  for (let attempt = 1; ; attempt++) {
    let usage: Usage | undefined;
    try {
      usage = await readUsage({
        fileSystem: context.fileSystem,
        dataDirectory: path.resolve(request.dataDirectory),
        indexDirectory: indexDirectory === undefined ? undefined : path.resolve(indexDirectory),
        effectiveNow: requestedNow(request.now, context),
        digests,
        operation: context.control,
        newGuid: () => randomUUID()
      });
      return await work(usage);
    } catch (error) {
      if (attempt === ATTEMPTS || !isFileGone(error)) throw error;
    } finally {
      usage?.close();
    }
  }
}

/** What versions before digests stored of this database. */
async function removeStoredCounts({ winnowHome, dataDirectory }: UsagePlace): Promise<void> {
  if (winnowHome === undefined) return;
  const parent = path.join(path.resolve(winnowHome), 'usage');
  try {
    await rm(path.join(parent, nameOf(path.resolve(dataDirectory))), { recursive: true, force: true });
    await rmdir(parent);
  } catch {
    // Others are in it, it is not there, or it cannot be written: none of that concerns the count.
  }
}
