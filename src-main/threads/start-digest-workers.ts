/** Worker threads that read chunks for their digests. If one dies, its question fails; nothing was changed. */
import {
  ChunkDigest,
  type DigestImage,
  type DigestOrder,
  type SettledDigest,
  type StartDigestWorkers
} from '../../src-core/index.ts';
import { valueOrThrow, type Outcome } from '../contract/outcome.ts';
import type { DigestWorkerData } from './digest-worker.ts';
import { ThreadPool, threadUrl } from './thread-pool.ts';

export const startDigestWorkers: StartDigestWorkers = ({ count, signal, directory }) => {
  const pool = new ThreadPool<readonly DigestOrder[], Outcome[]>({
    url: threadUrl('digest-worker', import.meta.url),
    count,
    setup: { directory } satisfies DigestWorkerData,
    name: 'A worker thread that reads chunks',
    remedy: 'Ask again. Report this with the details if it happens twice.'
  });
  return {
    read: async (orders, onBytes) =>
      (await pool.ask(orders, { onAdvanced: onBytes, signal })).map(settledDigest),
    close: () => pool.close()
  };
};

function settledDigest(outcome: Outcome): SettledDigest {
  try {
    const image = valueOrThrow(outcome) as DigestImage | undefined;
    return { status: 'fulfilled', value: image && new ChunkDigest(image.columns, image.facts) };
  } catch (reason) {
    return { status: 'rejected', reason };
  }
}
