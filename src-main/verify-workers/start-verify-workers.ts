/**
 * Worker threads that verify chunks: each busy with one at a time, further chunks wait for a free one. A worker that
 * dies fails its chunk, and with it the verification; nothing was changed.
 */
import { Worker } from 'node:worker_threads';
import {
  EngineError,
  OperationStopped,
  type ChunkOrder,
  type ChunkVerified,
  type StartVerifyWorkers
} from '../../src-core/index.ts';
import type { FromWorker, ToWorker, WorkerFailure } from './verify-worker.ts';

/** Built code sits beside verify-worker.js; run from source, Node strips the types of verify-worker.ts itself. */
const workerUrl = new URL(
  import.meta.url.endsWith('.ts') ? './verify-worker.ts' : './verify-worker.js',
  import.meta.url
);

interface Busy {
  onBytes: (count: number) => void;
  resolve: (verified: ChunkVerified) => void;
  reject: (reason: Error) => void;
}

class VerifyThread {
  readonly #worker = new Worker(workerUrl);
  readonly #exited: Promise<void>;
  #busy: Busy | undefined;
  #death: Error | undefined;

  constructor() {
    this.#worker.on('message', (message: FromWorker) => this.#take(message));
    this.#worker.on('error', (error) => this.#die(error));
    this.#exited = new Promise((resolve) =>
      this.#worker.on('exit', (code) => {
        this.#die(new Error(`exit code ${code}`));
        resolve();
      })
    );
  }

  verify(order: ChunkOrder, onBytes: (count: number) => void): Promise<ChunkVerified> {
    if (this.#death) return Promise.reject(this.#death);
    return new Promise((resolve, reject) => {
      this.#busy = { onBytes, resolve, reject };
      this.#post({ kind: 'verify', order });
    });
  }

  stop(): void {
    this.#post({ kind: 'stop' });
  }

  close(): Promise<void> {
    this.#post({ kind: 'close' });
    return this.#exited;
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #take(message: FromWorker): void {
    const busy = this.#busy;
    if (message.kind === 'read') {
      busy?.onBytes(message.bytes);
      return;
    }
    this.#busy = undefined;
    if (message.kind === 'verified') busy?.resolve(message.verified);
    else busy?.reject(errorOf(message.failure));
  }

  #die(cause: unknown): void {
    this.#death ??= new EngineError({
      code: 'AssertionFailed',
      message: `A worker thread of the verification ended: ${cause instanceof Error ? cause.message : String(cause)}.`,
      remedy: 'Verify again with one thread. Report this with the details.',
      cause
    });
    this.#busy?.reject(this.#death);
    this.#busy = undefined;
  }
}

function errorOf({ code, message, remedy, details }: WorkerFailure): Error {
  return code === 'stopped' ? new OperationStopped() : new EngineError({ code, message, remedy, details });
}

export const startVerifyWorkers: StartVerifyWorkers = ({ count, signal }) => {
  const threads = Array.from({ length: count }, () => new VerifyThread());
  const free = [...threads];
  const waiting: ((thread: VerifyThread) => void)[] = [];
  const stop = (): void => threads.forEach((thread) => thread.stop());
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  return {
    async verify(order, onBytes) {
      const thread = free.pop() ?? (await new Promise<VerifyThread>((resolve) => waiting.push(resolve)));
      try {
        return await thread.verify(order, onBytes);
      } finally {
        const next = waiting.shift();
        if (next) next(thread);
        else free.push(thread);
      }
    },
    async close() {
      signal?.removeEventListener('abort', stop);
      await Promise.all(threads.map((thread) => thread.close()));
    }
  };
};
