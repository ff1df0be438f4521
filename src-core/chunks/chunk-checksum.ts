/**
 * The MD5 that a completed chunk ends with, computed over every byte before it. Code that copies a chunk checks
 * it first: a copy gets its own hash, and damage in a payload would become invisible.
 */
import { md5Hasher, Md5Lanes, type Hasher } from '../codec/md5-lanes.ts';
import type { FileSystem, OpenFile } from '../storage/file-system.ts';
import type { Chunk } from './chunk.ts';
import { MD5_LENGTH } from './chunk-footer.ts';
import { chunkCorrupt } from './chunk-reader.ts';

const BLOCK_BYTES = 4 * 1024 * 1024;
/** Of chunks that are hashed side by side: together they stay in the processor's cache. */
const SHARED_BLOCK_BYTES = 256 * 1024;

export interface ChunkChecksum {
  /** Lower-case hex digits. */
  computed: string;
  stored: string;
  /** Where in the file the stored one lies. */
  offset: number;
}

/**
 * Reads the whole file; undefined for a chunk that is not completed. `onBytes` hears of each block read and may
 * pause there.
 */
export async function readChunkChecksum(
  fileSystem: FileSystem,
  chunk: Chunk,
  onBytes?: (count: number) => Promise<void> | void
): Promise<ChunkChecksum | undefined> {
  if (!chunk.footer) return undefined;
  const file = fileSystem.open(chunk.path, 'read');
  try {
    return await checksumOf(file, chunk.footer.md5, onBytes);
  } finally {
    file.close();
  }
}

/**
 * The same of several chunks at once, at most as many as there are lanes. They are hashed side by side, which takes less than
 * half of the time. Fails when one of them cannot be read.
 */
export async function readChunkChecksums(
  fileSystem: FileSystem,
  chunks: readonly Chunk[],
  onBytes?: (count: number) => Promise<void> | void
): Promise<(ChunkChecksum | undefined)[]> {
  if (chunks.length === 1) return [await readChunkChecksum(fileSystem, chunks[0]!, onBytes)];
  const lanes = new Md5Lanes();
  // All are open before the first byte: a lane that is alone is hashed alone.
  const hashers = chunks.map(() => lanes.open());
  const settled = await Promise.allSettled(
    chunks.map(async (chunk, i) => {
      const hasher = hashers[i]!;
      try {
        if (!chunk.footer) return undefined;
        const file = fileSystem.open(chunk.path, 'read');
        try {
          return await checksumOf(file, chunk.footer.md5, onBytes, {
            hasher,
            blockBytes: SHARED_BLOCK_BYTES
          });
        } finally {
          file.close();
        }
      } finally {
        hasher.close();
      }
    })
  );
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}

async function checksumOf(
  file: OpenFile,
  stored: string,
  onBytes?: (count: number) => Promise<void> | void,
  { hasher, blockBytes }: { hasher: Hasher; blockBytes: number } = {
    hasher: md5Hasher(),
    blockBytes: BLOCK_BYTES
  }
): Promise<ChunkChecksum> {
  const offset = file.size() - MD5_LENGTH;
  const block = Buffer.allocUnsafe(Math.max(0, Math.min(blockBytes, offset)));
  for (let at = 0; at < offset;) {
    const count = file.read(block, 0, Math.min(block.length, offset - at), at);
    if (count === 0) break; // cut since it was opened: the sums will differ, which is what there is to say
    hasher.update(block.subarray(0, count));
    at += count;
    await onBytes?.(count);
    await hasher.turn();
  }
  return { computed: hasher.digest(), stored, offset };
}

/** Throws LogCorrupt unless the checksum holds. */
export async function requireChunkChecksum(
  fileSystem: FileSystem,
  chunk: Chunk,
  onBytes?: (count: number) => Promise<void> | void
): Promise<void> {
  requireSameChecksum(chunk, await readChunkChecksum(fileSystem, chunk, onBytes));
}

/** Throws LogCorrupt unless the checksum of the chunk that is open as `file` holds. */
export async function requireChecksumOf(
  file: OpenFile,
  chunk: Chunk,
  onBytes?: (count: number) => Promise<void> | void
): Promise<void> {
  if (chunk.footer) requireSameChecksum(chunk, await checksumOf(file, chunk.footer.md5, onBytes));
}

/** Throws LogCorrupt unless what was found is what the chunk says; nothing is found of one that is not completed. */
export function requireSameChecksum(chunk: Chunk, found: ChunkChecksum | undefined): void {
  if (!found || found.computed === found.stored) return;
  throw chunkCorrupt(chunk, found.offset, `its hash is ${found.computed}, the footer says ${found.stored}`, {
    expected: found.stored,
    found: found.computed
  });
}
