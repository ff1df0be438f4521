/**
 * What every operation gets besides its request: file system, clock, and the means to say how far it is, to be
 * stopped, and to let others have a turn. An operation is one function of one file; it composes the engine and
 * shapes the answer, and knows nothing of processes, windows or terminals.
 */
import { OperationStopped } from '../../src-core/errors.ts';
import type { FileSystem } from '../../src-core/storage/file-system.ts';
import type { LogLine } from '../engine/engine-protocol.ts';
import type {
  CheckedRequestOf,
  Replies,
  ReportOperation,
  StreamOperation,
  StreamRows
} from './operation-contract.ts';
import type { Progress } from './reports.ts';

/** How long an operation may work before it lets messages in. */
const SLICE_MS = 12;

export interface OperationContext {
  readonly fileSystem: FileSystem;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** A snapshot of how far the operation is; may be called as often as one likes. */
  readonly report: (progress: ProgressParts) => void;
  readonly log: (line: LogLine) => void;
  /** Waits for the next turn of the event loop when this slice is used up; throws OperationStopped once stopped. */
  readonly breathe: () => Promise<void> | undefined;
}

/** Progress without what the context knows itself. */
export type ProgressParts = Pick<Progress, 'phase' | 'done' | 'total' | 'unit'> &
  Partial<Pick<Progress, 'savedBytes' | 'message'>>;

export interface ContextParts {
  operation: string;
  dataDirectory: string;
  fileSystem: FileSystem;
  signal: AbortSignal;
  clock: () => number;
  onProgress: (progress: Progress) => void;
  onLog: (line: LogLine) => void;
}

/** The context of one run. */
export function operationContext(parts: ContextParts): OperationContext {
  const startedMs = performance.now();
  let sliceStartedMs = startedMs;
  return {
    fileSystem: parts.fileSystem,
    signal: parts.signal,
    clock: parts.clock,
    log: parts.onLog,
    report: (progress) =>
      parts.onProgress({
        operation: parts.operation,
        dataDirectory: parts.dataDirectory,
        savedBytes: 0,
        message: null,
        ...progress,
        elapsedMs: Math.round(performance.now() - startedMs)
      }),
    breathe: () => {
      if (parts.signal.aborted) throw new OperationStopped();
      if (performance.now() - sliceStartedMs < SLICE_MS) return undefined;
      return new Promise<void>((resolve, reject) => {
        setImmediate(() => {
          sliceStartedMs = performance.now();
          if (parts.signal.aborted) reject(new OperationStopped());
          else resolve();
        });
      });
    }
  };
}

export type ReportFunction<N extends ReportOperation> = (
  request: CheckedRequestOf<N>,
  context: OperationContext
) => Promise<Replies[N]>;

/** Rows in batches of the operation's own size; an empty batch is a breath between rare rows. */
export type StreamFunction<N extends StreamOperation> = (
  request: CheckedRequestOf<N>,
  context: OperationContext
) => AsyncIterable<StreamRows[N][]>;
