/**
 * The host of the engine: starts it in a worker thread or in Electron's utility process, validates
 * what it is asked (engine-door.ts), sends it calls, and turns its messages into promises and async iterables. The engine's death is a normal event here: every call
 * in progress fails with a clear error, listeners are told, and restart() starts a new engine.
 *
 * Invariants: every call settles exactly once; a stream that its reader leaves early is stopped in the engine;
 * messages of a replaced engine are ignored.
 */
import { Worker } from 'node:worker_threads';
import { takeEarlyThread } from './early-thread.ts';
import { fileURLToPath } from 'node:url';
import { EngineError } from '../../src-core/index.ts';
import type {
  OperationName,
  Replies,
  ReportOperation,
  RequestOf,
  StreamOperation,
  StreamRows
} from '../contract/operations/operation-contract.ts';
import type { LogLine } from '../contract/log-line.ts';
import { valueOrThrow, type Outcome } from '../contract/outcome.ts';
import type { Progress } from '../contract/operations/reports.ts';
import { checkedRequest } from './engine-door.ts';
import type { FromEngine, ToEngine } from './engine-protocol.ts';

/** Built code is beside engine-worker.js; run from source, Node strips the types of engine-worker.ts itself. */
const workerUrl = new URL(
  import.meta.url.endsWith('.ts') ? './engine-worker.ts' : './engine-worker.js',
  import.meta.url
);

/** How long close() waits for running operations to stop in an orderly way. */
const CLOSE_PATIENCE_MS = 5000;

export interface CallOptions {
  onProgress?: (progress: Progress) => void;
  onLog?: (line: LogLine) => void;
  signal?: AbortSignal;
  /** For work that a page keeps: its id there, which is also its id in the record of operations. */
  workId?: string;
}

export interface EngineHost {
  /** Runs an operation; rejects with the engine's EngineError, or OperationStopped once `signal` fired. */
  call<N extends ReportOperation>(name: N, request: RequestOf<N>, options?: CallOptions): Promise<Replies[N]>;
  /** Rows in batches as the engine finds them. Leaving the loop early stops the operation. */
  stream<N extends StreamOperation>(
    name: N,
    request: RequestOf<N>,
    options?: CallOptions
  ): AsyncIterable<StreamRows[N][]>;
  /** `listener` is called with the reason if the engine exits unexpectedly. */
  onDeath(listener: (reason: string) => void): void;
  /** Replaces a dead or a running engine with a new one; calls in progress fail. */
  restart(): void;
  /** Stops running work, waits a moment for it, and ends the engine. */
  close(): Promise<void>;
}

/** The part of Electron's UtilityProcess that is used here. */
export interface UtilityProcessLike {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
  kill(): boolean;
  readonly pid: number | undefined;
}

/** An engine that can be ended at any moment. */
export interface UtilityEngine extends EngineHost {
  /**
   * Ends the engine at once, as a power cut would end the machine; calls in progress fail. What was being written is,
   * as after any other interruption, complete or not in use.
   */
  kill(): void;
}

/** One running engine, however it was started. */
export interface EngineProcess {
  post(message: ToEngine): void;
  end(): Promise<void>;
  kill(): void;
}

export interface EngineListeners {
  onMessage: (message: FromEngine) => void;
  onEnd: (reason: string) => void;
}

export type StartEngine = (listeners: EngineListeners) => EngineProcess;

/** The host of an engine that `start` starts. */
export function hostOf(start: StartEngine): EngineHost {
  return new Host(start);
}

/** The engine in a worker thread: for the command line and for tests. */
export function startWorkerEngine(): EngineHost {
  return new Host((listeners) => {
    const worker = takeEarlyThread() ?? new Worker(workerUrl);
    worker.on('message', (message: FromEngine) => listeners.onMessage(message));
    worker.on('error', (error: unknown) =>
      listeners.onEnd(error instanceof Error ? (error.stack ?? error.message) : String(error))
    );
    worker.on('exit', (code) => listeners.onEnd(`its thread ended with code ${code}`));
    return {
      post: (message) => worker.postMessage(message),
      end: async () => {
        await worker.terminate();
      },
      kill: () => void worker.terminate()
    };
  });
}

/** The engine in Electron's utility process; `fork` is `utilityProcess.fork`, so that no test loads electron. */
export function startUtilityEngine(fork: (path: string) => UtilityProcessLike): UtilityEngine {
  return new Host((listeners) => {
    const child = fork(fileURLToPath(workerUrl));
    let ended = (): void => undefined;
    const hasEnded = new Promise<void>((resolve) => {
      ended = resolve;
    });
    child.on('message', (message) => listeners.onMessage(message as FromEngine));
    child.on('exit', (code) => {
      ended();
      listeners.onEnd(`its process ended with code ${code}`);
    });
    const kill = (): void => {
      // A process that is stopped, or deep in a system call, does not receive any other signal.
      if (child.pid !== undefined) process.kill(child.pid, 'SIGKILL');
    };
    return {
      post: (message) => child.postMessage(message),
      end: async () => {
        child.kill();
        const insisting = setTimeout(kill, CLOSE_PATIENCE_MS);
        await hasEnded;
        clearTimeout(insisting);
      },
      kill
    };
  });
}

interface PendingCall {
  options: CallOptions;
  settle: (outcome: Outcome) => void;
  onRows: (rows: unknown[]) => void;
  onAbort: () => void;
}

class Host implements UtilityEngine {
  readonly #start: StartEngine;
  readonly #pending = new Map<number, PendingCall>();
  readonly #deathListeners: ((reason: string) => void)[] = [];
  #engine: EngineProcess | undefined;
  #deathReason = '';
  #lastId = 0;

  constructor(start: StartEngine) {
    this.#start = start;
    this.#startEngine();
  }

  async call<N extends ReportOperation>(
    name: N,
    request: RequestOf<N>,
    options: CallOptions = {}
  ): Promise<Replies[N]> {
    const checked = checkedRequest(name, request);
    const outcome = await new Promise<Outcome>((resolve) => {
      this.#send(name, checked, { options, settle: resolve, onRows: () => undefined });
    });
    return valueOrThrow(outcome) as Replies[N];
  }

  async *stream<N extends StreamOperation>(
    name: N,
    request: RequestOf<N>,
    options: CallOptions = {}
  ): AsyncGenerator<StreamRows[N][], void, undefined> {
    const batches: StreamRows[N][][] = [];
    let outcome: Outcome | undefined;
    let wakeUp: (() => void) | undefined;
    const id = this.#send(name, checkedRequest(name, request), {
      options,
      settle: (end) => {
        outcome = end;
        wakeUp?.();
      },
      onRows: (rows) => {
        batches.push(rows as StreamRows[N][]);
        wakeUp?.();
      }
    });
    try {
      for (;;) {
        const batch = batches.shift();
        if (batch) {
          yield batch;
          if (outcome === undefined) this.#engine?.post({ kind: 'acknowledge', id });
        } else if (outcome !== undefined) {
          valueOrThrow(outcome);
          return;
        } else {
          await new Promise<void>((resolve) => {
            wakeUp = resolve;
          });
          wakeUp = undefined;
        }
      }
    } finally {
      if (this.#pending.has(id)) this.#engine?.post({ kind: 'stop', id });
    }
  }

  onDeath(listener: (reason: string) => void): void {
    this.#deathListeners.push(listener);
  }

  restart(): void {
    const old = this.#engine;
    this.#engine = undefined;
    this.#failPending('it was restarted');
    void old?.end();
    this.#startEngine();
  }

  async close(): Promise<void> {
    const engine = this.#engine;
    if (!engine) return;
    for (const id of this.#pending.keys()) engine.post({ kind: 'stop', id });
    const deadline = performance.now() + CLOSE_PATIENCE_MS;
    while (this.#pending.size > 0 && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    this.#engine = undefined;
    this.#deathReason = 'it was closed';
    this.#failPending(this.#deathReason);
    await engine.end();
  }

  kill(): void {
    const engine = this.#engine;
    this.#engine = undefined;
    this.#deathReason = 'it was ended because it did not stop';
    this.#failPending(this.#deathReason);
    engine?.kill();
  }

  #startEngine(): void {
    // Listeners of a replaced engine must stay silent: its exit is not a death.
    const isCurrent = (): boolean => this.#engine === engine;
    const engine: EngineProcess = this.#start({
      onMessage: (message) => {
        if (isCurrent()) this.#receive(message);
      },
      onEnd: (reason) => {
        if (isCurrent()) this.#die(reason);
      }
    });
    this.#engine = engine;
  }

  #send(name: OperationName, request: unknown, call: Omit<PendingCall, 'onAbort'>): number {
    const id = ++this.#lastId;
    const signal = call.options.signal;
    if (!this.#engine) {
      call.settle({ ok: false, stopped: false, error: deathError(this.#deathReason) });
      return id;
    }
    if (signal?.aborted) {
      call.settle({ ok: false, stopped: true });
      return id;
    }
    const onAbort = (): void => this.#engine?.post({ kind: 'stop', id });
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#pending.set(id, { ...call, onAbort });
    this.#engine.post({ kind: 'call', id, name, request });
    return id;
  }

  #receive(message: FromEngine): void {
    if (message.kind === 'dying') {
      const engine = this.#engine;
      this.#die(message.reason);
      void engine?.end();
      return;
    }
    const call = this.#pending.get(message.id);
    if (!call) return; // its reader has already left
    switch (message.kind) {
      case 'progress':
        call.options.onProgress?.(message.progress);
        return;
      case 'log':
        call.options.onLog?.(message.line);
        return;
      case 'rows':
        call.onRows(message.rows);
        return;
      case 'outcome':
        this.#settle(message.id, message.outcome);
        return;
    }
  }

  #settle(id: number, outcome: Outcome): void {
    const call = this.#pending.get(id);
    if (!call) return;
    this.#pending.delete(id);
    call.options.signal?.removeEventListener('abort', call.onAbort);
    call.settle(outcome);
  }

  #failPending(reason: string): void {
    for (const id of [...this.#pending.keys()]) {
      this.#settle(id, { ok: false, stopped: false, error: deathError(reason) });
    }
  }

  #die(reason: string): void {
    this.#engine = undefined;
    this.#deathReason = reason;
    this.#failPending(reason);
    for (const listener of this.#deathListeners) listener(reason);
  }
}

function deathError(reason: string): EngineError {
  return new EngineError({
    code: 'AssertionFailed',
    message: `The engine ended: ${reason.split('\n')[0] ?? reason}.`,
    remedy:
      'Nothing half-written is in use: the next opening cleans up. Start the engine again and report this.',
    details: { reason }
  });
}
