/**
 * One writer per database. While we write, writer.chk is held with an exclusive advisory lock: a server that starts
 * meanwhile fails instead of sharing the directory, and a server that runs already (it holds shared locks on every
 * checkpoint) makes us refuse. The lock ends with the process, so a killed run leaves none behind.
 *
 * Locks do not travel over network shares; there the user says that the server is stopped (`assumeStopped`).
 */
import { EngineError } from '../errors.ts';
import type { FileSystem, LockHolder } from './file-system.ts';
import { refuseUnfinishedRestore } from './restore-marker.ts';

export interface LockDirectory {
  fileSystem: FileSystem;
  dataDirectory: string;
  /** Go on although a lock cannot be taken because the platform or the share has none. */
  assumeStopped?: boolean;
}

/**
 * Takes the lock; DatabaseInUse names who holds it. Returns what gives it back. A directory into which a restore has
 * not ended is refused in the same way: for everything that writes it is in use.
 */
export function lockDirectory(directory: LockDirectory): () => void {
  refuseUnfinishedRestore(directory.fileSystem, directory.dataDirectory);
  return lockWriterCheckpoint(directory);
}

/** The lock alone, for the restore itself. */
export function lockWriterCheckpoint({
  fileSystem,
  dataDirectory,
  assumeStopped = false
}: LockDirectory): () => void {
  const file = fileSystem.join(dataDirectory, 'writer.chk');
  const release = fileSystem.describe(file) === undefined ? undefined : fileSystem.tryLock(file);
  if (release) return release;
  const holder = fileSystem.lockHolder(file);
  if (assumeStopped && (!holder || holder.pid === null)) return () => undefined;
  throw databaseInUse(dataDirectory, holder);
}

export function databaseInUse(dataDirectory: string, holder: LockHolder | undefined): EngineError {
  const by = holder?.by ?? 'another process';
  const process = holder?.pid ? `${by} (process ${holder.pid})` : by;
  return new EngineError({
    code: 'DatabaseInUse',
    message: `${dataDirectory} is in use by ${process}.`,
    remedy: 'Stop that process first, or let the running server do this itself. Reading works meanwhile.',
    details: { file: 'writer.chk', by, ...(holder?.pid ? { pid: holder.pid } : {}) }
  });
}
