/**
 * What a scavenge frees, by the one rule that plan, run, thresholds and usage share: sizes of files, old minus new,
 * of the chunk files it rewrites or merges and of the index tables it copies. Whatever else a run changes on the disk
 * is no part of it and is named beside it, with its cause.
 */

export interface SpaceSaved {
  /** Of chunk files; below 0 when they grow. */
  log: number;
  /** Of index tables, without their filters. */
  index: number;
  total: number;
}

/** A merge is no chunk of its own: what it joins was counted where it was visited. */
export interface ChunkCount {
  /** Chunk files before the scavenge point. */
  visited: number;
  /** Of them, those that are replaced by a smaller file, or by one without records. */
  rewritten: number;
  /** Files that take the place of several. */
  merges: number;
}

export interface DiskChange {
  /**
   * `pointChunk`: writing a scavenge point completes the active chunk, whose file loses what was reserved, and begins
   * the next. `leftovers`: files of an interrupted run or superseded ones are removed first. `filters`: the filter of
   * a copied table has a size of its own.
   */
  cause: 'pointChunk' | 'leftovers' | 'filters';
  /** Freed; below 0 taken. */
  bytes: number;
}

export function bytesSaved(rows: readonly { bytesBefore: number; bytesAfter: number }[]): number {
  return rows.reduce((sum, { bytesBefore, bytesAfter }) => sum + bytesBefore - bytesAfter, 0);
}
