/**
 * Entry of a worker thread that prepares chunks for a scavenge, or computes their checksums, one at a time. It reads
 * log and state, writes temporary files and nothing else.
 */
import { parentPort, workerData } from 'node:worker_threads';
import {
  EngineError,
  NodeFileSystem,
  OperationControl,
  OperationStopped,
  RewriteWorker,
  type ChunkChecksum,
  type ChunkParts,
  type ErrorCode,
  type ErrorDetails,
  type PreparedRewrite,
  type RewriteOrder,
  type RewriteSetup
} from '../../src-core/index.ts';

export type Question = { kind: 'prepare'; order: RewriteOrder } | { kind: 'checksum'; chunk: ChunkParts };
export type ToWorker = Question | { kind: 'stop' } | { kind: 'close' };

/** Error classes do not survive the crossing. */
export interface WorkerFailure {
  code: ErrorCode | 'stopped';
  message: string;
  remedy: string;
  details: ErrorDetails;
}

export type FromWorker =
  | { kind: 'prepared'; prepared: PreparedRewrite }
  | { kind: 'checksum'; checksum: ChunkChecksum | undefined }
  | { kind: 'failed'; failure: WorkerFailure };

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

async function answer(question: Question): Promise<FromWorker> {
  if (question.kind === 'checksum') {
    return { kind: 'checksum', checksum: await worker.checksum(question.chunk) };
  }
  return { kind: 'prepared', prepared: await worker.prepare(question.order) };
}

port.on('message', (message: ToWorker) => {
  const send = (answer: FromWorker): void => port.postMessage(answer);
  if (message.kind === 'stop') {
    stop.abort();
  } else if (message.kind === 'close') {
    worker.close();
    port.close();
  } else {
    answer(message).then(send, (error: unknown) => send({ kind: 'failed', failure: failureOf(error) }));
  }
});
