/**
 * The exclusive lock that a scavenge holds while it writes: on writer.chk, where the server takes a shared one. A
 * server that starts meanwhile fails instead of sharing the directory.
 */
import { EngineError } from '../errors.ts';
import type { FileSystem } from '../storage/file-system.ts';

export interface LockQuestion {
  dataDirectory: string;
  assumeStopped: boolean;
}

/** Gives the function that ends the lock. */
export function lockDatabase(
  fileSystem: FileSystem,
  { dataDirectory, assumeStopped }: LockQuestion
): () => void {
  const path = fileSystem.join(dataDirectory, 'writer.chk');
  if (!fileSystem.describe(path)) return () => undefined; // opening the database says what is wrong
  const release = fileSystem.tryLock(path);
  if (release) return release;
  const holder = fileSystem.lockHolder(path);
  // On a network share locks may not work at all; then nobody is seen to hold one.
  if (assumeStopped && (holder === undefined || holder.pid === null)) return () => undefined;
  throw new EngineError({
    code: 'DatabaseInUse',
    message: `${dataDirectory} is in use by ${holder ? `${holder.by} (process ${holder.pid ?? 'unknown'})` : 'another process'}.`,
    remedy: 'Stop the server or the other operation, then run the scavenge again.',
    details: {
      file: 'writer.chk',
      ...(holder ? { by: holder.by } : {}),
      ...(holder?.pid ? { pid: holder.pid } : {})
    }
  });
}
