/** Worker threads that verify chunks. If one dies, its chunk fails, and with it the verification; nothing was changed. */
import type {
  ChunkOrder,
  ChunkVerified,
  RateSetup,
  SettledChunk,
  StartVerifyWorkers
} from '../../src-core/index.ts';
import { valueOrThrow, type Outcome } from '../contract/outcome.ts';
import { ThreadPool, threadUrl } from './thread-pool.ts';
import type { VerifyWorkerData } from './verify-worker.ts';

export const startVerifyWorkers: StartVerifyWorkers = (start) => startVerifyWorkersAt(undefined)(start);

/** `rate`: of the operation; undefined for none. */
export const startVerifyWorkersAt =
  (rate: RateSetup | undefined): StartVerifyWorkers =>
  ({ count, signal, digestDirectory }) => {
    const pool = new ThreadPool<readonly ChunkOrder[], Outcome[]>({
      url: threadUrl('verify-worker', import.meta.url),
      count,
      setup: { rate, digestDirectory } satisfies VerifyWorkerData,
      name: 'A worker thread of the verification',
      remedy: 'Verify again with one thread. Report this with the details.'
    });
    return {
      verify: async (orders, onBytes) =>
        (await pool.ask(orders, { onAdvanced: onBytes, signal })).map(settledChunk),
      close: () => pool.close()
    };
  };

function settledChunk(outcome: Outcome): SettledChunk {
  try {
    return { status: 'fulfilled', value: valueOrThrow(outcome) as ChunkVerified };
  } catch (reason) {
    return { status: 'rejected', reason };
  }
}
