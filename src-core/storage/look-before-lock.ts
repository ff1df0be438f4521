/**
 * A look at a directory before its lock is tried: what is no complete database is reported as such then, and not as one that
 * cannot be locked.
 */
import { EngineError, isFileGone, osCodeOf } from '../errors.ts';
import type { FileSystem } from './file-system.ts';
import { refuseUnfinishedRestore } from './restore-marker.ts';

/**
 * What `look` gives. It may meet a restore or the undo of a scavenge half way through, which looks like damage: DatabaseInUse where
 * one goes on, and a second look where it has ended meanwhile. What the first look met is thrown where the second fails too: it is
 * what tells of a file that went away while it was looked at.
 */
export async function lookBeforeLock<T>(
  { fileSystem, dataDirectory }: { fileSystem: FileSystem; dataDirectory: string },
  look: () => T | Promise<T>
): Promise<T> {
  const refuse = (): void => refuseUnfinishedRestore(fileSystem, dataDirectory);
  try {
    return await look();
  } catch (first) {
    // A stop, and a disk that fails, are no matter of another process.
    if (!(first instanceof EngineError) || (osCodeOf(first) !== undefined && !isFileGone(first))) throw first;
    refuse();
    try {
      return await look();
    } catch {
      refuse();
      throw first;
    }
  }
}
