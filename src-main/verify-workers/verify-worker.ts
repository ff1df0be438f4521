/**
 * Entry of a worker thread that verifies chunks, one at a time. It reads files and nothing else; what it found goes
 * back as plain values, its arrays without being copied.
 */
import { parentPort } from 'node:worker_threads';
import {
  EngineError,
  NodeFileSystem,
  OperationControl,
  OperationStopped,
  verifyChunk,
  type ChunkOrder,
  type ChunkVerified,
  type ErrorCode,
  type ErrorDetails
} from '../../src-core/index.ts';

export type ToWorker = { kind: 'verify'; order: ChunkOrder } | { kind: 'stop' } | { kind: 'close' };

/** Error classes do not survive the crossing. */
export interface WorkerFailure {
  code: ErrorCode | 'stopped';
  message: string;
  remedy: string;
  details: ErrorDetails;
}

export type FromWorker =
  | { kind: 'read'; bytes: number }
  | { kind: 'verified'; verified: ChunkVerified }
  | { kind: 'failed'; failure: WorkerFailure };

/** Bytes between two messages about progress. */
const BYTES_BETWEEN_WORDS = 8 * 1024 * 1024;

const port = parentPort!;
const stop = new AbortController();
const fileSystem = new NodeFileSystem();
const control = new OperationControl({
  signal: stop.signal,
  elapsedMs: () => performance.now(),
  yieldTurn: () => new Promise((resolve) => setImmediate(resolve))
});

const send = (message: FromWorker, moved: ArrayBuffer[] = []): void => port.postMessage(message, moved);

async function verify(order: ChunkOrder): Promise<void> {
  let bytes = 0;
  const onBytes = (count: number): void => {
    bytes += count;
    if (bytes < BYTES_BETWEEN_WORDS) return;
    send({ kind: 'read', bytes });
    bytes = 0;
  };
  try {
    const verified = await verifyChunk({ ...order, fileSystem, control, onBytes });
    send({ kind: 'read', bytes });
    const { positions, checks, loose } = verified.entries;
    const buffers = [positions, checks, loose].map(({ buffer }) => buffer as ArrayBuffer);
    send({ kind: 'verified', verified }, buffers);
  } catch (error) {
    send({ kind: 'failed', failure: failureOf(error) });
  }
}

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
  if (message.kind === 'stop') stop.abort();
  else if (message.kind === 'close') port.close();
  else void verify(message.order);
});
