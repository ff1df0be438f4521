/** A whole file in blocks, from its start to its end. */
import type { FileSystem } from './file-system.ts';

const BLOCK_BYTES = 1024 * 1024;
const LEAST_BLOCK_BYTES = 4096;

/** Blocks with their offset; the bytes are valid until the next is asked for. */
export function* readBlocks(
  fileSystem: FileSystem,
  path: string,
  blockBytes = BLOCK_BYTES
): Generator<{ bytes: Uint8Array; offset: number }> {
  const file = fileSystem.open(path, 'read');
  try {
    // A directory may hold a hundred thousand small files: fresh megabytes for each take longer than reading them.
    const length = Math.min(blockBytes, Math.max(LEAST_BLOCK_BYTES, file.size()));
    const block = Buffer.allocUnsafe(length);
    for (let offset = 0; ;) {
      const count = file.read(block, 0, length, offset);
      if (count === 0) return;
      yield { bytes: block.subarray(0, count), offset };
      offset += count;
    }
  } finally {
    file.close();
  }
}
