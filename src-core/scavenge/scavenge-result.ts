/**
 * What a run or a plan did, gathered while it goes on: one row for each physical chunk it looked at or merged and
 * for each index table. Plain values; the sums are made at the end.
 */
import type { ScavengePhase } from './run-control.ts';

export type ChunkDecision = 'rewritten' | 'emptied' | 'skipped' | 'keptLarger' | 'merged';

export interface ChunkOutcome {
  chunkStart: number;
  chunkEnd: number;
  weight: number;
  decision: ChunkDecision;
  bytesBefore: number;
  bytesAfter: number;
  recordsDiscarded: number;
  newFile?: string;
}

export interface TableOutcome {
  level: number;
  order: number;
  entriesBefore: number;
  entriesAfter: number;
  bytesBefore: number;
  bytesAfter: number;
}

/** How often accumulation found a stream's name in memory, and how often it had to ask the stored state. */
export interface HashUsersCacheUse {
  hits: number;
  misses: number;
}

export interface ScavengeWarning {
  code: string;
  message: string;
  remedy: string;
}

export interface PhaseTime {
  phase: ScavengePhase;
  elapsedMs: number;
}

export class ScavengeOutcome {
  readonly chunks: ChunkOutcome[] = [];
  readonly tables: TableOutcome[] = [];
  readonly warnings: ScavengeWarning[] = [];
  hashUsersCache: HashUsersCacheUse = { hits: 0, misses: 0 };
  readonly phases: PhaseTime[] = [];
  /** Hears of each row at the moment its work is done; rows of several threads come as they finish. */
  onRow: ((row: ChunkOutcome | TableOutcome, elapsedMs: number) => void) | undefined;

  /** The work of a row is done. How long it took is apart from the row, which a plan and its run have in common. */
  setElapsed(row: ChunkOutcome | TableOutcome, elapsedMs: number): void {
    this.onRow?.(row, elapsedMs);
  }

  get recordsDiscarded(): number {
    return this.chunks.reduce((sum, { recordsDiscarded }) => sum + recordsDiscarded, 0);
  }

  get indexEntriesDiscarded(): number {
    return this.tables.reduce((sum, table) => sum + table.entriesBefore - table.entriesAfter, 0);
  }

  /** Old minus new sizes of rewritten and merged chunks and of index tables. */
  get spaceSavedBytes(): number {
    const saved = (sum: number, row: { bytesBefore: number; bytesAfter: number }) =>
      sum + row.bytesBefore - row.bytesAfter;
    return this.tables.reduce(saved, this.chunks.reduce(saved, 0));
  }
}
