/**
 * Writes the file that takes the place of one chunk or of several, under a temporary name. Records are copied as
 * they are; a stop or a failure removes the file.
 *
 * The hash of each source is checked first. The server does not do that, and a copy gets a hash of its own: damage
 * in a payload would be hidden for ever, and the good file of a backup or another member would never be fetched.
 */
import type { Chunk } from '../../chunks/chunk.ts';
import { FIRST_ALIGNED_VERSION } from '../../chunks/chunk-header.ts';
import { ChunkReader } from '../../chunks/chunk-reader.ts';
import { ChunkWriter } from '../../chunks/chunk-writer.ts';
import type { UnsealedChunk } from '../../chunks/unsealed-chunk.ts';
import type { WrittenHash } from '../../chunks/written-hash.ts';
import type { DigestBuilder } from '../../digest/digest-builder.ts';
import { FRAME_LENGTH } from '../../records/log-record.ts';
import { requireUnchanged } from '../../storage/unchanged-file.ts';
import type { FileSystem } from '../../storage/file-system.ts';
import { JUDGING_PART } from '../decisions/judge-records.ts';
import type { KeptRecords } from '../decisions/kept-records.ts';
import type { RunControl } from '../run-control.ts';

const COPY_WINDOW_BYTES = 1024 * 1024;
/** Below, another thread has hardly begun before the file is complete. */
const LEAST_FOLLOWED_BYTES = 8 * 1024 * 1024;

/** Hashes a new file while it is written, in another thread. */
export type Follow = (path: string) => WrittenHash;

export interface WriteChunk {
  fileSystem: FileSystem;
  control: RunControl;
  /** The chunks it is made from, in order. */
  sources: readonly Chunk[];
  temporaryPath: string;
  chunkId: string;
  formatVersion: number;
  /** Of a single source: only these records; all of them otherwise. */
  kept?: KeptRecords;
  /** Of the records that are copied, as far as known. */
  byteCount: number;
  /** Rejects unless the hash of each source is right, during the copy or before it. No file is completed from a damaged one. */
  sound: Promise<void>;
  /** The new file is left unsealed: it is hashed later, and `sound` awaited by then. */
  isHashedLater: boolean;
  follow?: Follow | undefined;
  /** All is copied; what is left is to wait for hashes and for the disk. */
  onCopied?: (() => void) | undefined;
  /** Is shown all records, where they are all copied. */
  digest?: DigestBuilder | undefined;
}

/** Gives what is to be sealed, where it is hashed later. */
export async function writeChunk(order: WriteChunk): Promise<UnsealedChunk | undefined> {
  const { fileSystem, sources, temporaryPath, chunkId, formatVersion, kept, sound, isHashedLater } = order;
  const isFollowed = order.byteCount >= LEAST_FOLLOWED_BYTES;
  const first = sources[0]!;
  sound.catch(() => {}); // heard where it is awaited; a copy that fails first ends without waiting for it
  const writer = ChunkWriter.create({
    fileSystem,
    path: temporaryPath,
    withMap: true,
    follow: isFollowed ? order.follow : undefined,
    isHashedLater,
    header: {
      version: formatVersion,
      minCompatibleVersion: Math.min(formatVersion, FIRST_ALIGNED_VERSION),
      chunkSizeBytes: first.header.chunkSizeBytes,
      startNumber: first.startNumber,
      endNumber: sources.at(-1)!.endNumber,
      isScavenged: true,
      chunkId,
      transformType: 0
    }
  });
  try {
    if (kept) await copyKept(order, first, kept, writer);
    else for (const source of sources) await copyAll(order, source, first.startPosition, writer);
    order.onCopied?.();
    if (isHashedLater) return writer.leaveUnsealed();
    await sound;
    await writer.completeFollowed();
    return undefined;
  } catch (error) {
    writer.abort();
    throw error;
  }
}

/** Neighbouring kept records are read together; each is appended for itself, since each has a place in the map. */
async function copyKept(
  { fileSystem, control }: WriteChunk,
  source: Chunk,
  kept: KeptRecords,
  writer: ChunkWriter
): Promise<void> {
  const reader = new ChunkReader(fileSystem, source);
  let window = Buffer.allocUnsafe(COPY_WINDOW_BYTES);
  let windowStart = 0;
  let windowEnd = 0;
  try {
    for (let i = 0; i < kept.count; i++) {
      const physical = kept.physical[i]!;
      const length = kept.framedLength[i]!;
      if (physical < windowStart || physical + length > windowEnd) {
        if (length > window.length) window = Buffer.allocUnsafe(length);
        windowStart = physical;
        windowEnd = physical + reader.file.read(window, 0, window.length, source.dataStart + physical);
        requireUnchanged(
          physical + length <= windowEnd,
          source.fileName,
          `it ends at offset ${source.dataStart + windowEnd}, within a record`
        );
      }
      writer.append(window, physical - windowStart, length, kept.logical[i]!);
      if (control.isDue()) {
        control.within(JUDGING_PART + (1 - JUDGING_PART) * (i / kept.count));
        await control.breathe();
      }
    }
  } finally {
    reader.close();
  }
}

async function copyAll(
  { fileSystem, control, digest }: WriteChunk,
  source: Chunk,
  start: number,
  writer: ChunkWriter
): Promise<void> {
  const reader = new ChunkReader(fileSystem, source);
  try {
    const cursor = reader.cursor();
    while (cursor.next()) {
      const { record } = cursor;
      digest?.add(record, writer.dataSize);
      writer.append(record.bytes, cursor.framedStart, record.length + FRAME_LENGTH, record.position - start);
      if (control.isDue()) await control.breathe();
    }
  } finally {
    reader.close();
  }
}
