/**
 * Chunks prepared by several workers at once: what is asked of whoever runs the workers, and what a worker does.
 * Threads themselves are no business of the engine; it is handed a way to start them.
 */
import type { OperationControl } from '../database/operation-control.ts';
import { hashStream } from '../index/stream-hash.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { prepareRewrite, type PreparedRewrite, type RewriteOrder } from './prepare-rewrite.ts';
import { RunControl } from './run-control.ts';
import { ScavengeState } from './state/scavenge-state.ts';
import { StateStore } from './state/state-store.ts';
import { StreamVerdicts } from './stream-verdicts.ts';

/** What all chunks of a run have in common; plain values. */
export interface RewriteSetup {
  statePath: string;
  cacheSizeBytes: number | undefined;
  pointPosition: number;
  effectiveNow: bigint;
  ignoreHardDeletes: boolean;
}

export interface RewriteWorkers {
  /** Prepares a chunk in the next free worker. A stop ends it with OperationStopped. */
  prepare(order: RewriteOrder): Promise<PreparedRewrite>;
  /** Ends the workers; none is busy any more. */
  close(): Promise<void>;
}

export type StartRewriteWorkers = (start: {
  count: number;
  setup: RewriteSetup;
  signal: AbortSignal | undefined;
}) => RewriteWorkers;

export interface RewriteWorkerParts {
  setup: RewriteSetup;
  fileSystem: FileSystem;
  operation: OperationControl;
}

/** One worker: its own connection to the state, which it only reads, and its own cache of streams. */
export class RewriteWorker {
  readonly #parts: RewriteWorkerParts;
  readonly #state: ScavengeState;
  readonly #verdicts: StreamVerdicts;
  readonly #control: RunControl;

  constructor(parts: RewriteWorkerParts) {
    this.#parts = parts;
    const { statePath, cacheSizeBytes, effectiveNow } = parts.setup;
    const store = StateStore.openToRead({
      path: statePath,
      ...(cacheSizeBytes === undefined ? {} : { cacheSizeBytes })
    });
    // It detects no collisions, so it needs no cache of names.
    this.#state = new ScavengeState({ store, hasher: hashStream, hashUsersCacheCapacity: 1 });
    this.#verdicts = new StreamVerdicts({ state: this.#state, hasher: hashStream, effectiveNow });
    this.#control = new RunControl({ operation: parts.operation });
  }

  prepare(order: RewriteOrder): Promise<PreparedRewrite> {
    const { fileSystem, setup } = this.#parts;
    const { pointPosition, ignoreHardDeletes } = setup;
    return prepareRewrite(order, {
      fileSystem,
      verdicts: this.#verdicts,
      control: this.#control,
      pointPosition,
      ignoreHardDeletes
    });
  }

  close(): void {
    this.#state.close();
  }
}
