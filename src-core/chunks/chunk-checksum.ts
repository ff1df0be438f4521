/**
 * The MD5 that a completed chunk ends with, computed over every byte before it. Code that copies a chunk checks
 * it first: a copy gets its own hash, and damage in a payload would become invisible.
 */
import { LEAST_SIDE_BY_SIDE, md5Hasher, Md5Lanes, type Hasher } from '../codec/md5-lanes.ts';
import { logCorrupt, type EngineError } from '../errors.ts';
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
  onBytes?: OnBytes
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
  onBytes?: OnBytes
): Promise<(ChunkChecksum | undefined)[]> {
  if (chunks.length < LEAST_SIDE_BY_SIDE) {
    return Promise.all(chunks.map((chunk) => readChunkChecksum(fileSystem, chunk, onBytes)));
  }
  return sideBySide(fileSystem, chunks, (chunk, open, inLane) =>
    chunk.footer ? checksumOf(open(), chunk.footer.md5, onBytes, inLane) : undefined
  );
}

/**
 * MD5 of the first bytes of files, at most as many as there are lanes: lower-case hex digits. Fails when one of them cannot be
 * read, or has fewer bytes.
 */
export async function md5OfFiles(
  fileSystem: FileSystem,
  files: readonly FileStart[],
  onBytes?: OnBytes
): Promise<string[]> {
  const hashWhole = async (file: OpenFile, { path, byteCount }: FileStart, hashing?: Hashing) => {
    const md5 = await md5Of(file, byteCount, onBytes, hashing);
    if (file.size() < byteCount) throw shorter(path, file.size());
    return md5;
  };
  if (files.length >= LEAST_SIDE_BY_SIDE) {
    return sideBySide(fileSystem, files, (start, open, inLane) => hashWhole(open(), start, inLane));
  }
  return Promise.all(
    files.map(async (start) => {
      const file = fileSystem.open(start.path, 'read');
      try {
        return await hashWhole(file, start);
      } finally {
        file.close();
      }
    })
  );
}

export interface FileStart {
  path: string;
  byteCount: number;
}

function shorter(file: string, offset: number): EngineError {
  return logCorrupt(
    `${file} ends at offset ${offset}, and more was written to it.`,
    { file, offset },
    'Another program changed a file that was being written. Find out which one, then run this again; it resumes.'
  );
}

type OnBytes = (count: number) => Promise<void> | void;

/** How a file is hashed. */
interface Hashing {
  hasher: Hasher;
  blockBytes: number;
}

/** Each of the files in its lane; those that were opened are closed. */
async function sideBySide<F extends { path: string }, T>(
  fileSystem: FileSystem,
  files: readonly F[],
  hash: (file: F, open: () => OpenFile, inLane: Hashing) => Promise<T> | T
): Promise<T[]> {
  const lanes = new Md5Lanes();
  // All are open before the first byte: a lane that is alone is hashed alone.
  const hashers = files.map(() => lanes.open());
  const settled = await Promise.allSettled(
    files.map(async (file, i) => {
      const hasher = hashers[i]!;
      let opened: OpenFile | undefined;
      try {
        const open = () => (opened = fileSystem.open(file.path, 'read'));
        return await hash(file, open, { hasher, blockBytes: SHARED_BLOCK_BYTES });
      } finally {
        opened?.close();
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
  onBytes?: OnBytes,
  hashing?: Hashing
): Promise<ChunkChecksum> {
  const offset = file.size() - MD5_LENGTH;
  return { computed: await md5Of(file, offset, onBytes, hashing), stored, offset };
}

async function md5Of(
  file: OpenFile,
  byteCount: number,
  onBytes?: OnBytes,
  { hasher, blockBytes }: Hashing = { hasher: md5Hasher(), blockBytes: BLOCK_BYTES }
): Promise<string> {
  const block = Buffer.allocUnsafe(Math.max(0, Math.min(blockBytes, byteCount)));
  for (let at = 0; at < byteCount;) {
    const count = file.read(block, 0, Math.min(block.length, byteCount - at), at);
    if (count === 0) break; // cut since it was opened: the sums will differ, which is what there is to say
    hasher.update(block.subarray(0, count));
    at += count;
    await onBytes?.(count);
    await hasher.turn();
  }
  return hasher.digest();
}

/** Throws LogCorrupt unless the checksum holds. */
export async function requireChunkChecksum(
  fileSystem: FileSystem,
  chunk: Chunk,
  onBytes?: OnBytes
): Promise<void> {
  requireSameChecksum(chunk, await readChunkChecksum(fileSystem, chunk, onBytes));
}

/** Throws LogCorrupt unless the checksum of the chunk that is open as `file` holds. */
export async function requireChecksumOf(file: OpenFile, chunk: Chunk, onBytes?: OnBytes): Promise<void> {
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
