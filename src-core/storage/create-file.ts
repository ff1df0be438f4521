/**
 * The one way to make a small file that must not exist yet: write beside it, flush, give it the name, flush the directory.
 * Cut anywhere, the file is complete or absent; an existing one is never replaced, also if it appears meanwhile. What fails
 * leaves nothing. (Files that may exist are replaced by replace-file.ts.)
 */
import { EngineError } from '../errors.ts';
import type { FileSystem } from './file-system.ts';

export interface CreateFile {
  directory: string;
  name: string;
  /** Name of the temporary file in the same directory. One that a killed process left is removed. */
  temporaryName: string;
  bytes: Uint8Array;
  /** Permission bits, before the first byte is in it. */
  mode: number;
}

/** Throws StorageFailed; with the system's word EEXIST where there is something of this name already. */
export function createFile(
  fileSystem: FileSystem,
  { directory, name, temporaryName, bytes, mode }: CreateFile
): void {
  const temporary = fileSystem.join(directory, temporaryName);
  const target = fileSystem.join(directory, name);
  fileSystem.remove(temporary);
  requireNothingAt(fileSystem, target);
  const file = fileSystem.open(temporary, 'createNew');
  let isNamed = false;
  try {
    try {
      // While it is empty: only its owner may ever read a secret, even for a moment.
      fileSystem.changeMode(temporary, mode);
      file.write(bytes, 0, bytes.length, 0);
      file.sync();
    } finally {
      file.close();
    }
    // A second name replaces nothing, which a rename would; a volume without second names is looked at first.
    if (fileSystem.link?.(temporary, target) === true) {
      isNamed = true;
      fileSystem.remove(temporary);
    } else {
      requireNothingAt(fileSystem, target);
      fileSystem.rename(temporary, target);
      isNamed = true;
    }
    fileSystem.syncDirectory(directory);
  } catch (error) {
    discard(fileSystem, temporary);
    if (isNamed) discard(fileSystem, target);
    throw error;
  }
}

/** Throws EEXIST. Before anything else is done for a file that could not be made afterwards. */
export function requireNothingAt(fileSystem: FileSystem, file: string): void {
  if (fileSystem.describe(file) === undefined) return;
  throw new EngineError({
    code: 'StorageFailed',
    message: `${file} exists already.`,
    remedy: 'Name a file that does not exist yet.',
    details: { file, osCode: 'EEXIST' }
  });
}

function discard(fileSystem: FileSystem, file: string): void {
  try {
    fileSystem.remove(file);
  } catch {
    // The first failure is the one to report.
  }
}
