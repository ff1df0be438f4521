/**
 * The engine's side of the protocol: accepts calls, whose requests have passed its door at the host, runs
 * them concurrently, and sends progress, rows and outcomes back. Independent of threads and processes; the owner of the
 * channel passes messages in and gets messages to send.
 *
 * Invariants: each call gets exactly one outcome, after its last rows; an operation that was stopped, failed or
 * finished sends nothing afterwards. After a failed assertion the outcome is sent and the engine asks to be
 * replaced: its memory can no longer be trusted.
 */
import { OperationStopped, type FileSystem } from '../../src-core/index.ts';
import { operationContext, type OperationContext } from '../operations/operation.ts';
import type { OperationName, StreamOperation } from '../contract/operations/operation-contract.ts';
import { isStreamOperation, runReportOperation, runStreamOperation } from '../operations/operation-table.ts';
import { outcomeOfError, type Outcome } from '../contract/outcome.ts';
import type { Progress } from '../contract/operations/reports.ts';
import {
  BATCH_ROWS,
  PROGRESS_INTERVAL_MS,
  WINDOW_BATCHES,
  type FromEngine,
  type ToEngine
} from './engine-protocol.ts';

/** Rows that have waited this long are sent even if the batch is not full. */
const BATCH_MAX_AGE_MS = 100;

export interface EngineServerParts {
  fileSystem: FileSystem;
  clock: () => number;
  send: (message: FromEngine) => void;
  /** Called after an outcome after which the engine must be replaced. */
  onBroken: (reason: string) => void;
}

interface RunningCall {
  abort: AbortController;
  unacknowledged: number;
  wakeUp: (() => void) | undefined;
}

export class EngineServer {
  readonly #parts: EngineServerParts;
  readonly #running = new Map<number, RunningCall>();

  constructor(parts: EngineServerParts) {
    this.#parts = parts;
  }

  /** Handles one message of the host. */
  handle(message: ToEngine): void {
    if (message.kind === 'call') {
      void this.#run(message.id, message.name, message.request);
      return;
    }
    const call = this.#running.get(message.id);
    if (!call) return; // it ended while the message was on its way
    if (message.kind === 'stop') call.abort.abort();
    else call.unacknowledged -= 1;
    call.wakeUp?.();
  }

  async #run(id: number, name: OperationName, request: unknown): Promise<void> {
    const call: RunningCall = { abort: new AbortController(), unacknowledged: 0, wakeUp: undefined };
    this.#running.set(id, call);
    const progress = new ProgressSender((snapshot) =>
      this.#parts.send({ kind: 'progress', id, progress: snapshot })
    );
    let outcome: Outcome;
    try {
      const context = operationContext({
        operation: name,
        dataDirectory: directoryIn(request),
        fileSystem: this.#parts.fileSystem,
        signal: call.abort.signal,
        clock: this.#parts.clock,
        onProgress: (snapshot) => progress.take(snapshot),
        onLog: (line) => this.#parts.send({ kind: 'log', id, line })
      });
      const value = isStreamOperation(name)
        ? await this.#sendRows(id, call, name, request, context)
        : await runReportOperation(name, request, context);
      outcome = { ok: true, value };
    } catch (error) {
      outcome = outcomeOfError(error);
    }
    progress.end();
    this.#running.delete(id);
    this.#parts.send({ kind: 'outcome', id, outcome });
    if (!outcome.ok && !outcome.stopped && outcome.error.code === 'AssertionFailed') {
      this.#parts.onBroken(outcome.error.message);
    }
  }

  async #sendRows(
    id: number,
    call: RunningCall,
    name: StreamOperation,
    request: unknown,
    context: OperationContext
  ): Promise<null> {
    let waiting: unknown[] = [];
    let sentMs = performance.now();
    const flush = async (): Promise<void> => {
      if (waiting.length === 0) return;
      this.#parts.send({ kind: 'rows', id, rows: waiting });
      waiting = [];
      sentMs = performance.now();
      call.unacknowledged += 1;
      while (call.unacknowledged >= WINDOW_BATCHES && !call.abort.signal.aborted) {
        await new Promise<void>((resolve) => {
          call.wakeUp = resolve;
        });
        call.wakeUp = undefined;
      }
      if (call.abort.signal.aborted) throw new OperationStopped();
    };
    try {
      for await (const rows of runStreamOperation(name, request, context)) {
        for (const row of rows) {
          waiting.push(row);
          if (waiting.length >= BATCH_ROWS) await flush();
        }
        if (performance.now() - sentMs >= BATCH_MAX_AGE_MS) await flush();
      }
    } finally {
      // Rows before a failure are good: the reader gets them, then the error.
      if (!call.abort.signal.aborted && waiting.length > 0) {
        this.#parts.send({ kind: 'rows', id, rows: waiting });
      }
    }
    return null;
  }
}

/** Sends the first snapshot at once, later ones at most every PROGRESS_INTERVAL_MS, always the newest. */
class ProgressSender {
  readonly #send: (progress: Progress) => void;
  #newest: Progress | undefined;
  #timer: NodeJS.Timeout | undefined;
  #sentMs = -Infinity;

  constructor(send: (progress: Progress) => void) {
    this.#send = send;
  }

  take(progress: Progress): void {
    this.#newest = progress;
    if (performance.now() - this.#sentMs >= PROGRESS_INTERVAL_MS) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), PROGRESS_INTERVAL_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#newest) return;
    this.#send(this.#newest);
    this.#newest = undefined;
    this.#sentMs = performance.now();
  }
}

function directoryIn(request: unknown): string {
  const { dataDirectory } = request as { dataDirectory?: unknown };
  return typeof dataDirectory === 'string' ? dataDirectory : '';
}
