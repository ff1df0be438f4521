/**
 * What every operation gets besides its request: file system, clock, log, and the control through which it reports
 * progress, is stopped, and yields to others. An operation is one function in one file; it composes
 * the engine and shapes the answer, and knows nothing of processes, windows or terminals.
 */
import {
  FreedMemory,
  OperationControl,
  ticksFromMs,
  ticksToIso,
  type FileSystem,
  type ProgressSnapshot
} from '../../src-core/index.ts';
import type { LogLine } from '../contract/log-line.ts';
import type {
  CheckedRequestOf,
  Replies,
  ReportOperation,
  StreamOperation,
  StreamRows
} from '../contract/operations/operation-contract.ts';
import type { Progress } from '../contract/operations/reports.ts';

export interface OperationContext {
  readonly fileSystem: FileSystem;
  readonly control: OperationControl;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly log: (line: LogLine) => void;
}

export interface ContextParts {
  operation: string;
  dataDirectory: string;
  fileSystem: FileSystem;
  signal: AbortSignal;
  clock: () => number;
  onProgress: (progress: Progress) => void;
  onLog: (line: LogLine) => void;
}

/** Longest line of progress and log, in characters. */
const LONGEST_LINE = 2000;

/** The context of one run. */
export function operationContext(parts: ContextParts): OperationContext {
  const startedMs = performance.now();
  const elapsedMs = (): number => performance.now() - startedMs;
  const freed = new FreedMemory();
  const control = new OperationControl({
    signal: parts.signal,
    elapsedMs,
    yieldTurn: () => new Promise((resolve) => setImmediate(resolve)),
    onProgress: (snapshot: ProgressSnapshot) => {
      freed.at(snapshot.phase, elapsedMs());
      parts.onProgress({
        operation: parts.operation,
        dataDirectory: parts.dataDirectory,
        phase: snapshot.phase,
        done: snapshot.done,
        total: snapshot.total,
        unit: snapshot.unit,
        savedBytes: snapshot.savedBytes ?? 0,
        elapsedMs: Math.round(elapsedMs()),
        message: snapshot.message === undefined ? null : shortLine(snapshot.message)
      });
    }
  });
  const onLog = ({ level, message }: LogLine): void => parts.onLog({ level, message: shortLine(message) });
  return { fileSystem: parts.fileSystem, control, clock: parts.clock, log: onLog };
}

/** Progress and log contain names from the database, and a stream name may be anything of any length. */
function shortLine(text: string): string {
  return text.length <= LONGEST_LINE ? text : `${text.slice(0, LONGEST_LINE)}…`;
}

/** The current time in the form of reports and plans. */
export function timeOf({ clock }: Pick<OperationContext, 'clock'>): string {
  return ticksToIso(ticksFromMs(clock()));
}

export type ReportFunction<N extends ReportOperation> = (
  request: CheckedRequestOf<N>,
  context: OperationContext
) => Promise<Replies[N]>;

/** Rows in batches of the operation's own size; an empty batch yields between rare rows. */
export type StreamFunction<N extends StreamOperation> = (
  request: CheckedRequestOf<N>,
  context: OperationContext
) => AsyncIterable<StreamRows[N][]>;
