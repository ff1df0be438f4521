/** How large files are; nothing where there is none, for sums of what may be there. */
import type { FileSystem } from './file-system.ts';

type Facts = Pick<FileSystem, 'describe'>;

/** Bytes; 0 where there is no such file. */
export function sizeOf(fileSystem: Facts, path: string): number {
  return fileSystem.describe(path)?.size ?? 0;
}

/** Bytes of all of them together. */
export function sizeOfAll(fileSystem: Facts, paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + sizeOf(fileSystem, path), 0);
}
