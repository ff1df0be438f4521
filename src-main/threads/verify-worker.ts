/**
 * Entry point of a worker thread that verifies chunks, one at a time. It reads files and nothing else; its findings go
 * back as plain values, arrays without being copied.
 */
import { NodeFileSystem, OperationControl, verifyChunk, type ChunkOrder } from '../../src-core/index.ts';
import { answerQuestions } from './answer-questions.ts';

const fileSystem = new NodeFileSystem();

answerQuestions<ChunkOrder>(async (order, { signal, advance }) => {
  const control = new OperationControl({
    signal,
    elapsedMs: () => performance.now(),
    yieldTurn: () => new Promise((resolve) => setImmediate(resolve))
  });
  const verified = await verifyChunk({ ...order, fileSystem, control, onBytes: advance });
  const { positions, checks, loose } = verified.entries;
  return {
    value: verified,
    moved: [positions, checks, loose].map(({ buffer }) => buffer as ArrayBuffer)
  };
});
