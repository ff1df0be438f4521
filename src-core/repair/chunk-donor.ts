/**
 * Where chunks may be taken from when this database has lost them: a backup. Only facts and bytes; whether a chunk
 * fits is decided here in the engine (donor-fit.ts), whatever the donor says.
 */
export interface DonorChunk {
  fileName: string;
  /** First and last chunk number, inclusive. */
  startNumber: number;
  endNumber: number;
  isCompleted: boolean;
  fileSize: number;
  /** Of the plain bytes, lower-case hex digits; null if it was not recorded. */
  sha256: string | null;
}

export interface ChunkDonor {
  /** For messages: the backup as the user would name it. */
  readonly description: string;
  readonly chunkSizeBytes: number;
  readonly chunks: readonly DonorChunk[];
  read(chunk: DonorChunk): AsyncIterable<Uint8Array>;
}

/** The donor's chunk of exactly this range; undefined when it has none. */
export function donorChunkFor(
  donor: ChunkDonor | undefined,
  range: { startNumber: number; endNumber: number }
): DonorChunk | undefined {
  return donor?.chunks.find(
    ({ startNumber, endNumber }) => startNumber === range.startNumber && endNumber === range.endNumber
  );
}
