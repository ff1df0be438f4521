/** Holds one backup against its manifest and remembers the result beside it. */
import {
  chooseBackup,
  ticksFromMs,
  ticksToIso,
  verifyBackup as verifyCoreBackup,
  writeCheckResult
} from '../../src-core/index.ts';
import type { BackupVerifyReport } from './backup-reports.ts';
import { withTarget } from './backup-target-access.ts';
import type { OperationContext } from './operation.ts';
import type { CheckedRequestOf } from './operation-contract.ts';

export async function verifyBackup(
  request: CheckedRequestOf<'verifyBackup'>,
  context: OperationContext
): Promise<BackupVerifyReport> {
  return withTarget({ ...request, mustExist: true }, context, async ({ target, decode, lacksKey }) => {
    const manifest = await chooseBackup(target, request.id);
    const { findings, checkedFiles, checkedBytes, notChecked } = await verifyCoreBackup({
      manifest,
      target,
      decode,
      lacksKey,
      control: context.control,
      isQuick: request.quick
    });
    const damage = findings.filter(({ severity }) => severity === 'damage').length;
    const ok = damage === 0;
    // A glance that found nothing says too little to be remembered as a verification.
    if (!request.quick || !ok) {
      const at = ticksToIso(ticksFromMs(context.clock()));
      await writeCheckResult(target, manifest.id, 'verified', { at, ok, damage });
    }
    const checked = { files: checkedFiles, bytes: checkedBytes, records: 0, indexEntries: 0 };
    return { backup: manifest.id, findings, checked, notChecked, ok };
  });
}
