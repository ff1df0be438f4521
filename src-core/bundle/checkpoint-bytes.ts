/** A checkpoint file as it is, for a bundle: what no position is, is there byte by byte. docs/format/log.md */
import type { FileSystem } from '../storage/file-system.ts';

const CHECKPOINT_BYTES = 8;

/** Eight bytes at most, however long the file is; undefined: there is none. */
export function checkpointBytes(fileSystem: FileSystem, path: string): Uint8Array | undefined {
  if (fileSystem.describe(path) === undefined) return undefined;
  const file = fileSystem.open(path, 'read');
  try {
    const bytes = new Uint8Array(CHECKPOINT_BYTES);
    return bytes.subarray(0, file.read(bytes, 0, bytes.length, 0));
  } finally {
    file.close();
  }
}
