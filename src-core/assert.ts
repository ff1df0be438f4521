/** Assertions are for our own mistakes and stay on in production; bytes from outside are validated instead. */
import { EngineError } from './errors.ts';

/** Throws `AssertionFailed` when `condition` is false. One condition a call. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) {
    throw new EngineError({
      code: 'AssertionFailed',
      message: `Internal check failed: ${message}.`,
      remedy: 'No half-written file is in use. Report this with the details.'
    });
  }
}
