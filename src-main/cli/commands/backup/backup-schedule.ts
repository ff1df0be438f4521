/** `winnow backup schedule`: when backups of a node are taken by themselves, and which are kept. */
import path from 'node:path';
import type { Command } from 'commander';
import type { CommandLine } from '../../command-line.ts';
import { wholeNumber, withGlobalOptions, type GlobalOptions } from '../../global-options.ts';
import type { BackupScheduleReport } from '../../../contract/operations/backup-reports.ts';
import { describeBackupSchedule } from '../../../operations/backup/describe-backup-schedule.ts';
import { NodeRegistry, type NodeEdit } from '../../../settings/node-registry.ts';
import { winnowHome } from '../../../settings/winnow-home.ts';
import { newBackupSchedule } from '../../../settings/backup-schedule.ts';
import { visibleText } from '../../visible-text.ts';

interface ScheduleOptions extends GlobalOptions {
  every?: string;
  timeZone?: string;
  to?: string;
  compress?: boolean;
  keepLast: number;
  keepDaily: number;
  keepWeekly: number;
  keepMonthly: number;
  off?: boolean;
}

/** Adds it to the command `backup`. */
export function addBackupSchedule(backup: Command, line: CommandLine): void {
  const count = wholeNumber(0);
  withGlobalOptions(backup.command('schedule').summary('take backups by themselves'))
    .argument('<db>', 'data directory of the node')
    .option('--every <expression>', 'CRON expression, as for "winnow schedule"')
    .option('--time-zone <name>', "IANA name of the time zone (default: the system's)")
    .option('--to <dir>', "the directory to keep backups in (default: the node's)")
    .option('--compress', 'compress completed chunks (Zstandard)')
    .option('--keep-last <n>', 'keep the last N backups', count, 0)
    .option('--keep-daily <n>', 'keep the last one of each of N days', count, 0)
    .option('--keep-weekly <n>', 'keep the last one of each of N weeks', count, 0)
    .option('--keep-monthly <n>', 'keep the last one of each of N months', count, 0)
    .option('--off', 'remove the schedule')
    .description(
      'Shows, sets or removes the schedule of a node. The window, or "winnow serve" of this node, takes the backups ' +
        'while it runs, checks every byte of each, and then removes what is not kept. A missed one is made up once.'
    )
    .addHelpText(
      'after',
      "\nExample:\n  $ winnow backup schedule /var/lib/kurrentdb --every '0 1 * * *' --keep-daily 7 --to /backups"
    )
    .action(async (db: string, options: ScheduleOptions) => {
      const registry = new NodeRegistry(winnowHome(line.parts.environment, process.platform), () =>
        Date.now()
      );
      const dataDirectory = path.resolve(db);
      await line.call('inspectDatabase', { dataDirectory }, { ...options, quiet: true });
      const node = registry.open({ dataDirectory });
      const changed = registry.edit(node.id, editOf(options)) ?? node;
      const report = describeBackupSchedule(changed, Date.now());
      if (options.json) await line.writeJson(report);
      else await line.write(scheduleText(report));
    });
}

function editOf(options: ScheduleOptions): NodeEdit {
  const { every, off, to, timeZone, compress = false } = options;
  const zone = timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { keepLast: last, keepDaily: daily, keepWeekly: weekly, keepMonthly: monthly } = options;
  const retention = { last, daily, weekly, monthly };
  return {
    ...(to === undefined ? {} : { backupTarget: path.resolve(to) }),
    ...(off === true ? { backupSchedule: null } : {}),
    ...(every === undefined
      ? {}
      : {
          backupSchedule: newBackupSchedule(
            { expression: every, timeZone: zone, compress, retention },
            Date.now()
          )
        })
  };
}

function scheduleText({ schedule, target }: BackupScheduleReport): string {
  if (!schedule) return 'There is no schedule.\n';
  const { expression, timeZone, next, waiting, last } = schedule;
  const to = target === null ? 'nowhere: give --to' : visibleText(target);
  const lines = [`${expression} (${visibleText(timeZone)}), to ${to}`];
  lines.push(next[0] === undefined ? 'It never comes.' : `next   ${next[0]}`);
  if (waiting) {
    const passed = waiting.times === 1 ? '1 time has' : `${waiting.times} times have`;
    lines.push(
      `due    ${waiting.since}  ${passed} passed; a window, or "winnow serve" of this node, makes up for it with one backup`
    );
  }
  if (last) {
    const { endedAt, message, missed } = last;
    lines.push(`last   ${endedAt}  ${message === null ? 'done' : visibleText(message)}`);
    if (missed > 0)
      lines.push(`       ${missed} earlier ${missed === 1 ? 'time' : 'times'} passed without a backup`);
  }
  return `${lines.join('\n')}\n`;
}
