/** Worker threads that count chunks. If one dies, its chunk fails, and with it the count; nothing was changed. */
import type { ChunkCount, CountOrder, StartUsageWorkers } from '../../src-core/index.ts';
import { ThreadPool, threadUrl } from './thread-pool.ts';

export const startUsageWorkers: StartUsageWorkers = ({ count, setup, signal }) => {
  const pool = new ThreadPool<CountOrder, ChunkCount>({
    url: threadUrl('usage-worker', import.meta.url),
    count,
    setup,
    name: 'A worker thread of the count',
    remedy: 'Count again with one thread. Report this with the details.'
  });
  return {
    count: (order, onBytes) => pool.ask(order, { onAdvanced: onBytes, signal }),
    close: () => pool.close()
  };
};
