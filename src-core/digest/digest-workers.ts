/**
 * Chunks read for their digests by several threads at once: what the code that runs the threads must provide. The work is
 * done in this thread where there are none.
 */
import type { FileSystem } from '../storage/file-system.ts';
import type { DigestStore } from './digest-store.ts';
import { readDigests, type DigestOrder, type SettledDigest } from './read-digest.ts';

export interface DigestWorkers {
  /** Up to DIGESTS_TOGETHER chunks in the next free worker. A stop ends all of them with OperationStopped. */
  read(orders: readonly DigestOrder[], onBytes: (count: number) => void): Promise<SettledDigest[]>;
  /** Ends the workers; none is busy any more. */
  close(): Promise<void>;
}

export type StartDigestWorkers = (start: {
  count: number;
  signal: AbortSignal | undefined;
  /** Where they store digests; undefined: nowhere. */
  directory: string | undefined;
}) => DigestWorkers;

export function readDigestsInThisThread({
  fileSystem,
  store,
  breathe
}: {
  fileSystem: FileSystem;
  store: DigestStore | undefined;
  breathe: () => Promise<void>;
}): DigestWorkers {
  return {
    read: (orders, onBytes) => readDigests(orders, { fileSystem, store, breathe, onBytes }),
    close: () => Promise.resolve()
  };
}
