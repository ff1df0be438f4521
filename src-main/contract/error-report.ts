/** Any failure as the report that crosses to the window. */
import { z } from 'zod';
import type { ErrorReport } from './verbs/workbench-contract.ts';

/** An engine error, recognised by its shape: its class does not survive the crossing from the engine. */
interface EngineErrorShape {
  code: string;
  message: string;
  remedy: string;
  details?: Record<string, unknown>;
}

function hasEngineErrorShape(error: unknown): error is EngineErrorShape {
  if (typeof error !== 'object' || error === null) return false;
  const shape = error as Partial<Record<keyof EngineErrorShape, unknown>>;
  return (
    typeof shape.code === 'string' && typeof shape.message === 'string' && typeof shape.remedy === 'string'
  );
}

export function errorReportOf(error: unknown): ErrorReport {
  if (hasEngineErrorShape(error)) {
    return {
      code: error.code,
      message: error.message,
      remedy: error.remedy,
      details: { ...(error.details ?? {}) }
    };
  }
  if (error instanceof z.ZodError) {
    const issue = error.issues[0];
    const field = issue?.path.join('.') ?? '';
    return {
      code: 'InvalidRequest',
      message: `${field === '' ? 'The request' : field} is not valid: ${issue?.message ?? 'wrong form'}.`,
      remedy: field === '' ? 'Correct the request.' : `Correct ${field}.`,
      details: { field }
    };
  }
  return {
    code: 'AssertionFailed',
    message: `Internal error: ${error instanceof Error ? error.message : String(error)}.`,
    remedy: 'No half-written file is in use. Report this with the details.',
    details: { reason: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  };
}
