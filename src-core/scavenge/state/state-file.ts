/**
 * Where the scavenge state lies, and what happens to the file as a whole: a place made for it, moved aside, copied
 * for a plan. Its content is the state store's.
 */
import { entriesIn } from '../../storage/directory-entries.ts';
import type { FileSystem } from '../../storage/file-system.ts';
import { readWholeFile } from '../../storage/file-system.ts';
import { requireShortPath } from './connect-state.ts';
import { STATE_DIRECTORY, STATE_FILE } from './state-store.ts';

/** SQLite's journal beside the file while it is open, or after a process died. */
const COMPANIONS = ['-wal', '-shm'];

export function stateDirectoryOf(fileSystem: FileSystem, indexDirectory: string): string {
  return fileSystem.join(indexDirectory, STATE_DIRECTORY);
}

export function statePathOf(fileSystem: FileSystem, directory: string): string {
  return fileSystem.join(directory, STATE_FILE);
}

/** Asked before anything is written: a state beside this index can be opened. Throws StorageFailed. */
export function requireStatePath(fileSystem: FileSystem, indexDirectory: string): void {
  requireShortPath(statePathOf(fileSystem, stateDirectoryOf(fileSystem, indexDirectory)));
}

export interface StatePlace {
  /** That of the state; it lies in the index directory. */
  directory: string;
  indexDirectory: string;
  dataDirectory: string;
}

/**
 * Makes the directory and an empty file in it, owned as what is around them: a server under another user must be
 * able to go on. The file is there before SQLite opens it, which gives its journal the owner of the file. All names
 * are flushed: a flushed state in a directory that a power failure loses would be lost too.
 */
export function makeStatePlace(
  fileSystem: FileSystem,
  { directory, indexDirectory, dataDirectory }: StatePlace
): void {
  // Given away also when it is there already: a run may have been killed right after it made it. An index directory
  // with tables in it is the server's own.
  const isIndexUnused = entriesIn(fileSystem, indexDirectory).every(({ isDirectory }) => isDirectory);
  if (isIndexUnused) {
    fileSystem.makeDirectory(indexDirectory);
    giveTo(fileSystem, indexDirectory, dataDirectory);
  }
  fileSystem.makeDirectory(directory);
  giveTo(fileSystem, directory, indexDirectory);
  const path = statePathOf(fileSystem, directory);
  if (!fileSystem.describe(path)) fileSystem.open(path, 'createNew').close();
  giveTo(fileSystem, path, indexDirectory);
  fileSystem.syncDirectory(directory);
  fileSystem.syncDirectory(indexDirectory);
  if (isIndexUnused) fileSystem.syncDirectory(fileSystem.join(indexDirectory, '..'));
}

/** Gives the file the owner of another one. */
function giveTo(fileSystem: FileSystem, path: string, ownedLike: string): void {
  const owner = fileSystem.describe(ownedLike);
  const facts = fileSystem.describe(path);
  if (owner && facts && (facts.uid !== owner.uid || facts.gid !== owner.gid)) {
    fileSystem.changeOwner(path, owner.uid, owner.gid);
  }
}

/** Moves the state to an unused name and returns it; undefined if there is no state. */
export function moveStateAside(fileSystem: FileSystem, directory: string): string | undefined {
  if (!fileSystem.describe(directory)) return undefined;
  for (let number = 1; ; number++) {
    const aside = `${directory}.aside-${number}`;
    if (fileSystem.describe(aside)) continue;
    fileSystem.rename(directory, aside);
    return aside;
  }
}

/** Copies the state with its journal, so that the copy says what the original would. The original is only read. */
export function copyState(fileSystem: FileSystem, from: string, to: string): void {
  for (const suffix of ['', '-wal']) {
    const bytes = readWholeFile(fileSystem, `${from}${suffix}`);
    if (!bytes) continue;
    const copy = fileSystem.open(`${to}${suffix}`, 'createNew');
    try {
      copy.write(bytes, 0, bytes.length, 0);
    } finally {
      copy.close();
    }
  }
}

export function removeState(fileSystem: FileSystem, path: string): void {
  for (const suffix of ['', ...COMPANIONS]) fileSystem.remove(`${path}${suffix}`);
}
