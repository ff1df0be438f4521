/**
 * What was read or written a moment ago is there no more: another process works in the same directory, or the disk does
 * not keep what it was given. Never a fault of ours, and never a reason to go on.
 */
import { EngineError } from '../errors.ts';

/** StorageFailed for `file` when `condition` is false; `what` is what was found in its place, as a clause. */
export function requireUnchanged(condition: boolean, file: string, what: string): asserts condition {
  if (condition) return;
  throw new EngineError({
    code: 'StorageFailed',
    message: `${file} changed during the operation: ${what}.`,
    remedy:
      'Make sure that nothing else writes to this directory, check the disk, then run the same command again.',
    details: { file, reason: 'changedMeanwhile' }
  });
}
