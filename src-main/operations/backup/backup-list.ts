/** Lists the backups of a target. */
import { clockWarnings, readCatalogue, ticksFromMs, ticksToIso } from '../../../src-core/index.ts';
import type { BackupRow, BackupsReport } from '../../contract/operations/backup-reports.ts';
import { backupRowOf, withTarget } from './backup-target-access.ts';
import type { OperationContext } from '../operation.ts';
import type { CheckedRequestOf } from '../../contract/operations/operation-contract.ts';

export async function listBackups(
  request: CheckedRequestOf<'listBackups'>,
  context: OperationContext
): Promise<BackupsReport> {
  return withTarget({ ...request, mustExist: true }, context, async ({ target }) => {
    const catalogue = await readCatalogue(target);
    const backups: BackupRow[] = [];
    for (const manifest of catalogue.backups) backups.push(await backupRowOf(target, manifest));
    const damaged = catalogue.damaged.map(({ id, error }) => ({ id, message: error.message }));
    return {
      target: target.description,
      backups,
      unfinished: catalogue.unfinished.map(({ id }) => id),
      damaged,
      warnings: clockWarnings(catalogue.backups, ticksToIso(ticksFromMs(context.clock())))
    };
  });
}
