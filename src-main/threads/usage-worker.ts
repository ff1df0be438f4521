/**
 * Entry point of a worker thread that counts chunks, one at a time. It reads log and state and nothing else; its
 * counts go back as plain values, arrays without being copied.
 */
import { workerData } from 'node:worker_threads';
import {
  NodeFileSystem,
  OperationControl,
  UsageWorker,
  type CountOrder,
  type UsageSetup
} from '../../src-core/index.ts';
import { answerQuestions } from './answer-questions.ts';

const worker = new UsageWorker(new NodeFileSystem(), workerData as UsageSetup);

answerQuestions<CountOrder>(
  async (order, { signal, advance }) => {
    const control = new OperationControl({
      signal,
      elapsedMs: () => performance.now(),
      yieldTurn: () => new Promise((resolve) => setImmediate(resolve))
    });
    const counted = await worker.count(order, control, advance);
    const { hashHigh, hashLow, pairStreams, pairTypes, pairValues, expiry } = counted;
    return {
      value: counted,
      moved: [hashHigh, hashLow, pairStreams, pairTypes, pairValues, expiry.values].map(
        ({ buffer }) => buffer
      )
    };
  },
  () => worker.close()
);
