/** The counted chunks as a scavenge of today sees them: their weight, and the file that a rewrite would make. */
import { completedFileSize, mapSizeOf } from '../../chunks/chunk-writer.ts';
import { newestFormatVersion } from '../../scavenge/output/chunk-output.ts';
import { scavengedChunkOf, type ScavengedChunk } from '../../scavenge/output/scavenged-chunk.ts';
import type { Usage } from './read-usage.ts';

export interface CountedChunk {
  chunk: ScavengedChunk;
  /** What a rewrite makes; null: it would not be smaller, or lies behind the point, so the file stays. */
  after: ScavengedChunk | null;
  weight: number;
  /** A threshold that the weight reaches makes the scavenge judge it. */
  isBeforePoint: boolean;
  discardable: { records: number; bytes: number };
}

/** Every chunk, in order. */
export function weighedChunks({ session, counts, weights, point }: Usage): CountedChunk[] {
  const { chunks } = session.database.log;
  const version = newestFormatVersion(chunks);
  return chunks.map((file, i) => {
    const counted = counts.chunks[i];
    const isBeforePoint = point !== undefined && counted !== undefined && file.startPosition < point.position;
    const recordCount = counted?.total.records ?? null;
    const chunk = { ...scavengedChunkOf(file), recordCount };
    if (!isBeforePoint) {
      return { chunk, after: null, weight: 0, isBeforePoint, discardable: { records: 0, bytes: 0 } };
    }
    const { total, discardable } = counted;
    const kept = { records: total.records - discardable.records, bytes: total.bytes - discardable.bytes };
    const fileSize = completedFileSize({ dataSize: kept.bytes, mapSize: mapSizeOf(kept.records), version });
    const after = { ...chunk, chunk: null, dataSize: kept.bytes, recordCount: kept.records, fileSize };
    const weight = weights.sum(file.startNumber, file.endNumber);
    return {
      chunk,
      after: fileSize < file.fileSize ? after : null,
      weight,
      isBeforePoint,
      discardable: { records: discardable.records, bytes: discardable.bytes }
    };
  });
}
