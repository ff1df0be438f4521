/**
 * The one way to replace a file: write beside it, flush, rename over it, flush the directory. Cut anywhere, the
 * old file or the new one is complete. What fails leaves the old file, and nothing beside it. (Checkpoints are eight bytes
 * written in place: log/checkpoint-file.ts. Lines are appended by append-line.ts.)
 */
import type { FileSystem } from './file-system.ts';

export interface ReplaceFile {
  directory: string;
  name: string;
  /** Name of the temporary file in the same directory. One that a killed process left is removed. */
  temporaryName: string;
  bytes: Uint8Array;
  /** Permission bits of the new file; those of the old one, or the process default, otherwise. */
  mode?: number;
}

export function replaceFile(
  fileSystem: FileSystem,
  { directory, name, temporaryName, bytes, mode }: ReplaceFile
): void {
  const temporary = fileSystem.join(directory, temporaryName);
  const target = fileSystem.join(directory, name);
  const old = fileSystem.describe(target);
  if (fileSystem.describe(temporary)) fileSystem.remove(temporary);
  const file = fileSystem.open(temporary, 'createNew');
  try {
    try {
      // While it is empty: only its owner may ever read a secret, even for a moment.
      if (old) fileSystem.changeOwner(temporary, old.uid, old.gid);
      const bits = mode ?? (old ? old.mode & 0o777 : undefined);
      if (bits !== undefined) fileSystem.changeMode(temporary, bits);
      file.write(bytes, 0, bytes.length, 0);
      file.sync();
    } finally {
      file.close();
    }
    fileSystem.rename(temporary, target);
  } catch (error) {
    discard(fileSystem, temporary);
    throw error;
  }
  fileSystem.syncDirectory(directory);
}

function discard(fileSystem: FileSystem, temporary: string): void {
  try {
    fileSystem.remove(temporary);
  } catch {
    // The first failure is the one to report; what is left goes with the next attempt.
  }
}
