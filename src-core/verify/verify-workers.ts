/**
 * Chunks verified by several threads at once: what the code that runs the threads must provide. Threads themselves
 * are no business of the engine; it is handed a way to start them, and does the work itself where it is not.
 */
import type { OperationControl } from '../database/operation-control.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { verifyChunk, type ChunkOrder, type ChunkVerified } from './verify-chunk.ts';

export interface VerifyWorkers {
  /** Verifies a chunk in the next free worker. A stop ends it with OperationStopped. */
  verify(order: ChunkOrder, onBytes: (count: number) => void): Promise<ChunkVerified>;
  /** Ends the workers; none is busy any more. */
  close(): Promise<void>;
}

export type StartVerifyWorkers = (start: { count: number; signal: AbortSignal | undefined }) => VerifyWorkers;

/** One chunk after the other, in this thread. */
export function verifyInThisThread(fileSystem: FileSystem, control: OperationControl): VerifyWorkers {
  return {
    verify: (order, onBytes) => verifyChunk({ ...order, fileSystem, control, onBytes }),
    close: () => Promise.resolve()
  };
}
