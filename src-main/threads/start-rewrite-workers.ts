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

/** Smaller files are hashed sooner than they are handed over. */
const LEAST_SEALED_BYTES = 8 * 1024 * 1024;
/** With eight files, copying and hashing each at once took less time than waiting for four; with thirty-two a fifth more. */
const LEAST_SEALED_FILES = 12;
/** Hashed side by side, a file takes a quarter of the time of judging and copying it. */
const THREADS_OF_ONE_SEALER = 4;

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
    const pool: Pool = new ThreadPool({ ...parts, count });
    // Threads of their own: what is written would otherwise wait behind chunks that are to be prepared.
    const sealers = Math.ceil(count / THREADS_OF_ONE_SEALER);
    const sealing: Pool = new ThreadPool({ ...parts, count: sealers });
    // A run at a rate hashes what it writes by itself: every byte counts once. Of several threads, which do so too while
    // they prepare chunks, one is free when chunks are merged.
    const hashesElsewhere = rate === undefined && availableParallelism() > 1;
    const followers = count === 1 ? sealing : pool;
    return {
      memoryBytes: usableMemoryBytes(),
      prepare: async (order) => (await pool.ask({ kind: 'prepare', order }, { signal })) as PreparedRewrite,
      checksums: async (chunks) =>
        (await pool.ask({ kind: 'checksums', chunks }, { signal })) as (ChunkChecksum | undefined)[],
      follow: hashesElsewhere ? (path) => followWritten(followers, path) : undefined,
      sealing: hashesElsewhere
        ? {
            leastBytes: LEAST_SEALED_BYTES,
            leastFiles: LEAST_SEALED_FILES,
            count: sealers,
            hashes: async (files) => (await sealing.ask({ kind: 'hashes', files }, { signal })) as string[],
            seal: async (file, md5) => void (await sealing.ask({ kind: 'seal', file, md5 }, { signal }))
          }
        : undefined,
      close: async () => void (await Promise.all([pool.close(), sealing.close()]))
    };
  };

type Pool = ThreadPool<RewriteQuestion, unknown>;

function followWritten(pool: Pool, path: string): WrittenHash {
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
