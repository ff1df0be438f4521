/** Work on the backups of a node, as one line: what was asked last is what is shown. */
import type { BackupRow, WorkName, WorkSnapshot } from '../../src-main/contract/verbs/workbench-contract.ts';
import { msOfTime } from '../format/time.ts';
import type { Operations } from './operations.svelte.ts';

export const BACKUP_WORK: readonly WorkName[] = [
  'planBackup',
  'createBackup',
  'verifyBackup',
  'rehearseBackup',
  'pruneBackups',
  'planBackupErasure',
  'eraseInBackup',
  'rekeyBackups'
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

/**
 * Where backups stand on an axis of time, newest first as they are given: by their dates, but never after one that
 * was taken later, so that one wrong date does not turn their order round.
 */
export function drawnTimes(backups: readonly Pick<BackupRow, 'startedAt'>[]): number[] {
  let latest = Number.POSITIVE_INFINITY;
  return backups.map(({ startedAt }) => (latest = Math.min(latest, msOfTime(startedAt))));
}

/** How many backups a pruning keeps, by rule. */
export interface Retention {
  last: number;
  daily: number;
  weekly: number;
  monthly: number;
}

export const RETENTION_RULES = ['last', 'daily', 'weekly', 'monthly'] as const satisfies (keyof Retention)[];

export const DEFAULT_RETENTION: Retention = { last: 7, daily: 0, weekly: 4, monthly: 12 };

export function keepsNothing(retention: Retention): boolean {
  return Object.values(retention).every((count) => count === 0);
}

/** Whether the old database is still in place while a restore is unfinished. */
export function restoreStage(state: string): 'untouched' | 'neither' | 'finishing' {
  if (state === 'copying' || state === 'preparing') return 'untouched';
  return state === 'finishing' ? 'finishing' : 'neither';
}

const AGE = 'age:';

/** The public keys that a backup is encrypted for; none: it is not. */
export function recipientsOf({ encodings }: Pick<BackupRow, 'encodings'>): string[] {
  return encodings.filter((name) => name.startsWith(AGE)).map((name) => name.slice(AGE.length));
}

export function isEncrypted(backup: Pick<BackupRow, 'encodings'>): boolean {
  return recipientsOf(backup).length > 0;
}
