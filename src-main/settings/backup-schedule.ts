/** When the backups of a node are due by their schedule, and which times passed without one. */
import { nextTimes, parseCron } from '../../src-core/index.ts';
import type { RegisteredNode } from './node-registry.ts';

type BackupSchedule = NonNullable<RegisteredNode['backupSchedule']>;

/** More are counted as this many. */
export const MOST_MISSED = 999;

/** What one run makes up for. */
export interface DueBackup {
  /** The latest time that has passed. */
  dueMs: number;
  /** The first one that has. */
  sinceMs: number;
  /** Times before the latest, which get no run of their own. */
  missed: number;
}

/** undefined: no time has passed since the last one that was handled. Throws InvalidRequest for a wrong expression or zone. */
export function dueBackup(schedule: BackupSchedule | undefined, nowMs: number): DueBackup | undefined {
  if (!schedule) return undefined;
  const { expression, timeZone, handledMs } = schedule;
  const parsed = parseCron(expression);
  const fromMs = Math.min(Math.max(handledMs, 0), nowMs);
  const passed = (count: number): number[] =>
    nextTimes(parsed, { fromMs, timeZone, count }).filter((time) => time <= nowMs);
  const [sinceMs] = passed(1);
  if (sinceMs === undefined) return undefined;
  const times = passed(MOST_MISSED + 1);
  return { dueMs: times.at(-1) ?? sinceMs, sinceMs, missed: times.length - 1 };
}

/** From now on; what was due before it was set is not made up. Throws InvalidRequest for a wrong expression or zone. */
export function newBackupSchedule(
  asked: Pick<BackupSchedule, 'expression' | 'timeZone' | 'compress' | 'retention'>,
  nowMs: number
): BackupSchedule {
  const parsed = parseCron(asked.expression);
  nextTimes(parsed, { fromMs: nowMs, timeZone: asked.timeZone, count: 1 });
  return { ...asked, expression: parsed.normalised, handledMs: nowMs, last: null };
}
