/** `winnow index`, `winnow index entries`: what the index holds. `winnow index rebuild`: rebuilds it from the log. */
import type { Command } from 'commander';
import type { IndexReport } from '../../contract/operations/reports.ts';
import type { IndexRebuildReport } from '../../contract/operations/rebuild-reports.ts';
import { winnowHome } from '../../settings/winnow-home.ts';
import { formatBytes, formatCount, formatNoun } from '../byte-size.ts';
import type { CommandLine } from '../command-line.ts';
import { confirmed } from '../confirmation.ts';
import { namedDatabase, optional, withDatabaseOptions, type DatabaseOptions } from '../global-options.ts';
import { writeRows } from '../row-output.ts';
import { formatFacts, formatTable } from '../tables.ts';
import { visibleText } from '../visible-text.ts';
import { chosenPlan, withPlanOption, type PlannedOptions } from '../write-options.ts';

interface RebuildOptions extends DatabaseOptions, PlannedOptions {
  assumeStopped?: boolean;
}

interface EntriesOptions extends DatabaseOptions {
  hash?: string;
  stream?: string;
}

export function addIndex(index: Command, line: CommandLine): void {
  withDatabaseOptions(index)
    .description('Shows the index: its map, its tables and their levels.')
    .addHelpText(
      'after',
      '\nExamples:\n  $ winnow index /var/lib/kurrentdb\n  $ winnow index entries /var/lib/kurrentdb' +
        '\n  $ winnow index rebuild /var/lib/kurrentdb --dry-run'
    )
    .action(async (db: string | undefined, options: DatabaseOptions) => {
      const { location } = namedDatabase(db, options);
      const home = winnowHome(line.parts.environment, process.platform);
      const report = await line.call('inspectIndex', { ...location, winnowHome: home }, options);
      if (options.json) await line.writeJson(report);
      else await line.write(indexText(report, line));
    });
  withDatabaseOptions(index.command('entries').summary('list the entries of the index'))
    .description('Lists the entries of the index, newest table first, in the order of each table.')
    .option('--hash <digits>', 'only entries of this stream hash (16 hex digits)')
    .option('--stream <name>', 'only entries of the hash of this stream')
    .addHelpText('after', '\nExample:\n  $ winnow index entries /var/lib/kurrentdb --stream order-1')
    .action(async (db: string | undefined, _options: EntriesOptions, command: Command) => {
      // `index` itself has options of the same names, and takes them when they precede "entries".
      const options: EntriesOptions = command.optsWithGlobals();
      const { location } = namedDatabase(db, options);
      const request = {
        ...location,
        ...optional('hash', options.hash),
        ...optional('stream', options.stream)
      };
      await writeRows(line, 'listIndexEntries', request, options, {
        columns: [
          { title: 'hash' },
          { title: 'number', align: 'right' },
          { title: 'position', align: 'right' },
          { title: 'table' }
        ],
        cells: (row) => [row.hash, String(row.eventNumber), formatCount(row.position), row.table]
      });
    });
  addRebuild(index, line);
}

function addRebuild(index: Command, line: CommandLine): void {
  withPlanOption(withDatabaseOptions(index.command('rebuild').summary('rebuild the index from the log')))
    .description(
      'Rebuilds the index of a stopped node from its log, and removes the old one once the new one is complete. ' +
        'Does not change the log or the scavenge state.'
    )
    .option('--assume-stopped', 'the server is stopped (for network shares, where locks are not visible)')
    .addHelpText('after', '\nExample:\n  $ winnow index rebuild /var/lib/kurrentdb --yes')
    .action(async (db: string | undefined, _options: RebuildOptions, command: Command) => {
      const options: RebuildOptions = command.optsWithGlobals();
      const { location } = namedDatabase(db, options);
      let planned = chosenPlan(options);
      if (options.dryRun) {
        const plan = await line.call('planIndexRebuild', location, options);
        if (options.json) await line.writeJson(plan);
        else await line.write(planText(plan, location.dataDirectory));
        return;
      }
      if (!options.yes) {
        const plan = await line.call('planIndexRebuild', location, { ...options, quiet: true });
        line.say(planText(plan, location.dataDirectory));
        planned = chosenPlan(options, plan);
      }
      await confirmed(line, options, 'Rebuild the index?');
      const assumeStopped = options.assumeStopped === true;
      const report = await line.call('rebuildIndex', { ...location, assumeStopped, ...planned }, options);
      if (options.json) await line.writeJson(report);
      else await line.write(rebuiltText(report));
    });
}

function planText(
  { actions, entries, scratchBytes, end, planId }: IndexRebuildReport,
  dataDirectory: string
): string {
  const old = actions.filter(({ code }) => code.startsWith('remove')).length;
  return (
    `The index of ${visibleText(dataDirectory)} will be rebuilt from the log up to position ${formatCount(end)}: ` +
    `about ${formatNoun(entries, 'entry', 'entries')}. Needs about ${formatBytes(scratchBytes)} on the volume of the index.\n` +
    `${formatNoun(old, 'old file')} ${old === 1 ? 'is' : 'are'} removed once it is complete; the server rebuilds its stream existence filter.\n` +
    `plan  ${planId ?? ''}\n`
  );
}

function rebuiltText({ actions, entries, bytes }: IndexRebuildReport): string {
  const table = actions.find(({ code }) => code === 'writeTable')?.file;
  const old = actions.filter(({ code }) => code.startsWith('remove')).length;
  if (table == null)
    return `The log has nothing to index: the new map names no table. ${formatNoun(old, 'old file')} removed.\n`;
  return `Wrote ${table}: ${formatNoun(entries, 'entry', 'entries')}, ${formatBytes(bytes)} with its filter. ${formatNoun(old, 'old file')} removed.\n`;
}

function indexText(report: IndexReport, line: CommandLine): string {
  const facts = formatFacts(
    [
      ['map version', String(report.mapVersion)],
      ['prepare checkpoint', formatCount(report.prepareCheckpoint)],
      ['commit checkpoint', formatCount(report.commitCheckpoint)],
      ['entries only in the log', formatCount(report.entriesBehindCheckpoint)]
    ],
    line.colours
  );
  const table = formatTable(
    [
      { title: 'table' },
      { title: 'level', align: 'right' },
      { title: 'order', align: 'right' },
      { title: 'version', align: 'right' },
      { title: 'entries', align: 'right' },
      { title: 'lowest hash' },
      { title: 'highest hash' },
      { title: 'filter' }
    ],
    report.tables.map((row) => [
      row.file,
      String(row.level),
      String(row.order),
      String(row.version),
      formatCount(row.entries),
      row.minHash ?? '',
      row.maxHash ?? '',
      row.hasFilter ? 'yes' : 'no'
    ]),
    line.colours
  );
  return table === '' ? facts : `${facts}\n${table}`;
}
