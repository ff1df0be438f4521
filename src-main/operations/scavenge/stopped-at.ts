/** A run with an end: it stops in an orderly way once a time has come, and its report says so. */
import { invalidRequest } from '../../../src-core/index.ts';
import type { OperationContext } from '../operation.ts';

/** A timer waits no longer than this. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

export interface TimedRun {
  context: OperationContext;
  /** What its report says of the time. */
  remark: (report: { result: string }) => { stoppedAtTime?: string };
  end: () => void;
}

/** `until`: ISO 8601; undefined: no such time. Throws InvalidRequest for one that has passed. */
export function stoppedAt(until: string | undefined, context: OperationContext): TimedRun {
  if (until === undefined) return { context, remark: () => ({}), end: () => undefined };
  const { clock, log } = context;
  const untilMs = Date.parse(until);
  if (Number.isNaN(untilMs)) throw invalidRequest(`"${until}" is not a time in ISO 8601.`, 'until');
  if (untilMs <= clock()) {
    throw invalidRequest(`The time to stop at, ${until}, has passed. Nothing was written.`, 'until');
  }
  let hasCome = false;
  const isOver = (): boolean => {
    if (hasCome || clock() < untilMs) return hasCome;
    hasCome = true;
    log({ level: 'info', message: `It is ${until}: the run stops at its next checkpoint.` });
    return true;
  };
  // While it waits for a backup it takes no turns.
  const timed = new AbortController();
  const wait = (): NodeJS.Timeout =>
    setTimeout(
      () => {
        if (isOver()) timed.abort();
        else timer = wait();
      },
      Math.min(LONGEST_WAIT_MS, Math.max(1, untilMs - clock()))
    );
  let timer = wait();
  return {
    context: { ...context, control: context.control.stoppedOnce(isOver).stoppedAlsoBy(timed.signal) },
    remark: ({ result }) => (hasCome && result === 'stopped' ? { stoppedAtTime: until } : {}),
    end: () => clearTimeout(timer)
  };
}
