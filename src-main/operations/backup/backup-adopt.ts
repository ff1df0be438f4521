/**
 * Adds a directory with a disk snapshot to the catalogue: verified first, then copied (as clones if the
 * file system supports them) with a manifest like any other backup. The snapshot is not changed and not needed
 * afterwards.
 */
import path from 'node:path';
import { EngineError, runBackup } from '../../../src-core/index.ts';
import { backupEnvironment } from './backup-create.ts';
import type { BackupsReport } from '../../contract/operations/backup-reports.ts';
import { backupRowOf, withTarget } from './backup-target-access.ts';
import type { OperationContext } from '../operation.ts';
import { requests, type CheckedRequestOf } from '../../contract/operations/operation-contract.ts';
import { verifyDatabase } from '../repair/verify-database.ts';

export async function adoptBackup(
  request: CheckedRequestOf<'adoptBackup'>,
  context: OperationContext
): Promise<BackupsReport> {
  const dataDirectory = path.resolve(request.dataDirectory);
  const indexDirectory =
    request.indexDirectory === undefined
      ? path.join(dataDirectory, 'index')
      : path.resolve(request.indexDirectory);
  await requireUndamaged({ dataDirectory, indexDirectory }, context);
  return withTarget({ ...request, mustExist: false }, context, async (open, threads) => {
    const manifest = await runBackup(
      {
        dataDirectory,
        indexDirectory,
        mode: 'snapshot',
        threads,
        bytesPerSecond: request.bytesPerSecond,
        isMoved: false
      },
      backupEnvironment(context, open)
    );
    const backups = [await backupRowOf(open.target, manifest)];
    return { target: open.target.description, backups, unfinished: [], damaged: [], warnings: [] };
  });
}

/** A directory on which no server would start is not a backup. A damaged index is allowed: the server rebuilds it. */
async function requireUndamaged(
  location: { dataDirectory: string; indexDirectory: string },
  context: OperationContext
): Promise<void> {
  const { findings } = await verifyDatabase(requests.verifyDatabase.parse(location), context);
  const isOfLog = (file: string | null): boolean => file === null || !file.startsWith('index/');
  const damage = findings.filter(({ severity }) => severity === 'damage');
  const fault = damage.find(({ file }) => isOfLog(file));
  for (const finding of damage)
    context.log({ level: 'warning', message: `${finding.code}: ${finding.message}` });
  if (!fault) return;
  throw new EngineError({
    code: 'LogCorrupt',
    message: `The snapshot in ${location.dataDirectory} is damaged and was not added to the catalogue: ${fault.message}`,
    remedy: 'Take another snapshot. "winnow verify" lists all damage in this one.',
    details: { finding: fault.code, ...(fault.file === null ? {} : { file: fault.file }) }
  });
}
