/** `winnow backup schedule`: when backups of a node are taken by themselves, and which are kept. */
import path from 'node:path';
import type { Command } from 'commander';
import { nextTimes, parseCron, ticksFromMs, ticksToIso } from '../../../src-core/index.ts';
import type { CommandLine } from '../command-line.ts';
import { wholeNumber, withGlobalOptions, type GlobalOptions } from '../global-options.ts';
import { NodeRegistry, type NodeEdit, type RegisteredNode } from '../../settings/node-registry.ts';
import { winnowHome } from '../../settings/winnow-home.ts';
import { newBackupSchedule } from '../../settings/backup-schedule.ts';
import { visibleText } from '../visible-text.ts';

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
      const { backupSchedule = null, backupTarget = null } = changed;
      if (options.json) {
        await line.writeJson({ dataDirectory, target: backupTarget, schedule: backupSchedule });
      } else await line.write(scheduleText(changed));
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

function scheduleText({ backupSchedule, backupTarget }: RegisteredNode): string {
  if (!backupSchedule) return 'There is no schedule.\n';
  const { expression, timeZone, last } = backupSchedule;
  const [next] = nextTimes(parseCron(expression), { fromMs: Date.now(), timeZone, count: 1 });
  const to = backupTarget === undefined ? 'nowhere: give --to' : visibleText(backupTarget);
  const at = (ms: number): string => ticksToIso(ticksFromMs(ms));
  const lines = [
    `${expression} (${visibleText(timeZone)}), to ${to}`,
    next === undefined ? 'It never comes.' : `next   ${at(next)}`,
    ...(last
      ? [`last   ${at(last.atMs)}  ${last.message === null ? 'done' : visibleText(last.message)}`]
      : [])
  ];
  return `${lines.join('\n')}\n`;
}
