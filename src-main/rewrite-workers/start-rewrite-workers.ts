/**
 * Worker threads for the chunks of a scavenge: each busy with one chunk at a time, further chunks wait for a free
 * one. A worker that dies fails its chunk, and with it the run; nothing is half in place then.
 */
import { Worker } from 'node:worker_threads';
import { EngineError, OperationStopped, type StartRewriteWorkers } from '../../src-core/index.ts';
import type { FromWorker, Question, ToWorker, WorkerFailure } from './rewrite-worker.ts';

/** Built code sits beside rewrite-worker.js; run from source, Node strips the types of rewrite-worker.ts itself. */
const workerUrl = new URL(
  import.meta.url.endsWith('.ts') ? './rewrite-worker.ts' : './rewrite-worker.js',
  import.meta.url
);

type Answer = Exclude<FromWorker, { kind: 'failed' }>;

interface Busy {
  resolve: (answer: Answer) => void;
  reject: (reason: Error) => void;
}

class RewriteThread {
  readonly #worker: Worker;
  #busy: Busy | undefined;
  #death: Error | undefined;
  readonly #exited: Promise<void>;

  constructor(setup: unknown) {
    this.#worker = new Worker(workerUrl, { workerData: setup });
    this.#worker.on('message', (message: FromWorker) => this.#settle(message));
    this.#worker.on('error', (error) => this.#die(error));
    this.#exited = new Promise((resolve) =>
      this.#worker.on('exit', (code) => {
        this.#die(new Error(`exit code ${code}`));
        resolve();
      })
    );
  }

  ask(question: Question): Promise<Answer> {
    if (this.#death) return Promise.reject(this.#death);
    return new Promise((resolve, reject) => {
      this.#busy = { resolve, reject };
      this.#post(question);
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

  #settle(message: FromWorker): void {
    const busy = this.#busy;
    this.#busy = undefined;
    if (message.kind === 'failed') busy?.reject(errorOf(message.failure));
    else busy?.resolve(message);
  }

  #die(cause: unknown): void {
    this.#death ??= new EngineError({
      code: 'AssertionFailed',
      message: `A worker thread of the scavenge ended: ${cause instanceof Error ? cause.message : String(cause)}.`,
      remedy:
        'Run the scavenge again with one thread; it goes on where it stopped. Report this with the details.',
      cause
    });
    this.#busy?.reject(this.#death);
    this.#busy = undefined;
  }
}

function errorOf({ code, message, remedy, details }: WorkerFailure): Error {
  return code === 'stopped' ? new OperationStopped() : new EngineError({ code, message, remedy, details });
}

function wrongAnswer(kind: string): EngineError {
  return new EngineError({
    code: 'AssertionFailed',
    message: `A worker thread of the scavenge gave the answer "${kind}" to another question.`,
    remedy: 'Report this with the details.'
  });
}

export const startRewriteWorkers: StartRewriteWorkers = ({ count, setup, signal }) => {
  const threads = Array.from({ length: count }, () => new RewriteThread(setup));
  const free = [...threads];
  const waiting: ((thread: RewriteThread) => void)[] = [];
  const stop = (): void => threads.forEach((thread) => thread.stop());
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  const ask = async (question: Question): Promise<Answer> => {
    const thread = free.pop() ?? (await new Promise<RewriteThread>((resolve) => waiting.push(resolve)));
    try {
      return await thread.ask(question);
    } finally {
      const next = waiting.shift();
      if (next) next(thread);
      else free.push(thread);
    }
  };
  return {
    async prepare(order) {
      const answer = await ask({ kind: 'prepare', order });
      if (answer.kind !== 'prepared') throw wrongAnswer(answer.kind);
      return answer.prepared;
    },
    async checksum(chunk) {
      const answer = await ask({ kind: 'checksum', chunk });
      if (answer.kind !== 'checksum') throw wrongAnswer(answer.kind);
      return answer.checksum;
    },
    async close() {
      signal?.removeEventListener('abort', stop);
      await Promise.all(threads.map((thread) => thread.close()));
    }
  };
};
