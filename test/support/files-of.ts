/** A directory of any of our file systems, for the reader that shares nothing with the engine. */
import type { FileSystem } from '../../src-core/storage/file-system.ts';
import { readWholeFile } from '../../src-core/storage/file-system.ts';
import type { LogFiles } from './independent/read-log.ts';

export function filesOf(fileSystem: FileSystem, directory: string): LogFiles {
  const names = (fileSystem.list(directory) ?? [])
    .filter(({ isDirectory }) => !isDirectory)
    .map(({ name }) => name);
  return {
    names,
    read: (name) => {
      const bytes = names.includes(name)
        ? readWholeFile(fileSystem, fileSystem.join(directory, name))
        : undefined;
      return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    }
  };
}
