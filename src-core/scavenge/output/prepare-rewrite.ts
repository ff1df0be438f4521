/**
 * The work on one chunk that needs nothing but that chunk and the stored state: judge its records and, unless the
 * result is not wanted, write the new file under a temporary name. It may be done in this thread or in another;
 * putting the file in place is always the scavenger's.
 */
import { Chunk, type ChunkParts } from '../../chunks/chunk.ts';
import { requireSameChecksum, type ChunkChecksum } from '../../chunks/chunk-checksum.ts';
import { MD5_LENGTH } from '../../chunks/chunk-footer.ts';
import { ChunkReader, refuseTransformed } from '../../chunks/chunk-reader.ts';
import { HashedFile } from '../../chunks/hashed-file.ts';
import type { UnsealedChunk } from '../../chunks/unsealed-chunk.ts';
import { md5Hasher } from '../../codec/md5-lanes.ts';
import type { DigestImage } from '../../digest/chunk-digest.ts';
import { DigestBuilder } from '../../digest/digest-builder.ts';
import { judgeRecordsOf, type Judging } from '../decisions/judge-records.ts';
import type { JudgedCounts } from '../decisions/kept-judgements.ts';
import type { KeptRecords } from '../decisions/kept-records.ts';
import type { SharedVerdicts } from '../decisions/stream-verdicts.ts';
import { writeChunk, type Follow } from './write-chunk.ts';

/** Plain values, so that it may cross to a worker. */
export interface RewriteOrder {
  chunk: ChunkParts;
  temporaryPath: string;
  chunkId: string;
  formatVersion: number;
  /** A file that is not smaller than the old one is wanted too. */
  isLargerWanted: boolean;
  /** A file larger than this is not written, wanted or not; Infinity for none. */
  largestBytes: number;
  /** Digests of the old chunk are kept, so the new one should have one too. */
  wantsDigest: boolean;
  /** The one who asks checks the hash of the old chunk, and uses the new file only if it is right. */
  isCheckedElsewhere: boolean;
  /** A new file with so many bytes of records is left unsealed, to be hashed with others; Infinity for none. */
  unsealedFromBytes: number;
  /** For another thread: what the state says of streams; undefined: it asks the rows. */
  verdicts?: SharedVerdicts | undefined;
}

export interface PreparedRewrite extends JudgedCounts {
  /** Of the new file. */
  fileSize: number;
  /** False: the file was not written, because it is not smaller or there is no space; the old one stays. */
  isReplacement: boolean;
  /** It would be smaller, but there is no space for it. */
  isTooLarge: boolean;
  temporaryPath: string;
  /** The new file lacks its hash. */
  unsealed?: UnsealedChunk | undefined;
  /** Of the new file, where it is wanted. */
  digest?: DigestImage | undefined;
}

/** What may go on beside it, in other threads or while this one waits. */
export interface Beside {
  /** Rejects unless the hash of the old chunk is right; asked once it is certain that it is replaced. */
  requireSound?: ((chunk: Chunk) => Promise<void>) | undefined;
  follow?: Follow | undefined;
  /** The chunk was judged already. */
  judged?: Promise<JudgedChunk> | undefined;
  /** See WriteChunk. */
  onCopied?: (() => void) | undefined;
}

/** What is known of a chunk once its records are judged. */
export interface JudgedChunk {
  kept: KeptRecords;
  /** Of the old chunk, where it is hashed with the judging. */
  checksum: ChunkChecksum | undefined;
  /** Of the new one, where a digest is wanted. */
  digest: DigestBuilder | undefined;
}

/**
 * Unless it is checked elsewhere, the hash of the old chunk is computed while its records are judged, and compared before any
 * is copied.
 */
export async function prepareRewrite(
  order: RewriteOrder,
  judging: Judging,
  { requireSound, follow, judged: known, onCopied }: Beside = {}
): Promise<PreparedRewrite> {
  const { temporaryPath, chunkId, formatVersion } = order;
  const { fileSystem, control } = judging;
  const chunk = new Chunk(order.chunk);
  const judged = await (known ?? judgeChunk(chunk, judging, order));
  const { kept } = judged;
  const fileSize = kept.fileSize(formatVersion);
  const isWanted = order.isLargerWanted || fileSize < chunk.fileSize;
  const isTooLarge = isWanted && fileSize > order.largestBytes;
  const isReplacement = isWanted && !isTooLarge;
  let unsealed: UnsealedChunk | undefined;
  if (isReplacement) {
    if (!order.isCheckedElsewhere) requireSameChecksum(chunk, judged.checksum);
    unsealed = await writeChunk({
      fileSystem,
      control,
      sources: [chunk],
      temporaryPath,
      chunkId,
      formatVersion,
      kept,
      byteCount: kept.keptBytes,
      sound: requireSound?.(chunk) ?? Promise.resolve(),
      isHashedLater: kept.keptBytes >= order.unsealedFromBytes,
      follow,
      onCopied: () => {
        kept.giveBackPlaces(); // those of the next chunk come now
        onCopied?.();
      }
    });
  }
  const digest =
    isReplacement && order.wantsDigest
      ? judged.digest?.build({ dataSize: kept.keptBytes, isHashed: true }).image
      : undefined;
  return { ...kept.counts, fileSize, isReplacement, isTooLarge, temporaryPath, unsealed, digest };
}

export async function judgeChunk(
  chunk: Chunk,
  judging: Judging,
  { wantsDigest, isCheckedElsewhere }: Pick<RewriteOrder, 'wantsDigest' | 'isCheckedElsewhere'>
): Promise<JudgedChunk> {
  const { startPosition } = chunk;
  const digest = wantsDigest ? new DigestBuilder({ startPosition, isScavenged: true }) : undefined;
  const judged = await judgeHashed(chunk, judging, { builder: digest, isHashed: !isCheckedElsewhere });
  return { ...judged, digest };
}

async function judgeHashed(
  chunk: Chunk,
  judging: Judging,
  { builder, isHashed }: { builder: DigestBuilder | undefined; isHashed: boolean }
): Promise<{ kept: KeptRecords; checksum: ChunkChecksum | undefined }> {
  const { fileSystem, control } = judging;
  refuseTransformed(chunk);
  const file = fileSystem.open(chunk.path, 'read');
  try {
    if (!isHashed || !chunk.footer) {
      const reader = new ChunkReader({ open: () => file }, chunk);
      return { kept: await judgeRecordsOf(reader, judging, builder), checksum: undefined };
    }
    const offset = Math.max(0, file.size() - MD5_LENGTH);
    const breathe = async () => {
      if (control.isDue()) await control.breathe();
    };
    const hashed = new HashedFile(file, { end: offset, hasher: md5Hasher(), onBytes: () => {} });
    await hashed.readUpTo(chunk.dataStart, breathe);
    const kept = await judgeRecordsOf(new ChunkReader({ open: () => hashed }, chunk), judging, builder);
    const computed = await hashed.digest(breathe);
    return { kept, checksum: { computed, stored: chunk.footer.md5, offset } };
  } finally {
    file.close();
  }
}
