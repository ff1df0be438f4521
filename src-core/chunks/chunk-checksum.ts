/**
 * The MD5 that a completed chunk ends with, computed over every byte before it. Code that copies a chunk checks
 * it first: a copy gets its own hash, and damage in a payload would become invisible.
 */
import { createHash } from 'node:crypto';
import type { FileSystem, OpenFile } from '../storage/file-system.ts';
import type { Chunk } from './chunk.ts';
import { MD5_LENGTH } from './chunk-footer.ts';
import { chunkCorrupt } from './chunk-reader.ts';

const BLOCK_BYTES = 4 * 1024 * 1024;

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

async function checksumOf(
  file: OpenFile,
  stored: string,
  onBytes?: (count: number) => Promise<void> | void
): Promise<ChunkChecksum> {
  const md5 = createHash('md5');
  const offset = file.size() - MD5_LENGTH;
  const block = Buffer.allocUnsafe(Math.max(0, Math.min(BLOCK_BYTES, offset)));
  for (let at = 0; at < offset;) {
    const count = file.read(block, 0, Math.min(block.length, offset - at), at);
    if (count === 0) break; // cut since it was opened: the sums will differ, which is what there is to say
    md5.update(block.subarray(0, count));
    at += count;
    await onBytes?.(count);
  }
  return { computed: md5.digest('hex'), stored, offset };
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
