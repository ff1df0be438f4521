/** Work on the backups of a node, as one line: what was asked last is what is shown. */
import type { WorkName, WorkSnapshot } from '../../src-main/ipc/contract.ts';
import type { Operations } from './operations.svelte.ts';

export const BACKUP_WORK: readonly WorkName[] = [
  'planBackup',
  'createBackup',
  'verifyBackup',
  'rehearseBackup',
  'pruneBackups',
  'planRestore',
  'runRestore',
  'continueRestore',
  'undoRestore'
];

export function latestBackupWork(operations: Operations, nodeId: string | null): WorkSnapshot | undefined {
  return operations.latestOf(nodeId, BACKUP_WORK);
}

/** Takes the outcomes of a node's ended work on backups off the list, so that the view is as at first. */
export async function closeOutcomes(operations: Operations, nodeId: string): Promise<void> {
  const ended = operations.all.filter(
    (work) => work.nodeId === nodeId && BACKUP_WORK.includes(work.name) && work.endedMs !== null
  );
  for (const { id } of ended) await operations.forget(id);
}

/** How many backups a pruning keeps, by rule. */
export interface Retention {
  last: number;
  daily: number;
  weekly: number;
  monthly: number;
}

export const DEFAULT_RETENTION: Retention = { last: 7, daily: 0, weekly: 4, monthly: 12 };

export function keepsNothing(retention: Retention): boolean {
  return Object.values(retention).every((count) => count === 0);
}

/** Whether the old database is still in place while a restore is unfinished. */
export function restoreStage(state: string): 'untouched' | 'neither' | 'finishing' {
  if (state === 'copying' || state === 'preparing') return 'untouched';
  return state === 'finishing' ? 'finishing' : 'neither';
}
