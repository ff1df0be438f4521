/** Exit codes of the command line. Scripts rely on them: a number never changes its meaning. */
import { EngineError, OperationStopped, type ErrorCode } from '../../src-core/index.ts';

export const EXIT_DONE = 0;
/** `verify` and its relatives found damage. */
export const EXIT_FINDINGS = 1;
export const EXIT_WRONG_REQUEST = 2;
/** A bug in Winnow. */
export const EXIT_INTERNAL = 70;
export const EXIT_STOPPED = 130;

/** By error code: the page docs/operations/errors.md has each of them. */
export const EXIT_CODES: Readonly<Record<ErrorCode, number>> = {
  InvalidRequest: EXIT_WRONG_REQUEST,
  DatabaseNotFound: 10,
  StreamNotFound: 10,
  StreamDeleted: 10,
  DatabaseInUse: 11,
  LogCorrupt: 12,
  PlanStale: 12,
  IndexCorrupt: 13,
  UnsupportedFormat: 14,
  StorageFailed: 15,
  LicenseRequired: 16,
  RemoteNodeFailed: 17,
  AssertionFailed: EXIT_INTERNAL
};

/** The exit code for an error thrown by a command. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof OperationStopped) return EXIT_STOPPED;
  return error instanceof EngineError ? EXIT_CODES[error.code] : EXIT_INTERNAL;
}
