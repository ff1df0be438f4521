/**
 * Entry point of a worker thread that verifies some chunks at once. It reads files and nothing else; its findings go
 * back as plain values, arrays without being copied.
 */
import { workerData } from 'node:worker_threads';
import { verifyChunks, type ChunkOrder, type RateSetup } from '../../src-core/index.ts';
import { outcomeOfError } from '../contract/outcome.ts';
import { answerQuestions } from './answer-questions.ts';
import { threadFiles } from './thread-files.ts';

const { fileSystem, controlFor } = threadFiles((workerData ?? undefined) as RateSetup | undefined);

answerQuestions<readonly ChunkOrder[]>(async (orders, { signal, advance }) => {
  const settled = await verifyChunks(orders, {
    fileSystem,
    control: controlFor(signal),
    onBytes: advance
  });
  const moved = settled.flatMap((one) => {
    if (one.status === 'rejected') return [];
    const { digest, entries } = one.value;
    const { positions, checks, loose } = entries;
    const columns = digest ? (Object.values(digest.columns) as Uint8Array[]) : [];
    return [positions, checks, loose, ...columns].map(({ buffer }) => buffer as ArrayBuffer);
  });
  const outcomes = settled.map((one) =>
    one.status === 'fulfilled' ? { ok: true, value: one.value } : outcomeOfError(one.reason)
  );
  return { value: outcomes, moved };
});
