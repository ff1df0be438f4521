/**
 * Entry point of a worker thread that verifies some chunks at once. It reads files and nothing else; its findings go
 * back as plain values, arrays without being copied.
 */
import { NodeFileSystem, OperationControl, verifyChunks, type ChunkOrder } from '../../src-core/index.ts';
import { outcomeOfError } from '../contract/outcome.ts';
import { answerQuestions } from './answer-questions.ts';

const fileSystem = new NodeFileSystem();

answerQuestions<readonly ChunkOrder[]>(async (orders, { signal, advance }) => {
  const control = new OperationControl({
    signal,
    elapsedMs: () => performance.now(),
    yieldTurn: () => new Promise((resolve) => setImmediate(resolve))
  });
  const settled = await verifyChunks(orders, { fileSystem, control, onBytes: advance });
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
