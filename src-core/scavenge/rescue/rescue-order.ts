/**
 * In which order a rescue rewrites chunks: most bytes freed for each byte that the new file takes, first. What a
 * chunk will come to is not known before all of its records were judged, which takes as long as reading it; so it is
 * estimated from its weight and the length of its first records, and known exactly once it was tried.
 *
 * A chunk that does not fit waits until enough is freed. Pure but for the reading of those first records; the same
 * log and state give the same order, in a plan and in its run.
 */
import { ChunkReader } from '../../chunks/chunk-reader.ts';
import { completedFileSize, mapSizeOf } from '../../chunks/chunk-writer.ts';
import { FRAME_LENGTH } from '../../records/log-record.ts';
import type { FileSystem } from '../../storage/file-system.ts';
import { DISCARD_WEIGHT } from '../decisions/chunk-weights.ts';
import type { ScavengedChunk } from '../output/scavenged-chunk.ts';

/** Records that tell how long the others are. */
const SAMPLE_RECORDS = 512;

export interface RescueCandidate {
  /** In the list of chunks. */
  place: number;
  startNumber: number;
  fileSize: number;
  /** Of the new file; exact once the chunk was tried. */
  newFileSize: number;
  isExact: boolean;
}

export interface EstimatedChunk {
  dataSize: number;
  recordCount: number;
  weight: number;
  formatVersion: number;
}

/** Size of the file that would hold what is left of a chunk of this weight. */
export function estimateNewFileSize({
  dataSize,
  recordCount,
  weight,
  formatVersion
}: EstimatedChunk): number {
  const kept = Math.max(0, Math.ceil(recordCount - weight / DISCARD_WEIGHT));
  const keptBytes = recordCount === 0 ? 0 : Math.ceil(dataSize * (kept / recordCount));
  return completedFileSize({ dataSize: keptBytes, mapSize: mapSizeOf(kept), version: formatVersion });
}

/** Number of records of a chunk: from its map, else from the length of its first records. */
export function countRecordsRoughly(
  fileSystem: FileSystem,
  { chunk, recordCount, dataSize }: ScavengedChunk
) {
  if (recordCount !== null || !chunk) return recordCount ?? 0;
  const reader = new ChunkReader(fileSystem, chunk);
  try {
    let count = 0;
    let bytes = 0;
    for (const cursor = reader.cursor(); count < SAMPLE_RECORDS && cursor.next(); count++) {
      bytes += cursor.record.length + FRAME_LENGTH;
    }
    return bytes === 0 ? 0 : Math.round((dataSize / bytes) * count);
  } finally {
    reader.close();
  }
}

/** Bytes freed for each byte taken. */
export function gainOf({ fileSize, newFileSize }: Pick<RescueCandidate, 'fileSize' | 'newFileSize'>): number {
  return (fileSize - newFileSize) / newFileSize;
}

export class RescueOrder {
  readonly #waiting: RescueCandidate[];

  constructor(candidates: readonly RescueCandidate[]) {
    this.#waiting = [...candidates];
    this.#sort();
  }

  /** What has not found room yet, best first. */
  get waiting(): readonly RescueCandidate[] {
    return this.#waiting;
  }

  /**
   * The best one that fits the room, taken out. An estimate may be wrong: before it gives up it also tries what was
   * only estimated not to fit. undefined when nothing that waits can fit.
   */
  take(roomBytes: number): RescueCandidate | undefined {
    const fitting = this.#waiting.findIndex(({ newFileSize }) => newFileSize <= roomBytes);
    const at = fitting >= 0 ? fitting : this.#waiting.findIndex(({ isExact }) => !isExact);
    return at < 0 ? undefined : this.#waiting.splice(at, 1)[0];
  }

  /** It was tried and is larger than the room; it waits for more. */
  putBack(candidate: RescueCandidate, newFileSize: number): void {
    this.#waiting.push({ ...candidate, newFileSize, isExact: true });
    this.#sort();
  }

  #sort(): void {
    this.#waiting.sort((a, b) => gainOf(b) - gainOf(a) || a.startNumber - b.startNumber);
  }
}
