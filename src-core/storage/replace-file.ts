/**
 * The one way to replace a file: write beside it, flush, rename over it, flush the directory. Cut anywhere, the
 * old file or the new one is complete. (Checkpoints are eight bytes written in place: log/checkpoint-file.ts.)
 */
import type { FileSystem } from './file-system.ts';

export interface ReplaceFile {
  directory: string;
  name: string;
  /** Name of the temporary file in the same directory. */
  temporaryName: string;
  bytes: Uint8Array;
  /** Permission bits of the new file; the process default otherwise. */
  mode?: number;
}

export function replaceFile(
  fileSystem: FileSystem,
  { directory, name, temporaryName, bytes, mode }: ReplaceFile
): void {
  const temporary = fileSystem.join(directory, temporaryName);
  const target = fileSystem.join(directory, name);
  const old = fileSystem.describe(target);
  const file = fileSystem.open(temporary, 'createNew');
  try {
    file.write(bytes, 0, bytes.length, 0);
    file.sync();
  } catch (error) {
    file.close();
    fileSystem.remove(temporary);
    throw error;
  }
  file.close();
  if (old) fileSystem.changeOwner(temporary, old.uid, old.gid);
  const bits = mode ?? (old ? old.mode & 0o777 : undefined);
  if (bits !== undefined) fileSystem.changeMode(temporary, bits);
  fileSystem.rename(temporary, target);
  fileSystem.syncDirectory(directory);
}
