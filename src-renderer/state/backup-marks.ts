/**
 * Backups on an axis of time: each by itself where there is room, several as one mark where they would cover each other.
 * Pure.
 */
import type { BackupRow } from '../../src-main/contract/verbs/workbench-contract.ts';

export type BackupCheck = 'damaged' | 'whole' | 'unknown';

export function checkOf({ verified, rehearsed }: Pick<BackupRow, 'verified' | 'rehearsed'>): BackupCheck {
  if (verified?.ok === false || rehearsed?.ok === false) return 'damaged';
  return verified?.ok === true || rehearsed?.ok === true ? 'whole' : 'unknown';
}

/** The worst of several: one damaged backup must not hide among whole ones. */
export function checkOfAll(backups: readonly BackupRow[]): BackupCheck {
  const checks = new Set(backups.map(checkOf));
  if (checks.has('damaged')) return 'damaged';
  return checks.has('unknown') ? 'unknown' : 'whole';
}

export interface BackupMark {
  /** Newest first. */
  backups: BackupRow[];
  /** Pixels. */
  at: number;
}

/**
 * `places`: pixels of the backups, newest first, so never rising. Marks stand at least `gap` apart; a backup that is
 * nearer joins the newer mark. A mark of several stands in their middle.
 */
export function backupMarks(
  backups: readonly BackupRow[],
  places: readonly number[],
  gap: number
): BackupMark[] {
  const groups: { backups: BackupRow[]; first: number; last: number }[] = [];
  for (const [index, backup] of backups.entries()) {
    const at = places[index] ?? 0;
    const group = groups.at(-1);
    if (group && group.first - at < gap) {
      group.backups.push(backup);
      group.last = at;
    } else groups.push({ backups: [backup], first: at, last: at });
  }
  return groups.map(({ backups: grouped, first, last }) => ({ backups: grouped, at: (first + last) / 2 }));
}

/** The one to select by a click on a mark: the newest, then the next older each time. */
export function nextOf({ backups }: BackupMark, selected: string | null): string {
  const at = backups.findIndex(({ id }) => id === selected);
  return backups[(at + 1) % backups.length]!.id;
}
