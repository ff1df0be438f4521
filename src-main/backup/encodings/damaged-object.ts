/** Stored bytes that are not what was stored. */
import { EngineError } from '../../../src-core/index.ts';

export function damagedObject(object: string, what: string, cause: unknown): EngineError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new EngineError({
    code: 'LogCorrupt',
    message: `${object} is damaged: ${what} (${reason}).`,
    remedy: 'Use another backup; "winnow backup verify" shows which ones are whole.',
    details: { file: object },
    cause
  });
}
