/**
 * The workers of a scavenge with several threads, in this thread: each prepares its chunk in small steps, one step of each in
 * turn, on the file system of the run. So their calls are counted, cut and refused like all others, and come in the same order
 * each time. Real threads: scenarios/scavenge/several-threads.test.ts.
 */
import { OperationControl } from '../../src-core/database/operation-control.ts';
import { RewriteWorker, type StartRewriteWorkers } from '../../src-core/scavenge/output/rewrite-workers.ts';
import type { FileSystem } from '../../src-core/storage/file-system.ts';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Workers that share a file system. */
export function rewritingInTurns(fileSystem: FileSystem): StartRewriteWorkers {
  return ({ count, setup, signal }) => {
    let elapsedMs = 0;
    // A step is as long as the time a worker takes before it lets others in.
    const operation = () =>
      new OperationControl({ signal, elapsedMs: () => (elapsedMs += 1000), yieldTurn: nextTurn });
    const idle = Array.from(
      { length: count },
      () => new RewriteWorker({ setup, fileSystem, operation: operation() })
    );
    const waiting: ((worker: RewriteWorker) => void)[] = [];
    const all = [...idle];
    async function inNext<T>(work: (worker: RewriteWorker) => Promise<T>): Promise<T> {
      const worker = idle.shift() ?? (await new Promise<RewriteWorker>((resolve) => waiting.push(resolve)));
      try {
        await nextTurn();
        return await work(worker);
      } finally {
        const next = waiting.shift();
        if (next) next(worker);
        else idle.push(worker);
      }
    }
    return {
      memoryBytes: Infinity,
      prepare: (order) => inNext((worker) => worker.prepare(order)),
      checksums: (chunks) => inNext((worker) => worker.checksums(chunks)),
      sealing: {
        leastBytes: 0,
        leastFiles: 2,
        count: 1,
        hashes: (files) => inNext((worker) => worker.hashes(files)),
        seal: (file, md5) => inNext((worker) => Promise.resolve(worker.seal(file, md5)))
      },
      close: () => {
        for (const worker of all) worker.close();
        return Promise.resolve();
      }
    };
  };
}
