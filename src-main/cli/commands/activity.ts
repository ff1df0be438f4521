/** `winnow activity`: every operation requested on this machine. */
import type { Command } from 'commander';
import type { ActivityEntry, Door, Verdict } from '../../contract/operations/activity-reports.ts';
import { titleOfRecord } from '../../contract/operations/operation-titles.ts';
import type { CommandLine } from '../command-line.ts';
import { wholeNumber, withGlobalOptions, type GlobalOptions } from '../global-options.ts';
import { ownActivityLog } from '../own-engine.ts';
import { formatTable } from '../tables.ts';

interface ActivityOptions extends GlobalOptions {
  limit?: number;
}

const SHOWN = 50;

export function addActivity(command: Command, line: CommandLine): void {
  withGlobalOptions(command)
    .description(
      'Lists every operation requested in the window, on the command line or over HTTP: what, when, result and duration.'
    )
    .option('--limit <n>', `show at most N (default: ${SHOWN}; with --json all)`, wholeNumber(1))
    .addHelpText('after', '\nExample:\n  $ winnow activity --limit 10')
    .action(async (options: ActivityOptions) => {
      const all = ownActivityLog(line.parts.environment).list();
      const shown = options.json ? all.slice(0, options.limit) : all.slice(0, options.limit ?? SHOWN);
      if (options.json) await line.writeJson({ activities: shown });
      else await line.write(activityText(shown, line));
    });
}

function activityText(entries: readonly ActivityEntry[], line: CommandLine): string {
  if (entries.length === 0) return 'No operations yet.\n';
  return formatTable(
    [
      { title: 'started' },
      { title: 'operation' },
      { title: 'by' },
      { title: 'outcome' },
      { title: 'took', align: 'right' },
      { title: 'of' }
    ],
    entries.map((entry) => [
      `${entry.startedAt.slice(0, 10)} ${entry.startedAt.slice(11, 19)}Z`,
      titleOfRecord(entry),
      DOORS[entry.door],
      outcomeText(entry),
      entry.elapsedMs === null ? '' : `${(entry.elapsedMs / 1000).toFixed(1)} s`,
      entry.dataDirectory ?? entry.target ?? ''
    ]),
    line.colours
  );
}

const DOORS: Record<Door, string> = {
  window: 'window',
  browser: 'browser',
  commandLine: 'command line',
  http: 'HTTP',
  schedule: 'schedule'
};

const VERDICTS: Record<Verdict, string> = {
  damage: 'damage found',
  willNotStart: 'will not start',
  deletesLog: 'the start deletes log',
  errored: 'ended with an error'
};

function outcomeText({ outcome, verdict, error }: ActivityEntry): string {
  if (error) return `${outcome}: ${error.code}`;
  return verdict === null ? outcome : `${outcome}: ${VERDICTS[verdict]}`;
}
