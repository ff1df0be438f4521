/** A file read from its start to its end with some bytes replaced on the way; the file itself is not touched. */
import { readBlocks } from '../storage/read-blocks.ts';
import type { FileSystem } from '../storage/file-system.ts';

export interface Patch {
  /** In the file. */
  offset: number;
  bytes: Uint8Array;
}

/** Blocks of the whole file; each is valid until the next is asked for. */
export function* readPatched(
  fileSystem: FileSystem,
  path: string,
  patches: readonly Patch[]
): Generator<Uint8Array> {
  for (const { bytes, offset } of readBlocks(fileSystem, path)) {
    for (const patch of patches) apply(patch, bytes, offset);
    yield bytes;
  }
}

function apply({ offset, bytes }: Patch, block: Uint8Array, blockStart: number): void {
  const from = Math.max(offset, blockStart);
  const to = Math.min(offset + bytes.length, blockStart + block.length);
  if (from < to) block.set(bytes.subarray(from - offset, to - offset), from - blockStart);
}
