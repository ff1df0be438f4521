/**
 * The work on one chunk that needs nothing but that chunk and the stored state: judge its records and, unless the
 * result is not wanted, write the new file under a temporary name. It may be done in this thread or in another;
 * putting the file in place is always the scavenger's.
 */
import { Chunk, type ChunkParts } from '../../chunks/chunk.ts';
import { judgeRecords, type Judging } from '../decisions/judge-records.ts';
import type { KeptRecords } from '../decisions/kept-records.ts';
import { writeChunk, type ChecksumElsewhere } from './write-chunk.ts';

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
}

export interface PreparedRewrite {
  keptCount: number;
  keptBytes: number;
  discardedCount: number;
  discardedBytes: number;
  /** Of the discarded, those of streams that are deleted for good. */
  hardDeletedCount: number;
  /** Of the new file. */
  fileSize: number;
  /** False: the file was not written, because it is not smaller or there is no space; the old one stays. */
  isReplacement: boolean;
  /** It would be smaller, but there is no space for it. */
  isTooLarge: boolean;
  temporaryPath: string;
}

export async function prepareRewrite(
  order: RewriteOrder,
  judging: Judging,
  checksumElsewhere?: ChecksumElsewhere
): Promise<PreparedRewrite> {
  const { temporaryPath, chunkId, formatVersion } = order;
  const { fileSystem, control } = judging;
  const chunk = new Chunk(order.chunk);
  const kept = await judgeRecords(judging, chunk);
  const fileSize = kept.fileSize(formatVersion);
  const isWanted = order.isLargerWanted || fileSize < chunk.fileSize;
  const isTooLarge = isWanted && fileSize > order.largestBytes;
  const isReplacement = isWanted && !isTooLarge;
  if (isReplacement) {
    await writeChunk({
      fileSystem,
      control,
      sources: [chunk],
      temporaryPath,
      chunkId,
      formatVersion,
      kept,
      checksumElsewhere
    });
  }
  return { ...countsOf(kept), fileSize, isReplacement, isTooLarge, temporaryPath };
}

/** What a judged chunk keeps and loses, as plain values. */
export function countsOf(
  kept: KeptRecords
): Omit<PreparedRewrite, 'fileSize' | 'isReplacement' | 'isTooLarge' | 'temporaryPath'> {
  const { keptBytes, discardedCount, discardedBytes, hardDeletedCount } = kept;
  return { keptCount: kept.count, keptBytes, discardedCount, discardedBytes, hardDeletedCount };
}
