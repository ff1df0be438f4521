/**
 * The messages between the host of the engine (command line, window) and the engine's own thread or process.
 * Plain values only, failures included (contract/outcome.ts). Never sent: functions, class instances, shared memory.
 *
 * Rows of a stream travel in batches. The engine stops at WINDOW_BATCHES unacknowledged ones, so that a slow
 * reader holds the engine back instead of filling the memory.
 */
import type { OperationName } from '../contract/operations/operation-contract.ts';
import type { LogLine } from '../contract/log-line.ts';
import type { Outcome } from '../contract/outcome.ts';
import type { Progress } from '../contract/operations/reports.ts';

/** Approximate number of rows in one batch of a stream: a batch that has waited for long is sent earlier. */
export const BATCH_ROWS = 256;
/** Unacknowledged batches before the engine waits for the reader. */
export const WINDOW_BATCHES = 4;
/** Progress is sent at most ten times per second. */
export const PROGRESS_INTERVAL_MS = 100;

export type ToEngine =
  | { kind: 'call'; id: number; name: OperationName; request: unknown }
  | { kind: 'acknowledge'; id: number }
  | { kind: 'stop'; id: number };

export type FromEngine =
  | { kind: 'progress'; id: number; progress: Progress }
  | { kind: 'log'; id: number; line: LogLine }
  | { kind: 'rows'; id: number; rows: unknown[] }
  | { kind: 'outcome'; id: number; outcome: Outcome }
  /** The last message of an engine that cannot continue. */
  | { kind: 'dying'; reason: string };
