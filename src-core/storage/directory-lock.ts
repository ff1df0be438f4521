/**
 * One writer per database. While we write, writer.chk is held with an exclusive advisory lock: a server that starts
 * meanwhile fails instead of sharing the directory, and a server that runs already (it holds shared locks on every
 * checkpoint) makes us refuse. The lock ends with the process, so a killed run leaves none behind.
 *
 * Locks do not travel over network shares; there the user says that the server is stopped (`assumeStopped`).
 */
import { EngineError } from '../errors.ts';
import { requireDataDirectory } from './data-directory.ts';
import type { FileSystem, LockHolder } from './file-system.ts';
import { refuseUnfinishedRestore } from './restore-marker.ts';

export interface LockDirectory {
  fileSystem: FileSystem;
  dataDirectory: string;
  /** Work although no lock can be taken because the volume, a network share say, has none. */
  assumeStopped?: boolean;
}

/**
 * Takes the lock; DatabaseInUse names who holds it. Returns what gives it back. A directory into which a restore has
 * not ended is refused in the same way: for everything that writes it is in use.
 */
export function lockDirectory(directory: LockDirectory): () => void {
  const refuse = (): void => refuseUnfinishedRestore(directory.fileSystem, directory.dataDirectory);
  return lockUnless(refuse, () => lockWriterCheckpoint(directory));
}

/** What `lock` takes, unless `refuse` throws: before, where there was nothing to lock, and once more under the lock. */
export function lockUnless(refuse: () => void, lock: () => () => void): () => void {
  refuse();
  let release: () => void;
  try {
    release = lock();
  } catch (error) {
    // Between two files of a name there is none for a moment.
    refuse();
    throw error;
  }
  try {
    // What began after the first look may have put another file into the place of the one that it keeps locked.
    refuse();
    return release;
  } catch (error) {
    release();
    throw error;
  }
}

/** The lock alone, for the restore itself. */
export function lockWriterCheckpoint({
  fileSystem,
  dataDirectory,
  assumeStopped = false
}: LockDirectory): () => void {
  return lockFile({ fileSystem, dataDirectory, file: 'writer.chk', assumeStopped });
}

/**
 * Locks one file of the directory that a server keeps open. `assumeStopped` counts only where locks cannot be seen: one
 * that is visible is held by a process, whatever was assumed.
 */
export function lockFile({
  fileSystem,
  dataDirectory,
  file,
  assumeStopped
}: Required<LockDirectory> & { file: string }): () => void {
  const path = fileSystem.join(dataDirectory, file);
  if (fileSystem.describe(path) === undefined) {
    if (assumeStopped) return () => undefined;
    requireDataDirectory(fileSystem, dataDirectory);
    throw nothingToLock(dataDirectory, file);
  }
  try {
    const release = fileSystem.tryLock(path);
    if (release) return release;
  } catch (error) {
    if (assumeStopped && error instanceof EngineError && error.details['reason'] === 'locksUnseen') {
      return () => undefined;
    }
    throw error;
  }
  throw databaseInUse(dataDirectory, fileSystem.lockHolder(path));
}

/** An empty file to take a lock on, unless it is there: two processes may make it at the same moment. */
export function makeLockFile(fileSystem: FileSystem, path: string): void {
  if (fileSystem.describe(path)) return;
  try {
    fileSystem.open(path, 'createNew').close();
  } catch (error) {
    if (!fileSystem.describe(path)) throw error;
  }
}

function nothingToLock(dataDirectory: string, file: string): EngineError {
  return new EngineError({
    code: 'DatabaseInUse',
    message: `There is no ${file} in ${dataDirectory}, so Winnow cannot tell whether a server uses it.`,
    remedy:
      'Run "winnow repair", which creates it again. If the server is certainly stopped, give --assume-stopped.',
    details: { file, reason: 'nothingToLock' }
  });
}

export function databaseInUse(dataDirectory: string, holder: LockHolder | undefined): EngineError {
  const by = holder?.by ?? 'another process';
  const process = holder?.pid ? `${by} (process ${holder.pid})` : by;
  return new EngineError({
    code: 'DatabaseInUse',
    message: `${dataDirectory} is in use by ${process}.`,
    remedy:
      'Stop that process first, or let the running server do this itself. Reading is possible meanwhile.',
    details: { file: 'writer.chk', by, ...(holder?.pid ? { pid: holder.pid } : {}) }
  });
}
