/** The schedule of a node's backups as every door reports it: in words, its next times, what waits, how the last one ended. */
import { nextTimes, parseCron, ticksFromMs, ticksToIso } from '../../../src-core/index.ts';
import type { BackupScheduleReport } from '../../contract/operations/backup-reports.ts';
import { dueBackup } from '../../settings/backup-schedule.ts';
import type { RegisteredNode } from '../../settings/node-registry.ts';
import { scheduleInWords } from '../scavenge/describe-schedule.ts';

const NEXT_TIMES = 5;

/** Throws InvalidRequest if the list of nodes has an expression or zone that is none. */
export function describeBackupSchedule(
  node: Pick<RegisteredNode, 'dataDirectory' | 'backupTarget' | 'backupSchedule'>,
  nowMs: number
): BackupScheduleReport {
  const { dataDirectory, backupTarget = null, backupSchedule } = node;
  if (!backupSchedule) return { dataDirectory, target: backupTarget, schedule: null };
  const { expression, timeZone, compress, retention, last } = backupSchedule;
  const parsed = parseCron(expression);
  const due = dueBackup(backupSchedule, nowMs);
  return {
    dataDirectory,
    target: backupTarget,
    schedule: {
      expression,
      words: scheduleInWords(parsed),
      timeZone,
      compress,
      retention,
      next: nextTimes(parsed, { fromMs: nowMs, timeZone, count: NEXT_TIMES }).map(timeOf),
      waiting: due ? { since: timeOf(due.sinceMs), times: due.missed + 1 } : null,
      last: last && {
        dueAt: last.dueMs === undefined ? null : timeOf(last.dueMs),
        startedAt: last.startedMs === undefined ? null : timeOf(last.startedMs),
        endedAt: timeOf(last.atMs),
        missed: last.missed ?? 0,
        message: last.message
      }
    }
  };
}

function timeOf(ms: number): string {
  return ticksToIso(ticksFromMs(ms));
}
