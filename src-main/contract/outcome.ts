/**
 * How work ended, in the form that crosses processes and threads: error classes do not survive the crossing, so failures
 * travel as their parts and are built again on the other side.
 */
import { EngineError, OperationStopped, type ErrorCode, type ErrorDetails } from '../../src-core/index.ts';

export interface FailureParts {
  code: ErrorCode;
  message: string;
  remedy: string;
  details: ErrorDetails;
}

export type Outcome =
  | { ok: true; value: unknown }
  | { ok: false; stopped: true }
  | { ok: false; stopped: false; error: FailureParts };

/** A failure in the form that crosses. Anything but an EngineError is a bug. */
export function failureParts(error: unknown): FailureParts {
  if (error instanceof EngineError) {
    return { code: error.code, message: error.message, remedy: error.remedy, details: { ...error.details } };
  }
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    code: 'AssertionFailed',
    message: `Internal error: ${error instanceof Error ? error.message : String(error)}.`,
    remedy: 'No half-written file is in use. Report this with the details.',
    details: { reason }
  };
}

/** The end of an operation for its caller: the value, or the error to throw. */
export function valueOrThrow(outcome: Outcome): unknown {
  if (outcome.ok) return outcome.value;
  if (outcome.stopped) throw new OperationStopped();
  throw new EngineError(outcome.error);
}

/** The outcome for an error thrown by an operation. */
export function outcomeOfError(error: unknown): Outcome {
  if (error instanceof OperationStopped) return { ok: false, stopped: true };
  return { ok: false, stopped: false, error: failureParts(error) };
}
