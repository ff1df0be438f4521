/** A link as a reader of names sees it: whole under its name, or not there. The disk holds a copy here. */
import type { FileLinks } from '../../src-core/backup/copy-file.ts';
import { readWholeFile, type FileSystem } from '../../src-core/storage/file-system.ts';

export function linksByCopy(fileSystem: FileSystem): FileLinks {
  return {
    link(from, to) {
      const bytes = readWholeFile(fileSystem, from)!;
      fileSystem.remove(`${to}.linking`);
      const file = fileSystem.open(`${to}.linking`, 'createNew');
      try {
        file.write(bytes, 0, bytes.length, 0);
        file.sync();
      } finally {
        file.close();
      }
      fileSystem.rename(`${to}.linking`, to);
      return true;
    },
    clone: () => false
  };
}
