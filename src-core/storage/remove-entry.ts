/** Removal of files that this program or a server made, by their names in a directory. */
import type { DirectoryEntry, FileSystem } from './file-system.ts';
import { entriesIn } from './directory-entries.ts';

/** Entries of a directory by their names; links are not followed. */
export function entriesByName(fileSystem: FileSystem, directory: string): Map<string, DirectoryEntry> {
  return new Map(entriesIn(fileSystem, directory).map((entry) => [entry.name, entry]));
}

/**
 * Removes a file whatever its rights: a read-only one cannot be deleted on Windows. Of a link the link goes, and what it leads to
 * keeps its rights, since that is nobody's business here. A directory of such a name stays. Says whether something was removed.
 */
export function removeEntry(
  fileSystem: FileSystem,
  directory: string,
  entry: DirectoryEntry | undefined
): boolean {
  if (!entry || entry.isDirectory) return false;
  const path = fileSystem.join(directory, entry.name);
  if (entry.isLink !== true) fileSystem.changeMode(path, 0o644);
  fileSystem.remove(path);
  return true;
}
