/** Worker threads for the chunks of a scavenge. If one dies, its chunk fails, and with it the run; nothing is left half in place. */
import type { ChunkChecksum, PreparedRewrite, RateSetup, StartRewriteWorkers } from '../../src-core/index.ts';
import { ThreadPool, threadUrl } from './thread-pool.ts';
import type { RewriteQuestion, RewriteWorkerData } from './rewrite-worker.ts';

export const startRewriteWorkers: StartRewriteWorkers = (start) => startRewriteWorkersAt(undefined)(start);

/** `rate`: of the operation; undefined for none. */
export const startRewriteWorkersAt =
  (rate: RateSetup | undefined): StartRewriteWorkers =>
  ({ count, setup, signal }) => {
    const pool = new ThreadPool<RewriteQuestion, PreparedRewrite | ChunkChecksum | undefined>({
      url: threadUrl('rewrite-worker', import.meta.url),
      count,
      setup: { setup, rate } satisfies RewriteWorkerData,
      name: 'A worker thread of the scavenge',
      remedy:
        'Run the scavenge again with one thread; it resumes where it stopped. Report this with the details.'
    });
    return {
      prepare: async (order) => (await pool.ask({ kind: 'prepare', order }, { signal })) as PreparedRewrite,
      checksum: async (chunk) =>
        (await pool.ask({ kind: 'checksum', chunk }, { signal })) as ChunkChecksum | undefined,
      close: () => pool.close()
    };
  };
