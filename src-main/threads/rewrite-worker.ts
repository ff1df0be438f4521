/**
 * Entry point of a worker thread that prepares chunks for a scavenge, or computes their checksums, one at a time. It reads
 * log and state, writes temporary files and nothing else.
 */
import { workerData } from 'node:worker_threads';
import {
  NodeFileSystem,
  OperationControl,
  RewriteWorker,
  type ChunkParts,
  type RewriteOrder,
  type RewriteSetup
} from '../../src-core/index.ts';
import { answerQuestions } from './answer-questions.ts';

export type RewriteQuestion =
  { kind: 'prepare'; order: RewriteOrder } | { kind: 'checksum'; chunk: ChunkParts };

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

answerQuestions<RewriteQuestion>(
  async (question, { signal }) => {
    // The worker keeps its log and state open for all questions; a stopped run asks no more.
    signal.addEventListener('abort', () => stop.abort(), { once: true });
    if (question.kind === 'checksum') return { value: await worker.checksum(question.chunk) };
    const value = await worker.prepare(question.order);
    const columns: ArrayBufferView[] = Object.values<ArrayBufferView>({ ...value.digest?.columns });
    return { value, moved: columns.map(({ buffer }) => buffer as ArrayBuffer) };
  },
  () => worker.close()
);
