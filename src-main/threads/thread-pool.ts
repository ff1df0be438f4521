/**
 * A pool of worker threads: each works on one question at a time, further questions wait for a free one. A thread
 * that dies fails its question; threads are started when they are first needed.
 */
import { Worker } from 'node:worker_threads';
import { EngineError, OperationStopped } from '../../src-core/index.ts';
import { valueOrThrow } from '../contract/outcome.ts';
import type { FromThread, ToThread } from './thread-protocol.ts';

export interface ThreadPoolParts {
  /** The thread's entry: see threadUrl. */
  url: URL;
  count: number;
  /** Passed to each thread as its workerData. */
  setup?: unknown;
  /** Such as `A worker thread of the scavenge`: for the error if one dies. */
  name: string;
  /** The remedy if one dies. */
  remedy: string;
}

export interface AskOptions {
  onAdvanced?: (count: number) => void;
  signal?: AbortSignal | undefined;
}

/**
 * The entry point of a thread, beside `importer`. Built code is beside the built entry; run from source, Node
 * strips the types of the entry itself.
 */
export function threadUrl(name: string, importer: string): URL {
  return new URL(`./${name}${importer.endsWith('.ts') ? '.ts' : '.js'}`, importer);
}

export class ThreadPool<Question, Answer> {
  readonly #parts: ThreadPoolParts;
  readonly #threads: PooledThread<Question>[] = [];
  readonly #free: PooledThread<Question>[] = [];
  readonly #waiting: ((thread: PooledThread<Question>) => void)[] = [];

  constructor(parts: ThreadPoolParts) {
    this.#parts = parts;
  }

  /** Rejects with the thread's error, with OperationStopped once `signal` fired, with AssertionFailed if it died. */
  async ask(question: Question, options: AskOptions = {}): Promise<Answer> {
    const thread = await this.#take();
    try {
      return (await thread.ask(question, options)) as Answer;
    } finally {
      const next = this.#waiting.shift();
      if (next) next(thread);
      else this.#free.push(thread);
    }
  }

  /** Resolves when all threads have ended. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  #take(): PooledThread<Question> | Promise<PooledThread<Question>> {
    const idle = this.#free.pop();
    if (idle) return idle;
    if (this.#threads.length === this.#parts.count) {
      return new Promise((resolve) => this.#waiting.push(resolve));
    }
    const thread = new PooledThread<Question>(this.#parts);
    this.#threads.push(thread);
    return thread;
  }
}

interface Busy {
  onAdvanced: ((count: number) => void) | undefined;
  resolve: (answer: unknown) => void;
  reject: (reason: Error) => void;
}

class PooledThread<Question> {
  readonly #parts: ThreadPoolParts;
  readonly #worker: Worker;
  readonly #exited: Promise<void>;
  #busy: Busy | undefined;
  #death: Error | undefined;

  constructor(parts: ThreadPoolParts) {
    this.#parts = parts;
    this.#worker = new Worker(parts.url, { workerData: parts.setup });
    this.#worker.on('message', (message: FromThread) => this.#receive(message));
    this.#worker.on('error', (error) => this.#die(error));
    this.#exited = new Promise((resolve) =>
      this.#worker.on('exit', (code) => {
        this.#die(new Error(`exit code ${code}`));
        resolve();
      })
    );
  }

  async ask(question: Question, { onAdvanced, signal }: AskOptions): Promise<unknown> {
    if (this.#death) throw this.#death;
    if (signal?.aborted) throw new OperationStopped();
    const stop = (): void => this.#post({ kind: 'stop' });
    signal?.addEventListener('abort', stop, { once: true });
    try {
      return await new Promise((resolve, reject) => {
        this.#busy = { onAdvanced, resolve, reject };
        this.#post({ kind: 'ask', question });
      });
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  close(): Promise<void> {
    this.#post({ kind: 'close' });
    return this.#exited;
  }

  #post(message: ToThread<Question>): void {
    this.#worker.postMessage(message);
  }

  #receive(message: FromThread): void {
    const busy = this.#busy;
    if (message.kind === 'advanced') {
      busy?.onAdvanced?.(message.count);
      return;
    }
    this.#busy = undefined;
    try {
      busy?.resolve(valueOrThrow(message.outcome));
    } catch (error) {
      busy?.reject(error as Error);
    }
  }

  #die(cause: unknown): void {
    const { name, remedy } = this.#parts;
    this.#death ??= new EngineError({
      code: 'AssertionFailed',
      message: `${name} ended: ${cause instanceof Error ? cause.message : String(cause)}.`,
      remedy,
      cause
    });
    this.#busy?.reject(this.#death);
    this.#busy = undefined;
  }
}
