/** Worker threads that verify chunks. If one dies, its chunk fails, and with it the verification; nothing was changed. */
import type { ChunkOrder, ChunkVerified, StartVerifyWorkers } from '../../src-core/index.ts';
import { ThreadPool, threadUrl } from './thread-pool.ts';

export const startVerifyWorkers: StartVerifyWorkers = ({ count, signal }) => {
  const pool = new ThreadPool<ChunkOrder, ChunkVerified>({
    url: threadUrl('verify-worker', import.meta.url),
    count,
    name: 'A worker thread of the verification',
    remedy: 'Verify again with one thread. Report this with the details.'
  });
  return {
    verify: (order, onBytes) => pool.ask(order, { onAdvanced: onBytes, signal }),
    close: () => pool.close()
  };
};
