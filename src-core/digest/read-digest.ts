/**
 * Reads chunks once, every byte, for their digests: the hash of the file and the walk over its records share the pass.
 * Throws what a walk throws when a record is damaged. A hash that is not that of the footer only leaves the digest without
 * its mark: a question that needs a sound chunk checks it and says what is wrong.
 */
import { Chunk, type ChunkParts } from '../chunks/chunk.ts';
import { ChunkReader } from '../chunks/chunk-reader.ts';
import { HashedFile } from '../chunks/hashed-file.ts';
import { MD5_LENGTH } from '../chunks/chunk-footer.ts';
import { LANES, LEAST_SIDE_BY_SIDE, Md5Lanes, md5Hasher, type Hasher } from '../codec/md5-lanes.ts';
import type { FileSystem } from '../storage/file-system.ts';
import type { ChunkDigest } from './chunk-digest.ts';
import { DigestBuilder } from './digest-builder.ts';
import type { DigestStore } from './digest-store.ts';

const RECORDS_BETWEEN_LOOKS = 1024;
/** Large records: a hasher that keeps step with others must not get too much between two looks. */
const BYTES_BETWEEN_LOOKS = 256 * 1024;
/** How many chunks are best read at once in one thread. */
export const DIGESTS_TOGETHER = LANES;

/** Plain values: it crosses to a worker thread. */
export interface DigestOrder {
  chunk: ChunkParts;
  /** The digest is stored under this identity, if it may be kept; undefined: it is not. */
  keptAs?: string | undefined;
  /** Where it was stored it need not come back: memory would not hold the digests of all chunks. */
  isLeftInStore?: boolean | undefined;
}

export interface ReadDigests {
  fileSystem: FileSystem;
  /** Where digests are kept; undefined: nowhere. */
  store?: Pick<DigestStore, 'save' | 'has'> | undefined;
  /** Called now and then; may pause, and throws to stop. */
  breathe: () => Promise<void>;
  /** Bytes that were read. */
  onBytes: (count: number) => void;
}

/** undefined: it lies in the store. */
export type SettledDigest = PromiseSettledResult<ChunkDigest | undefined>;

/** Up to DIGESTS_TOGETHER chunks, their hashes side by side. A chunk that fails does not concern the others. */
export async function readDigests(
  orders: readonly DigestOrder[],
  options: ReadDigests
): Promise<SettledDigest[]> {
  const lanes = orders.length >= LEAST_SIDE_BY_SIDE ? new Md5Lanes() : undefined;
  return Promise.allSettled(
    orders.map((order) => readOne(order, { ...options, hasher: lanes?.open() ?? md5Hasher() }))
  );
}

/** Kept by the thread that has read it: encoding takes a fifth of the time of reading. */
async function readOne(
  { chunk: parts, keptAs, isLeftInStore }: DigestOrder,
  options: ReadDigests & { hasher: Hasher }
): Promise<ChunkDigest | undefined> {
  const { store } = options;
  const chunk = new Chunk(parts);
  const digest = await readDigest(chunk, options);
  const isSound = digest.isHashed || !chunk.isLasting;
  if (keptAs === undefined || !isSound) return digest;
  store?.save(digest, keptAs);
  // Nothing is stored where the volume has little room.
  return isLeftInStore === true && store?.has(keptAs) === true ? undefined : digest;
}

/** Whatever happens, also where the file is gone by now, the others must not wait for this hasher. */
async function readDigest(chunk: Chunk, options: ReadDigests & { hasher: Hasher }): Promise<ChunkDigest> {
  try {
    return await readHashed(chunk, options);
  } finally {
    options.hasher.close();
  }
}

async function readHashed(
  chunk: Chunk,
  { fileSystem, breathe, onBytes, hasher }: ReadDigests & { hasher: Hasher }
): Promise<ChunkDigest> {
  const file = fileSystem.open(chunk.path, 'read');
  try {
    const pause = async () => {
      await breathe();
      await hasher.turn();
    };
    const end = chunk.footer ? Math.max(0, file.size() - MD5_LENGTH) : 0;
    const hashed = new HashedFile(file, { end, hasher, onBytes });
    if (chunk.footer) await hashed.readUpTo(Math.min(chunk.dataStart, end), pause);
    const builder = new DigestBuilder(chunk);
    const cursor = new ChunkReader({ open: () => hashed }, chunk).cursor();
    let sinceLook = 0;
    let lastLook = 0;
    while (cursor.next()) {
      const { physicalOffset } = cursor;
      builder.add(cursor.record, physicalOffset);
      if (++sinceLook < RECORDS_BETWEEN_LOOKS && physicalOffset - lastLook < BYTES_BETWEEN_LOOKS) continue;
      sinceLook = 0;
      lastLook = physicalOffset;
      await pause();
    }
    const isHashed = chunk.footer !== null && (await hashed.digest(pause)) === chunk.footer.md5;
    return builder.build({ dataSize: chunk.dataSize, isHashed });
  } finally {
    file.close();
  }
}

/** The digest of one chunk at once, without its hash: of one that is being written, or where nothing is kept. */
export function readDigestAtOnce(fileSystem: FileSystem, chunk: Chunk): ChunkDigest {
  const reader = new ChunkReader(fileSystem, chunk);
  try {
    const builder = new DigestBuilder(chunk);
    const cursor = reader.cursor();
    while (cursor.next()) builder.add(cursor.record, cursor.physicalOffset);
    return builder.build({ dataSize: chunk.dataSize, isHashed: false });
  } finally {
    reader.close();
  }
}
