/**
 * Error families, sorted by what the user can do. Every error that leaves src-core is an EngineError:
 * what happened, to which file, at which position, and what to do next. Cancellation is an outcome, not a
 * failure; it has its own class so that it is not reported as one.
 */

export type ErrorCode =
  | 'InvalidRequest'
  | 'DatabaseNotFound'
  | 'StreamNotFound'
  | 'StreamDeleted'
  | 'DatabaseInUse'
  | 'LogCorrupt'
  | 'PlanStale'
  | 'IndexCorrupt'
  | 'UnsupportedFormat'
  | 'StorageFailed'
  | 'LicenseRequired'
  | 'RemoteNodeFailed'
  | 'AssertionFailed';

/** Where and what: all optional, all plain values, so that they survive JSON and structured clone. */
export interface ErrorDetails {
  /** File name as a person would look for it: relative to the directory it is in, or absolute. */
  file?: string;
  /** Byte offset in `file`. */
  offset?: number;
  /** Position in the log. */
  position?: number;
  expected?: string | number;
  found?: string | number;
  /** The named field of a wrong request. */
  field?: string;
  /** Operating system's error word, `ENOSPC` for example. */
  osCode?: string | undefined;
  [name: string]: string | number | boolean | undefined;
}

export interface ErrorParts {
  code: ErrorCode;
  message: string;
  remedy: string;
  details?: ErrorDetails;
  cause?: unknown;
}

export class EngineError extends Error {
  readonly code: ErrorCode;
  readonly remedy: string;
  readonly details: ErrorDetails;

  constructor(parts: ErrorParts) {
    super(parts.message, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.name = 'EngineError';
    this.code = parts.code;
    this.remedy = parts.remedy;
    this.details = parts.details ?? {};
  }
}

/** Throws it on unless the caller has an answer for it: a fault of one of these kinds, of any where none is named. */
export function requireFault(error: unknown, ...codes: ErrorCode[]): asserts error is EngineError {
  if (!(error instanceof EngineError)) throw error;
  if (codes.length > 0 && !codes.includes(error.code)) throw error;
}

/** Throws it on if it is a fault of one of these kinds, or none of ours. */
export function requireFaultBut(error: unknown, ...codes: ErrorCode[]): asserts error is EngineError {
  if (!(error instanceof EngineError) || codes.includes(error.code)) throw error;
}

/** The operating system's word for it, `ENOSPC` for example; undefined where the system refused nothing. */
export function osCodeOf(error: unknown): string | undefined {
  return error instanceof EngineError ? error.details.osCode : undefined;
}

/** A file was there when its directory was listed, and is not any more. */
export function isFileGone(error: unknown): boolean {
  return osCodeOf(error) === 'ENOENT';
}

/** Thrown through an operation when its AbortSignal fires; the operation's outcome is then "stopped". */
export class OperationStopped extends Error {
  constructor() {
    super('The operation was stopped.');
    this.name = 'OperationStopped';
  }
}

/** A chunk or record contradicts the format. */
export function logCorrupt(
  message: string,
  details: ErrorDetails,
  remedy?: string,
  cause?: unknown
): EngineError {
  return new EngineError({
    code: 'LogCorrupt',
    message,
    remedy: remedy ?? `Run "winnow verify" and restore ${details.file ?? 'the named chunk'} from a backup.`,
    details,
    cause
  });
}

/** The index contradicts its format or the log. The server rebuilds it from the log; so can we. */
export function indexCorrupt(message: string, details: ErrorDetails, cause?: unknown): EngineError {
  return new EngineError({
    code: 'IndexCorrupt',
    message,
    remedy:
      'Rebuild the index from the log: "winnow index rebuild", or let the server do it at its next start.',
    details,
    cause
  });
}

/** The question is wrong. `field` is the option or member to correct. */
export function invalidRequest(message: string, field: string, remedy?: string): EngineError {
  return new EngineError({
    code: 'InvalidRequest',
    message,
    remedy: remedy ?? `Correct ${field}.`,
    details: { field }
  });
}

/** A valid format that is not ours to read: newer, encrypted, experimental. */
export function unsupportedFormat(message: string, details: ErrorDetails, remedy?: string): EngineError {
  return new EngineError({
    code: 'UnsupportedFormat',
    message,
    remedy: remedy ?? 'Use a newer workbench. Nothing was changed.',
    details
  });
}
