/**
 * Chunks read for their digests by several threads at once: what the code that runs the threads must provide. The work is
 * done in this thread where there are none.
 */
import type { ChunkParts } from '../chunks/chunk.ts';
import type { FileSystem } from '../storage/file-system.ts';
import type { ChunkDigest } from './chunk-digest.ts';
import { readDigests } from './read-digest.ts';

export type SettledDigest = PromiseSettledResult<ChunkDigest>;

export interface DigestWorkers {
  /** Up to DIGESTS_TOGETHER chunks in the next free worker. A stop ends all of them with OperationStopped. */
  read(chunks: readonly ChunkParts[], onBytes: (count: number) => void): Promise<SettledDigest[]>;
  /** Ends the workers; none is busy any more. */
  close(): Promise<void>;
}

export type StartDigestWorkers = (start: { count: number; signal: AbortSignal | undefined }) => DigestWorkers;

export function readDigestsInThisThread(fileSystem: FileSystem, breathe: () => Promise<void>): DigestWorkers {
  return {
    read: (chunks, onBytes) => readDigests(chunks, { fileSystem, breathe, onBytes }),
    close: () => Promise.resolve()
  };
}
