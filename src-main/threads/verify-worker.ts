/**
 * Entry point of a worker thread that verifies some chunks at once. It reads files and nothing else; its findings go
 * back as plain values, arrays without being copied.
 */
import { workerData } from 'node:worker_threads';
import { verifyChunks, type ChunkOrder, type RateSetup } from '../../src-core/index.ts';
import { outcomeOfError } from '../contract/outcome.ts';
import { answerQuestions } from './answer-questions.ts';
import { digestStoreAt } from './thread-digests.ts';
import { threadFiles } from './thread-files.ts';

export interface VerifyWorkerData {
  rate: RateSetup | undefined;
  /** Where digests are kept; undefined: nowhere. */
  digestDirectory: string | undefined;
}

const { rate, digestDirectory } = workerData as VerifyWorkerData;
const { fileSystem, controlFor } = threadFiles(rate);
const digests = digestStoreAt(digestDirectory);

answerQuestions<readonly ChunkOrder[]>(async (orders, { signal, advance }) => {
  const settled = await verifyChunks(orders, {
    fileSystem,
    control: controlFor(signal),
    digests,
    onBytes: advance
  });
  const moved = settled.flatMap((one) => {
    if (one.status === 'rejected') return [];
    const { positions, checks, loose } = one.value.entries;
    return [positions, checks, loose].map(({ buffer }) => buffer as ArrayBuffer);
  });
  const outcomes = settled.map((one) =>
    one.status === 'fulfilled' ? { ok: true, value: one.value } : outcomeOfError(one.reason)
  );
  return { value: outcomes, moved };
});
