/**
 * Entry point of a worker thread that prepares chunks for a scavenge, computes their checksums, or hashes and seals new files, also
 * while another thread writes them, one question at a time. It reads log and state, writes temporary files and nothing else.
 */
import { workerData } from 'node:worker_threads';
import {
  hashWhileWritten,
  RewriteWorker,
  type ChunkParts,
  type RateSetup,
  type RewriteOrder,
  type RewriteSetup,
  type UnsealedChunk
} from '../../src-core/index.ts';
import { answerQuestions } from './answer-questions.ts';
import { threadFiles } from './thread-files.ts';

export type RewriteQuestion =
  | { kind: 'prepare'; order: RewriteOrder }
  | { kind: 'checksums'; chunks: readonly ChunkParts[] }
  | { kind: 'follow'; path: string; shared: SharedArrayBuffer }
  | { kind: 'hashes'; files: readonly UnsealedChunk[] }
  | { kind: 'seal'; file: UnsealedChunk; md5: string };

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
    if (question.kind === 'checksums') return { value: await worker.checksums(question.chunks) };
    if (question.kind === 'follow') return { value: hashWhileWritten(fileSystem, question) };
    if (question.kind === 'hashes') return { value: await worker.hashes(question.files) };
    if (question.kind === 'seal') return { value: worker.seal(question.file, question.md5) };
    const value = await worker.prepare(question.order);
    const columns: ArrayBufferView[] = Object.values<ArrayBufferView>({ ...value.digest?.columns });
    return { value, moved: columns.map(({ buffer }) => buffer as ArrayBuffer) };
  },
  () => worker.close()
);
