/**
 * What a run or a plan did, gathered while it runs: one row for each physical chunk it judged or merged and
 * for each index table. Plain values; the sums are made at the end.
 */
import type { ChunkWeight } from '../units/of-unit.ts';
import type { ChunkDecision, ScavengePhase } from '../units/scavenge-terms.ts';
import type { ScavengedChunk } from './output/scavenged-chunk.ts';
import { bytesSaved, type ChunkCount, type DiskChange, type SpaceSaved } from './space-saved.ts';

export interface ChunkOutcome {
  chunkStart: number;
  chunkEnd: number;
  weight: ChunkWeight;
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

/** A chunk that execution visited, and what became of it: the same one where the old file stays. */
export interface VisitedChunk {
  chunk: ScavengedChunk;
  after: ScavengedChunk;
  /** When it was visited; it is reset when the chunk is replaced. */
  weight: ChunkWeight;
}

/** A piece of the work that is done. */
export interface DoneWork {
  /** `read`: a chunk of the log was read for what it tells. */
  kind: 'read' | 'rewrite';
  /** Read and written of chunk files: the index takes its time and moves none. */
  bytes: number;
}

export class ScavengeOutcome {
  readonly chunks: ChunkOutcome[] = [];
  readonly visited: VisitedChunk[] = [];
  /** What else the run changes on the disk; no row is 0. */
  readonly besides: DiskChange[] = [];
  readonly tables: TableOutcome[] = [];
  readonly warnings: ScavengeWarning[] = [];
  /** undefined: no names were compared one by one. */
  hashUsersCache: HashUsersCacheUse | undefined = { hits: 0, misses: 0 };
  /** Chunks before the point that were not visited, once it is known; a run that was stopped has left them. */
  chunksLeft: number | undefined;
  readonly phases: PhaseTime[] = [];
  /** Hears of each row at the moment its work is done; rows of several threads come as they finish. */
  onRow: ((row: ChunkOutcome | TableOutcome, elapsedMs: number) => void) | undefined;
  /** Hears of the same, and of each chunk that was read: for how fast it goes. */
  onWork: ((work: DoneWork) => void) | undefined;

  /** The work of a row is done. How long it took is apart from the row, which a plan and its run have in common. */
  setElapsed(row: ChunkOutcome | TableOutcome, elapsedMs: number): void {
    this.onRow?.(row, elapsedMs);
    const isMoved = 'decision' in row && row.decision !== 'skipped';
    this.onWork?.({ kind: 'rewrite', bytes: isMoved ? row.bytesBefore + row.bytesAfter : 0 });
  }

  get recordsDiscarded(): number {
    return this.chunks.reduce((sum, { recordsDiscarded }) => sum + recordsDiscarded, 0);
  }

  get indexEntriesDiscarded(): number {
    return this.tables.reduce((sum, table) => sum + table.entriesBefore - table.entriesAfter, 0);
  }

  /** Old minus new sizes of rewritten and merged chunks and of index tables. */
  get spaceSaved(): SpaceSaved {
    const log = bytesSaved(this.chunks);
    const index = bytesSaved(this.tables);
    return { log, index, total: log + index };
  }

  get chunkCount(): ChunkCount {
    const count = (...decisions: ChunkDecision[]) =>
      this.chunks.filter(({ decision }) => decisions.includes(decision)).length;
    const merges = count('merged');
    return { visited: this.chunks.length - merges, rewritten: count('rewritten', 'emptied'), merges };
  }

  /** `bytes`: freed, or below 0 taken. */
  addBesides(cause: DiskChange['cause'], bytes: number): void {
    if (bytes !== 0) this.besides.push({ cause, bytes });
  }
}
