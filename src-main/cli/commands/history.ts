/** `winnow history`: the scavenges of a database. */
import type { Command } from 'commander';
import type { HistoryReport, HistoryRun } from '../../contract/operations/reports.ts';
import { winnowHome } from '../../settings/winnow-home.ts';
import { formatBytes } from '../byte-size.ts';
import type { CommandLine } from '../command-line.ts';
import { namedDatabase, withDatabaseOptions, type DatabaseOptions } from '../global-options.ts';
import { formatTable } from '../tables.ts';

export function addHistory(command: Command, line: CommandLine): void {
  withDatabaseOptions(command)
    .description(
      'Lists scavenges, newest first: those recorded in the log, by a server or by Winnow, and those that only Winnow recorded.'
    )
    .addHelpText('after', '\nExample:\n  $ winnow history /var/lib/kurrentdb')
    .action(async (db: string | undefined, options: DatabaseOptions) => {
      const { location } = namedDatabase(db, options);
      const home = winnowHome(line.parts.environment, process.platform);
      const report = await line.call('listHistory', { ...location, winnowHome: home }, options);
      if (options.json) await line.writeJson(report);
      else await line.write(historyText(report, line));
    });
}

function historyText({ runs }: HistoryReport, line: CommandLine): string {
  if (runs.length === 0) return 'No scavenges known.\n';
  return formatTable(
    [
      { title: 'started' },
      { title: 'ended' },
      { title: 'took', align: 'right' },
      { title: 'result' },
      { title: 'point' },
      { title: 'threshold', align: 'right' },
      { title: 'saved', align: 'right' },
      { title: 'by' },
      { title: 'scavenge' }
    ],
    runs.map((run) => [
      shortTime(run.startedAt),
      run.endedAt === null ? '' : shortTime(run.endedAt),
      run.elapsedMs === null ? '' : `${(run.elapsedMs / 1000).toFixed(1)} s`,
      resultText(run),
      run.placement ?? '',
      run.threshold === null ? '' : String(run.threshold),
      formatBytes(run.spaceSavedBytes),
      run.node ?? run.by,
      run.scavengeId
    ]),
    line.colours
  );
}

/** To the second; `--json` has more digits. */
function shortTime(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 19)}Z`;
}

/** The runs it resumed, by the beginnings of their ids: the full ids are in the JSON. */
function resultText({ result, resumes, scavengeIds }: HistoryRun): string {
  const earlier = scavengeIds.slice(0, -1).map((id) => id.slice(0, 8));
  const notes = [
    ...(resumes === null ? [] : [`resumed ${resumes.slice(0, 8)}`]),
    ...(earlier.length === 0 ? [] : [`interrupted as ${earlier.join(', ')}`])
  ];
  return notes.length === 0 ? result : `${result} (${notes.join(', ')})`;
}
