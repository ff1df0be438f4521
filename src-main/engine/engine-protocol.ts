/**
 * The messages between the host of the engine (command line, window) and the engine's own thread or process.
 * Plain values only: error classes do not survive the crossing, so failures travel as their parts and are
 * rebuilt on the other side. Never sent: functions, class instances, shared memory.
 *
 * Rows of a stream travel in batches. The engine stops at WINDOW_BATCHES unacknowledged ones, so that a slow
 * reader holds the engine back instead of filling the memory.
 */
import { EngineError, OperationStopped, type ErrorCode, type ErrorDetails } from '../../src-core/index.ts';
import type { OperationName } from '../operations/operation-contract.ts';
import type { Progress } from '../operations/reports.ts';

/** Approximate number of rows in one batch of a stream: a batch that has waited for long is sent earlier. */
export const BATCH_ROWS = 256;
/** Unacknowledged batches before the engine waits for the reader. */
export const WINDOW_BATCHES = 4;
/** Progress is sent at most ten times per second. */
export const PROGRESS_INTERVAL_MS = 100;

/** One line of the engine's log, for people. */
export interface LogLine {
  level: 'info' | 'warning';
  message: string;
}

export type ToEngine =
  | { kind: 'call'; id: number; name: OperationName; request: unknown }
  | { kind: 'acknowledge'; id: number }
  | { kind: 'stop'; id: number };

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

export type FromEngine =
  | { kind: 'progress'; id: number; progress: Progress }
  | { kind: 'log'; id: number; line: LogLine }
  | { kind: 'rows'; id: number; rows: unknown[] }
  | { kind: 'outcome'; id: number; outcome: Outcome }
  /** The last message of an engine that cannot continue. */
  | { kind: 'dying'; reason: string };

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
