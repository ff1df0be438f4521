/**
 * Entry point of a worker thread that prepares chunks for a scavenge, or computes their checksums, one at a time. It reads
 * log and state, writes temporary files and nothing else.
 */
import { workerData } from 'node:worker_threads';
import {
  RewriteWorker,
  type ChunkParts,
  type RateSetup,
  type RewriteOrder,
  type RewriteSetup
} from '../../src-core/index.ts';
import { answerQuestions } from './answer-questions.ts';
import { threadFiles } from './thread-files.ts';

export type RewriteQuestion =
  { kind: 'prepare'; order: RewriteOrder } | { kind: 'checksum'; chunk: ChunkParts };

export interface RewriteWorkerData {
  setup: RewriteSetup;
  rate: RateSetup | undefined;
}

const stop = new AbortController();
const { setup, rate } = workerData as RewriteWorkerData;
const { fileSystem, controlFor } = threadFiles(rate);
const worker = new RewriteWorker({
  setup,
  fileSystem,
  operation: controlFor(stop.signal)
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
