/** Bytes of all files in a directory and below, without the named top-level folders. */
import { sizeOf, type FileSystem } from '../../../src-core/index.ts';

/** No server nests deeper; stops a loop of links. */
const DEEPEST = 4;

export function directoryBytes(
  fileSystem: FileSystem,
  directory: string,
  without: ReadonlySet<string> = new Set(),
  depth = 0
): number {
  let sum = 0;
  for (const entry of fileSystem.list(directory) ?? []) {
    const path = fileSystem.join(directory, entry.name);
    if (!entry.isDirectory) sum += sizeOf(fileSystem, path);
    else if (depth < DEEPEST && !without.has(entry.name)) {
      sum += directoryBytes(fileSystem, path, new Set(), depth + 1);
    }
  }
  return sum;
}
