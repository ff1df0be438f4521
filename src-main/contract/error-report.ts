/** Any failure in words: as the report that crosses processes, to the window, to a script; and in one line. */
import type { z } from 'zod';
import { EngineError, invalidRequest, type ErrorCode, type ErrorDetails } from '../../src-core/index.ts';
import { refusalWords } from './refusal-words.ts';

export interface FailureReport {
  code: ErrorCode;
  message: string;
  remedy: string;
  details: ErrorDetails;
}

/** An engine error, recognised by its shape: its class does not survive a crossing. */
function isEngineError(error: unknown): error is Omit<FailureReport, 'details'> & Partial<FailureReport> {
  if (typeof error !== 'object' || error === null) return false;
  const shape = error as Partial<Record<keyof FailureReport, unknown>>;
  return (
    typeof shape.code === 'string' && typeof shape.message === 'string' && typeof shape.remedy === 'string'
  );
}

/** A schema's refusal, recognised by its shape as well: words for a failure need no schemas. */
function isRefusal(error: unknown): error is z.ZodError {
  return error instanceof Error && error.name === 'ZodError' && 'issues' in error;
}

/** Anything but an engine's error or a request of the wrong form is a bug. */
export function errorReportOf(error: unknown): FailureReport {
  if (isRefusal(error)) return errorReportOf(wrongRequest(undefined, error));
  if (isEngineError(error)) {
    const { code, message, remedy, details } = error;
    return { code, message, remedy, details: { ...details } };
  }
  const isError = error instanceof Error;
  return {
    code: 'AssertionFailed',
    message: `Internal error: ${isError ? error.message : String(error)}.`,
    remedy: 'No half-written file is in use. Report this with the details.',
    details: { reason: isError ? (error.stack ?? error.message) : String(error) }
  };
}

/** Message and remedy in one line, for logs and answers of one line; undefined: not an error that has words for people. */
export function errorLineOf(error: unknown): string | undefined {
  return isEngineError(error) ? `${error.message} ${error.remedy}` : undefined;
}

/** A request that its schema refuses; `name`: of its operation or verb. Names the first wrong member. */
export function wrongRequest(name: string | undefined, { issues }: z.ZodError): EngineError {
  const [issue] = issues;
  const field = issue?.path.map(String).join('.') ?? '';
  return invalidRequest(
    `${refusalWords(issue)}${name === undefined ? '' : ` (${name})`}.`,
    field === '' ? (name ?? 'request') : field
  );
}
