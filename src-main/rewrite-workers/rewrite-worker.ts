/**
 * Entry of a worker thread that prepares chunks for a scavenge, one at a time. It reads log and state, writes
 * temporary files and nothing else.
 */
import { parentPort, workerData } from 'node:worker_threads';
import {
  EngineError,
  NodeFileSystem,
  OperationControl,
  OperationStopped,
  RewriteWorker,
  type ErrorCode,
  type ErrorDetails,
  type PreparedRewrite,
  type RewriteOrder,
  type RewriteSetup
} from '../../src-core/index.ts';

export type ToWorker = { kind: 'prepare'; order: RewriteOrder } | { kind: 'stop' } | { kind: 'close' };

/** Error classes do not survive the crossing. */
export interface WorkerFailure {
  code: ErrorCode | 'stopped';
  message: string;
  remedy: string;
  details: ErrorDetails;
}

export type FromWorker =
  { kind: 'prepared'; prepared: PreparedRewrite } | { kind: 'failed'; failure: WorkerFailure };

const port = parentPort!;
const stop = new AbortController();
const worker = new RewriteWorker({
  setup: workerData as RewriteSetup,
  fileSystem: new NodeFileSystem(),
  operation: new OperationControl({
    signal: stop.signal,
    elapsedMs: () => performance.now(),
    yieldTurn: () => new Promise((resolve) => setImmediate(resolve))
  })
});

function failureOf(error: unknown): WorkerFailure {
  if (error instanceof OperationStopped)
    return { code: 'stopped', message: error.message, remedy: '', details: {} };
  if (error instanceof EngineError) {
    const { code, message, remedy, details } = error;
    return { code, message, remedy, details };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: 'AssertionFailed', message, remedy: 'Report this with the details.', details: {} };
}

port.on('message', (message: ToWorker) => {
  const send = (answer: FromWorker): void => port.postMessage(answer);
  if (message.kind === 'stop') {
    stop.abort();
  } else if (message.kind === 'close') {
    worker.close();
    port.close();
  } else {
    worker.prepare(message.order).then(
      (prepared) => send({ kind: 'prepared', prepared }),
      (error: unknown) => send({ kind: 'failed', failure: failureOf(error) })
    );
  }
});
