/** When the backups of a node are due by their schedule. */
import { nextTimes, parseCron } from '../../src-core/index.ts';
import type { RegisteredNode } from './node-registry.ts';

type BackupSchedule = NonNullable<RegisteredNode['backupSchedule']>;

/** A time of the schedule has passed since the last one that was handled. Throws InvalidRequest for a wrong expression or zone. */
export function isDue(schedule: BackupSchedule | undefined, nowMs: number): boolean {
  if (!schedule) return false;
  const { expression, timeZone, handledMs } = schedule;
  const fromMs = Math.min(Math.max(handledMs, 0), nowMs);
  const [next] = nextTimes(parseCron(expression), { fromMs, timeZone, count: 1 });
  return next !== undefined && next <= nowMs;
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
