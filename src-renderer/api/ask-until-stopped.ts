/** A question whose answer may come too late to be wanted: the view is closed, or has asked another one since. */
import type { ErrorReport } from '../../src-main/contract/verbs/workbench-contract.ts';
import { errorReportOf } from './engine-client.ts';

export interface StoppableQuestion<T> {
  ask: (signal: AbortSignal) => Promise<T>;
  answered: (answer: T) => void;
  /** Absent: nobody hears of it. */
  failed?: (error: ErrorReport) => void;
}

/** Asks at once. Once the returned function was called nothing is heard any more; the engine is told, by the signal. */
export function askUntilStopped<T>({ ask, answered, failed }: StoppableQuestion<T>): () => void {
  const question = new AbortController();
  const { signal } = question;
  ask(signal).then(
    (answer) => {
      if (!signal.aborted) answered(answer);
    },
    (failure: unknown) => {
      if (!signal.aborted) failed?.(errorReportOf(failure));
    }
  );
  return () => question.abort();
}

/** Asks only after a rest, and not at all if stopped before: what is asked for may change fast. */
export function askAfterRest<T>(restMs: number, question: StoppableQuestion<T>): () => void {
  let stop: (() => void) | undefined;
  const timer = setTimeout(() => (stop = askUntilStopped(question)), restMs);
  return () => {
    clearTimeout(timer);
    stop?.();
  };
}
