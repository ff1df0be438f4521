/** Keeps beside a backup what a check of it said. */
import {
  writeCheckResult,
  type BackupTarget,
  type CheckResults,
  requireFaultBut
} from '../../../src-core/index.ts';
import type { OperationContext } from '../operation.ts';

/** A full or read-only target takes no result. The check has its answer all the same, and a warning says that it is not kept. */
export async function keepCheckResult(
  { target, id, kind }: { target: BackupTarget; id: string; kind: keyof CheckResults },
  result: NonNullable<CheckResults['verified']>,
  { log }: Pick<OperationContext, 'log'>
): Promise<void> {
  try {
    await writeCheckResult(target, id, kind, result);
  } catch (error) {
    requireFaultBut(error, 'AssertionFailed');
    log({
      level: 'warning',
      message: `The result of the check could not be kept in the target: ${error.message}`
    });
  }
}
