/**
 * The lock of a repair. writer.chk as for every other work that writes; where it is missing, the first file of those
 * that a server keeps open as well.
 */
import { namesIn } from '../storage/directory-entries.ts';
import { lockDirectory, lockFile, lockUnless } from '../storage/directory-lock.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { refuseUnfinishedRestore } from '../storage/restore-marker.ts';

export interface LockForRepair {
  place: { fileSystem: FileSystem; dataDirectory: string };
  assumeStopped: boolean;
}

/** Returns what gives the lock back. DatabaseInUse names who holds it. */
export function lockForRepair({ place, assumeStopped }: LockForRepair): () => void {
  const { fileSystem, dataDirectory } = place;
  refuseUnfinishedRestore(fileSystem, dataDirectory);
  if (fileSystem.describe(fileSystem.join(dataDirectory, 'writer.chk')) !== undefined) {
    return lockDirectory({ fileSystem, dataDirectory, assumeStopped });
  }
  const names = namesIn(fileSystem, dataDirectory).sort();
  const file =
    names.find((name) => name.endsWith('.chk')) ?? names.findLast((name) => name.startsWith('chunk-'));
  if (file === undefined) {
    refuseUnfinishedRestore(fileSystem, dataDirectory);
    return () => undefined;
  }
  // A restore that has begun since has moved writer.chk away.
  return lockUnless(
    () => refuseUnfinishedRestore(fileSystem, dataDirectory),
    () => lockFile({ fileSystem, dataDirectory, file, assumeStopped })
  );
}
