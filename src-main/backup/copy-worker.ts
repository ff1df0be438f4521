/** Entry of a worker thread that copies files into a backup, one at a time. Reads the source, writes temporary names. */
import { parentPort } from 'node:worker_threads';
import {
  copyFileInto,
  EngineError,
  NodeFileSystem,
  OperationStopped,
  type CopiedFile,
  type CopyJob,
  type ErrorCode,
  type ErrorDetails
} from '../../src-core/index.ts';
import { nodeLinks } from './node-links.ts';

export type ToCopyWorker = { kind: 'copy'; job: CopyJob } | { kind: 'stop' } | { kind: 'close' };

/** Error classes do not survive the crossing. */
export interface CopyFailure {
  code: ErrorCode | 'stopped';
  message: string;
  remedy: string;
  details: ErrorDetails;
}

export type FromCopyWorker =
  | { kind: 'bytes'; count: number }
  | { kind: 'copied'; copied: CopiedFile }
  | { kind: 'failed'; failure: CopyFailure };

/** Told in pieces of this size: a message for each block would cost more than it tells. */
const TOLD_BYTES = 8 * 1024 * 1024;

const port = parentPort!;
const fileSystem = new NodeFileSystem();
let stop = new AbortController();

function send(message: FromCopyWorker): void {
  port.postMessage(message);
}

async function copy(job: CopyJob): Promise<void> {
  stop = new AbortController();
  let untold = 0;
  const onBytes = (count: number): void => {
    untold += count;
    if (untold < TOLD_BYTES) return;
    send({ kind: 'bytes', count: untold });
    untold = 0;
  };
  try {
    const copied = await copyFileInto(job, { fileSystem, links: nodeLinks, signal: stop.signal, onBytes });
    if (untold > 0) send({ kind: 'bytes', count: untold });
    send({ kind: 'copied', copied });
  } catch (error) {
    send({ kind: 'failed', failure: failureOf(error) });
  }
}

function failureOf(error: unknown): CopyFailure {
  if (error instanceof OperationStopped)
    return { code: 'stopped', message: error.message, remedy: '', details: {} };
  if (error instanceof EngineError) {
    const { code, message, remedy, details } = error;
    return { code, message, remedy, details };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: 'AssertionFailed', message, remedy: 'Report this with the details.', details: {} };
}

port.on('message', (message: ToCopyWorker) => {
  if (message.kind === 'stop') stop.abort();
  else if (message.kind === 'close') port.close();
  else void copy(message.job);
});
