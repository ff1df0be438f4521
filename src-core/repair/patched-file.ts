/** A file read from its start to its end with some bytes replaced on the way; the file itself is not touched. */
import type { FileSystem } from '../storage/file-system.ts';

export interface Patch {
  /** In the file. */
  offset: number;
  bytes: Uint8Array;
}

const BLOCK_BYTES = 1024 * 1024;

/** Blocks of the whole file; each is valid until the next is asked for. */
export function* readPatched(
  fileSystem: FileSystem,
  path: string,
  patches: readonly Patch[]
): Generator<Uint8Array> {
  const file = fileSystem.open(path, 'read');
  try {
    const block = Buffer.allocUnsafe(BLOCK_BYTES);
    for (let at = 0; ;) {
      const count = file.read(block, 0, BLOCK_BYTES, at);
      if (count === 0) return;
      for (const patch of patches) apply(patch, block.subarray(0, count), at);
      yield block.subarray(0, count);
      at += count;
    }
  } finally {
    file.close();
  }
}

function apply({ offset, bytes }: Patch, block: Uint8Array, blockStart: number): void {
  const from = Math.max(offset, blockStart);
  const to = Math.min(offset + bytes.length, blockStart + block.length);
  if (from < to) block.set(bytes.subarray(from - offset, to - offset), from - blockStart);
}
