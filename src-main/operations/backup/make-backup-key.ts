/** Makes keys that backups are encrypted for: in a file, or in the target, sealed with a password. */
import { ticksFromMs, ticksToIso } from '../../../src-core/index.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import type { BackupKeyReport, SealedKeyReport } from '../../contract/operations/backup-reports.ts';
import { withTarget } from './backup-target-access.ts';

export async function makeBackupKey(
  { file }: CheckedRequestOf<'makeBackupKey'>,
  context: OperationContext
): Promise<BackupKeyReport> {
  const { writeKeyFile } = await import('../../backup/encodings/key-file.ts');
  return { file, publicKey: await writeKeyFile(file, ticksToIso(ticksFromMs(context.clock()))) };
}

export async function sealBackupKey(
  { target: location, s3Endpoint, password }: CheckedRequestOf<'sealBackupKey'>,
  context: OperationContext
): Promise<SealedKeyReport> {
  return withTarget({ target: location, s3Endpoint, mustExist: false }, context, async ({ target }) => {
    const { sealNewKey } = await import('../../backup/encodings/sealed-key.ts');
    return { target: target.description, publicKey: await sealNewKey(target, password) };
  });
}
