/**
 * Chunks verified by several threads at once: what the code that runs the threads must provide. Threads themselves
 * are no business of the engine; it is handed a way to start them, and does the work itself where it is not.
 */
import type { OperationControl } from '../database/operation-control.ts';
import type { DigestStore } from '../digest/digest-store.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { verifyChunks, type ChunkOrder, type ChunkVerified } from './verify-chunk.ts';

export type SettledChunk = PromiseSettledResult<ChunkVerified>;

export interface VerifyWorkers {
  /** Verifies up to CHUNKS_TOGETHER chunks in the next free worker. A stop ends all of them with OperationStopped. */
  verify(orders: readonly ChunkOrder[], onBytes: (count: number) => void): Promise<SettledChunk[]>;
  /** Ends the workers; none is busy any more. */
  close(): Promise<void>;
}

export type StartVerifyWorkers = (start: {
  count: number;
  signal: AbortSignal | undefined;
  /** Where they keep digests; undefined: nowhere. */
  digestDirectory?: string | undefined;
}) => VerifyWorkers;

/** In this thread. */
export function verifyInThisThread(
  fileSystem: FileSystem,
  control: OperationControl,
  digests?: DigestStore
): VerifyWorkers {
  return {
    verify: (orders, onBytes) => verifyChunks(orders, { fileSystem, control, digests, onBytes }),
    close: () => Promise.resolve()
  };
}
