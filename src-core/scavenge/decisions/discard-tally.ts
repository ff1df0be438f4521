/** Those who count what a plan removes while it judges: nothing is gone through a second time for it. */
import type { Chunk } from '../../chunks/chunk.ts';
import type { StreamHasher } from '../../index/stream-hash.ts';
import type { RunControl } from '../run-control.ts';
import type { KeptCalculation } from '../state/memory/kept-calculation.ts';
import type { ScavengeState } from '../state/scavenge-state.ts';
import type { KnownDiscards } from './known-discards.ts';
import type { StreamEntries } from './stream-entries.ts';

/** What records are judged by. */
export interface JudgedBy {
  state: ScavengeState;
  entries: StreamEntries;
  hasher: StreamHasher;
  control: Pick<RunControl, 'isDue' | 'breathe'>;
  effectiveNow: bigint;
  /** Where the result may be kept. */
  kept: KeptCalculation | undefined;
}

export interface DiscardTally {
  /** Chunks are about to be judged. */
  begin(by: JudgedBy): void;
  /** The chunk is replaced, without these; undefined: it was read, or judged by an earlier question. */
  replaced(chunk: Chunk, discards: KnownDiscards | undefined): Promise<void>;
  /** All chunks were judged, and what is kept of that is kept. */
  end(): void;
}
