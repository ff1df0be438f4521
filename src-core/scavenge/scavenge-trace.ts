/**
 * The course of a scavenge as it can be watched from outside: which phase, chunk and checkpoint, in order. The
 * moments within loops exist so that a run can be stopped at a chosen record; normal runs do not listen.
 */
import type { WorkingPhase } from '../units/scavenge-terms.ts';
import type { ScavengeCheckpoint } from './state/scavenge-checkpoint.ts';
import type { StreamHandle } from './decisions/stream-handle.ts';

export const TRACED_PHASES = {
  accumulation: 'accumulate',
  calculation: 'calculate',
  chunkExecution: 'executeChunks',
  chunkMerging: 'mergeChunks',
  indexExecution: 'executeIndex',
  cleaning: 'clean'
} as const satisfies Record<WorkingPhase, string>;
export type TracedPhase = (typeof TRACED_PHASES)[WorkingPhase];

export type TraceEntry =
  | { kind: 'start'; phase: TracedPhase; scavengePoint: number; previous?: number | null }
  | { kind: 'resume'; phase: TracedPhase; from: ScavengeCheckpoint }
  | { kind: 'end' | 'aborted'; phase: TracedPhase }
  | { kind: 'accumulateChunk'; chunk: number }
  | { kind: 'checkpoint'; checkpoint: ScavengeCheckpoint }
  | { kind: 'rollback' }
  | {
      kind: 'setDiscardPoints';
      stream: StreamHandle;
      status: number;
      discardPoint: number;
      maybeDiscardPoint: number;
    }
  | { kind: 'retain' | 'rewrite'; first: number; last: number }
  | { kind: 'switchIn'; file: string };

export interface ScavengeTrace {
  entry?(entry: TraceEntry): void;
  /** A metadata record of this original stream is accumulated. */
  accumulatingMetadataOf?(stream: string): void;
  /** The first event of this stream is calculated. */
  calculatingStream?(handle: StreamHandle): void;
  /** A prepare of this stream is judged in a chunk that is being rewritten. */
  executingRecordOf?(stream: string): void;
  /** An index entry with this hash is judged. */
  executingIndexEntryOf?(high: number, low: number): void;
  /** A checkpoint was stored. */
  checkpointing?(checkpoint: ScavengeCheckpoint): void;
}
