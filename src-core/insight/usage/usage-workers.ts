/**
 * Chunks counted by several threads at once: what the code that runs the threads must provide, and what a worker
 * does. The engine does not deal with threads itself; it is given a way to start them, and does the work itself
 * where it is not.
 */
import type { OperationControl } from '../../database/operation-control.ts';
import { hashStream } from '../../index/stream-hash.ts';
import { ScavengeState } from '../../scavenge/state/scavenge-state.ts';
import { MemoryState } from '../../scavenge/state/memory/memory-state.ts';
import type { StateImage } from '../../scavenge/state/memory/memory-tables.ts';
import { StreamVerdicts } from '../../scavenge/decisions/stream-verdicts.ts';
import type { FileSystem } from '../../storage/file-system.ts';
import { countChunk, type ChunkCount, type CountOrder, type CountRules } from './count-chunk.ts';

/** What all chunks have in common; plain values. */
export interface UsageSetup {
  /** What the calculated state says of streams; workers only read it. */
  state: StateImage;
  pointPosition: number;
  effectiveNow: bigint;
}

export interface UsageWorkers {
  /** Counts a chunk in the next free worker. A stop ends it with OperationStopped. */
  count(order: CountOrder, onBytes: (count: number) => void): Promise<ChunkCount>;
  /** Ends the workers; none is busy any more. */
  close(): Promise<void>;
}

export type StartUsageWorkers = (start: {
  count: number;
  setup: UsageSetup;
  signal: AbortSignal | undefined;
}) => UsageWorkers;

/** One worker. */
export class UsageWorker {
  readonly #fileSystem: FileSystem;
  readonly #state: ScavengeState;
  readonly #rules: CountRules;

  constructor(fileSystem: FileSystem, { state: image, pointPosition, effectiveNow }: UsageSetup) {
    this.#fileSystem = fileSystem;
    // It detects no collisions, so it needs no cache of names.
    const store = MemoryState.over(image);
    const state = new ScavengeState({ store, hasher: hashStream, hashUsersCacheCapacity: 1 });
    this.#state = state;
    const verdicts = new StreamVerdicts({ state, hasher: hashStream, effectiveNow });
    this.#rules = { state, verdicts, pointPosition, effectiveNow };
  }

  count(
    { chunk }: CountOrder,
    control: OperationControl,
    onBytes: (count: number) => void
  ): Promise<ChunkCount> {
    return countChunk({ chunk, fileSystem: this.#fileSystem, rules: this.#rules, control, onBytes });
  }

  close(): void {
    this.#state.close();
  }
}

/** One chunk after the other, in this thread. */
export function countInThisThread(
  fileSystem: FileSystem,
  control: OperationControl,
  setup: UsageSetup
): UsageWorkers {
  const worker = new UsageWorker(fileSystem, setup);
  return {
    count: (order, onBytes) => worker.count(order, control, onBytes),
    close: async () => worker.close()
  };
}
