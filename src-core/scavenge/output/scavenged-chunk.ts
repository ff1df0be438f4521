/**
 * A physical chunk as a scavenge handles it: a file that is there, or, in a plan, one that would be. Both are
 * measured the same way, so that phases need not know which it is.
 */
import { assert } from '../../assert.ts';
import type { Chunk } from '../../chunks/chunk.ts';

export interface ScavengedChunk {
  startNumber: number;
  /** Inclusive. */
  endNumber: number;
  startPosition: number;
  /** Exclusive. */
  endPosition: number;
  isCompleted: boolean;
  /** Bytes of framed records. */
  dataSize: number;
  fileSize: number;
  /** Records in the file; null if not counted yet. */
  recordCount: number | null;
  /** The file; null when it exists only in a plan. */
  chunk: Chunk | null;
  /** Name of the file, or of the newest file it would be made from. */
  fileName: string;
}

export function scavengedChunkOf(chunk: Chunk): ScavengedChunk {
  return {
    startNumber: chunk.startNumber,
    endNumber: chunk.endNumber,
    startPosition: chunk.startPosition,
    endPosition: chunk.endPosition,
    isCompleted: chunk.isCompleted && !chunk.isActive,
    dataSize: chunk.dataSize,
    fileSize: chunk.fileSize,
    recordCount: chunk.isScavenged ? chunk.mapEntries : null,
    chunk,
    fileName: chunk.fileName
  };
}

/** "3" or "3-5". */
export function chunkRangeText({
  startNumber,
  endNumber
}: {
  startNumber: number;
  endNumber: number;
}): string {
  return startNumber === endNumber ? String(startNumber) : `${startNumber}-${endNumber}`;
}

/** Of a run, whose chunks all are files. */
export function fileOf({ chunk, startNumber }: ScavengedChunk): Chunk {
  assert(chunk !== null, `chunk ${startNumber} is a file`);
  return chunk;
}
