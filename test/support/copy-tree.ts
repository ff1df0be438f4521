/** Copies a file, or a directory with all in it, from one file system to another: from disk to memory, say. */
import { readWholeFile, type FileSystem } from '../../src-core/storage/file-system.ts';

interface Place {
  fileSystem: FileSystem;
  path: string;
}

/** `to` must not exist; its parents are made. Permission bits are copied, owners are not. */
export function copyTree(from: Place, to: Place): void {
  const facts = from.fileSystem.describe(from.path);
  if (!facts) throw new Error(`There is nothing at ${from.path}.`);
  if (facts.isDirectory) {
    to.fileSystem.makeDirectory(to.path);
    for (const { name } of from.fileSystem.list(from.path) ?? []) {
      copyTree(
        { ...from, path: from.fileSystem.join(from.path, name) },
        { ...to, path: to.fileSystem.join(to.path, name) }
      );
    }
    return;
  }
  const bytes = readWholeFile(from.fileSystem, from.path) ?? new Uint8Array(0);
  const file = to.fileSystem.open(to.path, 'createNew');
  file.write(bytes, 0, bytes.length, 0);
  file.close();
  to.fileSystem.changeMode(to.path, facts.mode);
}
