/** A whole file in blocks, from its start to its end. */
import type { FileSystem } from './file-system.ts';

const BLOCK_BYTES = 1024 * 1024;

/** Blocks with their offset; the bytes are valid until the next is asked for. */
export function* readBlocks(
  fileSystem: FileSystem,
  path: string,
  blockBytes = BLOCK_BYTES
): Generator<{ bytes: Uint8Array; offset: number }> {
  const file = fileSystem.open(path, 'read');
  try {
    const block = Buffer.allocUnsafe(blockBytes);
    for (let offset = 0; ;) {
      const count = file.read(block, 0, blockBytes, offset);
      if (count === 0) return;
      yield { bytes: block.subarray(0, count), offset };
      offset += count;
    }
  } finally {
    file.close();
  }
}
