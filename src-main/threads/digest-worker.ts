/** Entry point of a worker thread that reads chunks for their digests, which go back without being copied. */
import { workerData } from 'node:worker_threads';
import {
  columnsOf,
  NodeFileSystem,
  OperationControl,
  readDigests,
  type DigestOrder
} from '../../src-core/index.ts';
import { outcomeOfError } from '../contract/outcome.ts';
import { answerQuestions } from './answer-questions.ts';
import { digestStoreAt } from './thread-digests.ts';

export interface DigestWorkerData {
  /** Where digests are stored; undefined: nowhere. */
  directory: string | undefined;
}

const fileSystem = new NodeFileSystem();
const { directory } = workerData as DigestWorkerData;
const store = digestStoreAt(directory);

answerQuestions<readonly DigestOrder[]>(async (orders, { signal, advance }) => {
  const control = new OperationControl({
    signal,
    elapsedMs: () => performance.now(),
    yieldTurn: () => new Promise((resolve) => setImmediate(resolve))
  });
  const breathe = async () => {
    if (control.isDue) await control.breathe();
  };
  const settled = await readDigests(orders, { fileSystem, store, breathe, onBytes: advance });
  const moved = settled.flatMap((one) =>
    one.status === 'rejected' || !one.value
      ? []
      : columnsOf(one.value).map(({ buffer }) => buffer as ArrayBuffer)
  );
  const outcomes = settled.map((one) => {
    if (one.status === 'rejected') return outcomeOfError(one.reason);
    return { ok: true, value: one.value?.image };
  });
  return { value: outcomes, moved };
});
