/** Worker threads for the chunks of a scavenge. If one dies, its chunk fails, and with it the run; nothing is left half in place. */
import { availableParallelism } from 'node:os';
import {
  usableMemoryBytes,
  WrittenProgress,
  type ChunkChecksum,
  type PreparedRewrite,
  type RateSetup,
  type StartRewriteWorkers,
  type WrittenHash
} from '../../src-core/index.ts';
import { ThreadPool, threadUrl } from './thread-pool.ts';
import type { RewriteQuestion, RewriteWorkerData } from './rewrite-worker.ts';

export const startRewriteWorkers: StartRewriteWorkers = (start) => startRewriteWorkersAt(undefined)(start);

/** `rate`: of the operation; undefined for none. */
export const startRewriteWorkersAt =
  (rate: RateSetup | undefined): StartRewriteWorkers =>
  ({ count, setup, signal }) => {
    const parts = {
      url: threadUrl('rewrite-worker', import.meta.url),
      setup: { setup, rate } satisfies RewriteWorkerData,
      name: 'A worker thread of the scavenge',
      remedy:
        'Run the scavenge again with one thread; it resumes where it stopped. Report this with the details.'
    };
    const pool = new ThreadPool<RewriteQuestion, unknown>({ ...parts, count });
    // A run at a rate hashes what it writes by itself: every byte counts once. Of several threads, which do so too while
    // they prepare chunks, one is free when chunks are merged.
    const mayFollow = rate === undefined && availableParallelism() > 1;
    const follower =
      mayFollow && count === 1 ? new ThreadPool<RewriteQuestion, unknown>({ ...parts, count: 1 }) : undefined;
    const followers = mayFollow ? (follower ?? pool) : undefined;
    return {
      memoryBytes: usableMemoryBytes(),
      prepare: async (order) => (await pool.ask({ kind: 'prepare', order }, { signal })) as PreparedRewrite,
      checksums: async (chunks) =>
        (await pool.ask({ kind: 'checksums', chunks }, { signal })) as (ChunkChecksum | undefined)[],
      follow: followers && ((path) => followWritten(followers, path)),
      close: async () => void (await Promise.all([pool.close(), follower?.close()]))
    };
  };

function followWritten(pool: ThreadPool<RewriteQuestion, unknown>, path: string): WrittenHash {
  const progress = new WrittenProgress();
  const hash = pool.ask({ kind: 'follow', path, shared: progress.shared }) as Promise<string>;
  hash.catch(() => {}); // heard where the hash is wanted
  return {
    wrote: (byteCount) => progress.wrote(byteCount),
    digest: (byteCount) => {
      progress.end(byteCount);
      return hash;
    },
    abandon: () => progress.giveUp()
  };
}
