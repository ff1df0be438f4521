/** What lies in a directory; nothing where there is none, as an operation meets it that only looks for files. */
import type { DirectoryEntry, FileSystem } from './file-system.ts';

type Listing = Pick<FileSystem, 'list'>;

/** In no particular order. */
export function entriesIn(fileSystem: Listing, directory: string): DirectoryEntry[] {
  return fileSystem.list(directory) ?? [];
}

/** In no particular order. */
export function namesIn(fileSystem: Listing, directory: string): string[] {
  return entriesIn(fileSystem, directory).map(({ name }) => name);
}
