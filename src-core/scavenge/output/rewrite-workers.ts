/**
 * Chunks prepared by several workers at once: what the code that runs the workers must provide, and what a worker
 * does. The engine does not deal with threads itself; it is given a way to start them.
 */
import { Chunk, type ChunkParts } from '../../chunks/chunk.ts';
import { readChunkChecksums, type ChunkChecksum } from '../../chunks/chunk-checksum.ts';
import { hashUnsealed, sealChunk, type UnsealedChunk } from '../../chunks/unsealed-chunk.ts';
import type { WrittenHash } from '../../chunks/written-hash.ts';
import type { OperationControl } from '../../database/operation-control.ts';
import { hashStream } from '../../index/stream-hash.ts';
import type { FileSystem } from '../../storage/file-system.ts';
import { prepareRewrite, type PreparedRewrite, type RewriteOrder } from './prepare-rewrite.ts';
import { RunControl } from '../run-control.ts';
import { ScavengeState } from '../state/scavenge-state.ts';
import { StateStore } from '../state/state-store.ts';
import { StreamVerdicts, type SharedVerdicts } from '../decisions/stream-verdicts.ts';

/** What all chunks of a run have in common; plain values. */
export interface RewriteSetup {
  statePath: string;
  cacheSizeBytes: number | undefined;
  pointPosition: number;
  effectiveNow: bigint;
  ignoreHardDeletes: boolean;
}

export interface RewriteWorkers {
  /** Of the machine, as far as this process may take it. */
  readonly memoryBytes: number;
  /** Prepares a chunk in the next free worker. A stop ends it with OperationStopped. */
  prepare(order: RewriteOrder): Promise<PreparedRewrite>;
  /** Computes the checksums of up to LANES chunks in the next free worker; undefined for one that is not completed. */
  checksums(chunks: readonly ChunkParts[]): Promise<(ChunkChecksum | undefined)[]>;
  /** Hashes a new file in a thread of its own while it is written; undefined where no processor is free for it. */
  follow?: ((path: string) => WrittenHash) | undefined;
  /** Undefined where the thread that writes a file hashes it as well. */
  sealing?: SealingWorkers | undefined;
  /** Ends the workers; none is busy any more. */
  close(): Promise<void>;
}

/** Other threads that hash new files side by side and seal them: see Sealing. */
export interface SealingWorkers {
  /** Smaller files are sealed by the one who writes them. */
  leastBytes: number;
  /** So many must be expected: the first ones wait for others, and that time is lost. */
  leastFiles: number;
  /** Groups that are hashed at once. */
  count: number;
  /** See hashUnsealed. */
  hashes(files: readonly UnsealedChunk[]): Promise<string[]>;
  /** See sealChunk. */
  seal(file: UnsealedChunk, md5: string): Promise<void>;
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

/** One worker: its own connection to the state, which it only reads, opened with the first chunk to prepare. */
export class RewriteWorker {
  readonly #parts: RewriteWorkerParts;
  #state: ScavengeState | undefined;
  #verdicts: StreamVerdicts | undefined;
  readonly #control: RunControl;

  constructor(parts: RewriteWorkerParts) {
    this.#parts = parts;
    this.#control = new RunControl({ operation: parts.operation });
  }

  #openState(shared: SharedVerdicts | undefined): StreamVerdicts {
    const { statePath, cacheSizeBytes, effectiveNow } = this.#parts.setup;
    const store = StateStore.openToRead({
      path: statePath,
      ...(cacheSizeBytes === undefined ? {} : { cacheSizeBytes })
    });
    // It detects no collisions, so it needs no cache of names.
    this.#state = new ScavengeState({ store, hasher: hashStream, hashUsersCacheCapacity: 1 });
    const state = this.#state;
    return (this.#verdicts = new StreamVerdicts({
      state,
      hasher: hashStream,
      effectiveNow,
      memoryBytes: 0, // they are shared, or too many
      shared
    }));
  }

  prepare(order: RewriteOrder): Promise<PreparedRewrite> {
    const { fileSystem, setup } = this.#parts;
    const { pointPosition, ignoreHardDeletes } = setup;
    return prepareRewrite(order, {
      fileSystem,
      verdicts: this.#verdicts ?? this.#openState(order.verdicts),
      control: this.#control,
      pointPosition,
      ignoreHardDeletes
    });
  }

  checksums(chunks: readonly ChunkParts[]): Promise<(ChunkChecksum | undefined)[]> {
    const files = chunks.map((parts) => new Chunk(parts));
    return readChunkChecksums(this.#parts.fileSystem, files, () => this.#control.breatheWhenDue());
  }

  hashes(files: readonly UnsealedChunk[]): Promise<string[]> {
    return hashUnsealed(this.#parts.fileSystem, files, () => this.#control.breatheWhenDue());
  }

  seal(file: UnsealedChunk, md5: string): void {
    sealChunk(this.#parts.fileSystem, file, md5);
  }

  close(): void {
    this.#state?.close();
  }
}
