/** What can be done with a backup of the catalogue: in the menu of its row, and below its details. */
import type { BackupRow, NodeEntry } from '../../../src-main/contract/verbs/workbench-contract.ts';
import type { RowAction } from '../../components/table-column.ts';
import { isEncrypted, latestBackupWork } from '../../state/backups.ts';
import { restoreBackup } from '../../state/restore/restore-entrances.ts';
import type { Workbench } from '../../state/workbench.svelte.ts';
import { texts } from '../../texts.ts';

/** Why nothing can be begun with a backup now; undefined: it can. */
export function backupObstacle({ operations }: Workbench, { id }: NodeEntry): string | undefined {
  const isBusy = operations.isOccupied(id) || latestBackupWork(operations, id)?.endedMs === null;
  return isBusy ? texts.palette.obstacles.writing : undefined;
}

export function backupActions(workbench: Workbench, node: NodeEntry, backup: BackupRow): RowAction[] {
  const { operations, places } = workbench;
  const { id } = backup;
  const busy = backupObstacle(workbench, node);
  const whyNot = workbench.capabilities.writes ? busy : texts.palette.obstacles.mayNotWrite;
  const begin = (work: () => Promise<unknown>) => (): void => void workbench.attempt(work);
  return [
    {
      label: texts.backups.verify,
      whyNot: busy,
      run: begin(() => operations.start(node.id, 'verifyBackup', { id }))
    },
    {
      label: texts.backups.rehearse,
      whyNot,
      run: begin(() => operations.start(node.id, 'rehearseBackup', { id }))
    },
    { label: texts.backups.restore, whyNot, run: () => restoreBackup(workbench, node, backup) },
    {
      label: texts.backupErasure.erase,
      whyNot,
      run: () => places.adjust({ item: id, options: { ...places.current.options, erase: 'form' } })
    },
    {
      label: texts.backupRekey.rekey,
      whyNot: whyNot ?? (isEncrypted(backup) ? undefined : texts.backupRekey.isPlain),
      run: () => places.adjust({ item: id, options: { ...places.current.options, rekey: 'form' } })
    },
    {
      label: texts.streams.extract,
      whyNot: workbench.capabilities.writes ? undefined : texts.palette.obstacles.mayNotWrite,
      run: () => places.go({ view: 'extract', options: { backup: id } })
    },
    { label: texts.backupErasure.copyId, isApart: true, run: () => workbench.copy(id) }
  ];
}
