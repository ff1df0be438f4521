/** Entry point of a worker thread that reads chunks for their digests, which go back without being copied. */
import {
  columnsOf,
  NodeFileSystem,
  OperationControl,
  readDigests,
  type ChunkParts
} from '../../src-core/index.ts';
import { outcomeOfError } from '../contract/outcome.ts';
import { answerQuestions } from './answer-questions.ts';

const fileSystem = new NodeFileSystem();

answerQuestions<readonly ChunkParts[]>(async (chunks, { signal, advance }) => {
  const control = new OperationControl({
    signal,
    elapsedMs: () => performance.now(),
    yieldTurn: () => new Promise((resolve) => setImmediate(resolve))
  });
  const breathe = async () => {
    if (control.isDue) await control.breathe();
  };
  const settled = await readDigests(chunks, { fileSystem, breathe, onBytes: advance });
  const moved = settled.flatMap((one) =>
    one.status === 'rejected' ? [] : columnsOf(one.value).map(({ buffer }) => buffer as ArrayBuffer)
  );
  const outcomes = settled.map((one) => {
    if (one.status === 'rejected') return outcomeOfError(one.reason);
    return { ok: true, value: one.value.image };
  });
  return { value: outcomes, moved };
});
