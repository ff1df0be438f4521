/**
 * How work ended, in the form that crosses processes and threads: error classes do not survive the crossing, so failures
 * travel as their parts and are built again on the other side.
 */
import { EngineError, OperationStopped } from '../../src-core/index.ts';
import { errorReportOf, type FailureReport } from './error-report.ts';

export type Outcome =
  | { ok: true; value: unknown }
  | { ok: false; stopped: true }
  | { ok: false; stopped: false; error: FailureReport };

/** The end of an operation for its caller: the value, or the error to throw. */
export function valueOrThrow(outcome: Outcome): unknown {
  if (outcome.ok) return outcome.value;
  if (outcome.stopped) throw new OperationStopped();
  throw new EngineError(outcome.error);
}

/** The outcome for an error thrown by an operation. */
export function outcomeOfError(error: unknown): Outcome {
  if (error instanceof OperationStopped) return { ok: false, stopped: true };
  return { ok: false, stopped: false, error: errorReportOf(error) };
}
