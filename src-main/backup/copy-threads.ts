/**
 * Threads that copy files into a local backup: each busy with one file, further files wait for a free one. A thread
 * that dies fails its file, and with it the backup, which is then an unfinished one.
 */
import { Worker } from 'node:worker_threads';
import {
  EngineError,
  OperationStopped,
  type CopiedFile,
  type CopyCallbacks,
  type CopyJob,
  type FileCopier
} from '../../src-core/index.ts';
import type { CopyFailure, FromCopyWorker, ToCopyWorker } from './copy-worker.ts';

/** Built code sits beside copy-worker.js; run from source, Node strips the types of copy-worker.ts itself. */
const workerUrl = new URL(
  import.meta.url.endsWith('.ts') ? './copy-worker.ts' : './copy-worker.js',
  import.meta.url
);

class CopyThread {
  readonly #worker = new Worker(workerUrl);
  #busy:
    | { resolve: (copied: CopiedFile) => void; reject: (error: Error) => void; callbacks: CopyCallbacks }
    | undefined;
  #death: Error | undefined;
  readonly #exited: Promise<void>;

  constructor() {
    this.#worker.on('message', (message: FromCopyWorker) => this.#take(message));
    this.#worker.on('error', (error) => this.#die(error));
    this.#exited = new Promise((resolve) =>
      this.#worker.on('exit', (code) => {
        this.#die(new Error(`exit code ${code}`));
        resolve();
      })
    );
  }

  async copy(job: CopyJob, callbacks: CopyCallbacks): Promise<CopiedFile> {
    if (this.#death) throw this.#death;
    if (callbacks.signal?.aborted) throw new OperationStopped();
    const stop = (): void => this.#post({ kind: 'stop' });
    callbacks.signal?.addEventListener('abort', stop, { once: true });
    try {
      return await new Promise<CopiedFile>((resolve, reject) => {
        this.#busy = { resolve, reject, callbacks };
        this.#post({ kind: 'copy', job });
      });
    } finally {
      callbacks.signal?.removeEventListener('abort', stop);
    }
  }

  close(): Promise<void> {
    this.#post({ kind: 'close' });
    return this.#exited;
  }

  #post(message: ToCopyWorker): void {
    this.#worker.postMessage(message);
  }

  #take(message: FromCopyWorker): void {
    if (message.kind === 'bytes') {
      this.#busy?.callbacks.onBytes(message.count);
      return;
    }
    const busy = this.#busy;
    this.#busy = undefined;
    if (message.kind === 'copied') busy?.resolve(message.copied);
    else busy?.reject(errorOf(message.failure));
  }

  #die(cause: unknown): void {
    this.#death ??= new EngineError({
      code: 'AssertionFailed',
      message: `A thread that copies files ended: ${cause instanceof Error ? cause.message : String(cause)}.`,
      remedy:
        'Run the backup again with --threads 1; it goes on where it stopped. Report this with the details.',
      cause
    });
    this.#busy?.reject(this.#death);
    this.#busy = undefined;
  }
}

function errorOf({ code, message, remedy, details }: CopyFailure): Error {
  return code === 'stopped' ? new OperationStopped() : new EngineError({ code, message, remedy, details });
}

export interface CopyThreads extends FileCopier {
  close(): Promise<void>;
}

/** At most `count` threads, started when they are first needed. */
export function startCopyThreads(count: number): CopyThreads {
  const threads: CopyThread[] = [];
  const free: CopyThread[] = [];
  const waiting: ((thread: CopyThread) => void)[] = [];
  const take = (): CopyThread | Promise<CopyThread> => {
    const idle = free.pop();
    if (idle) return idle;
    if (threads.length === count) return new Promise((resolve) => waiting.push(resolve));
    const thread = new CopyThread();
    threads.push(thread);
    return thread;
  };
  return {
    async copy(job, callbacks) {
      const thread = await take();
      try {
        return await thread.copy(job, callbacks);
      } finally {
        const next = waiting.shift();
        if (next) next(thread);
        else free.push(thread);
      }
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    }
  };
}
