/** The other side of a pool: called by a worker thread's entry point to answer its questions, one at a time. */
import { parentPort, type Transferable } from 'node:worker_threads';
import { outcomeOfError } from '../contract/outcome.ts';
import type { FromThread, ToThread } from './thread-protocol.ts';

/** Progress is reported in steps of this size: a message for each block would be too expensive. */
const TOLD_TOGETHER = 8 * 1024 * 1024;

export interface QuestionContext {
  /** Fires when the current question is abandoned. */
  signal: AbortSignal;
  /** Reports progress, in bytes. */
  advance: (count: number) => void;
}

export interface ThreadAnswer {
  value: unknown;
  /** Buffers of the value that are transferred instead of copied. */
  moved?: Transferable[];
}

/** `onClose`: before the thread ends. */
export function answerQuestions<Question>(
  answer: (question: Question, context: QuestionContext) => Promise<ThreadAnswer>,
  onClose?: () => void
): void {
  const port = parentPort!;
  let stop = new AbortController();
  const send = (message: FromThread, moved: Transferable[] = []): void => port.postMessage(message, moved);
  const handle = async (question: Question): Promise<void> => {
    stop = new AbortController();
    let untold = 0;
    const tell = (least: number): void => {
      if (untold < least) return;
      send({ kind: 'advanced', count: untold });
      untold = 0;
    };
    const advance = (count: number): void => {
      untold += count;
      tell(TOLD_TOGETHER);
    };
    try {
      const { value, moved } = await answer(question, { signal: stop.signal, advance });
      tell(1);
      send({ kind: 'outcome', outcome: { ok: true, value } }, moved);
    } catch (error) {
      send({ kind: 'outcome', outcome: outcomeOfError(error) });
    }
  };
  port.on('message', (message: ToThread<Question>) => {
    if (message.kind === 'ask') void handle(message.question);
    else if (message.kind === 'stop') stop.abort();
    else {
      stop.abort(); // nobody waits for what is still in work
      onClose?.();
      port.close();
    }
  });
}
