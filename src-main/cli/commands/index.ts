/** `winnow index` and `winnow index entries`: what the index holds. */
import type { Command } from 'commander';
import type { IndexReport } from '../../operations/reports.ts';
import { formatCount } from '../byte-size.ts';
import type { CommandLine } from '../command-line.ts';
import { namedDatabase, optional, withDatabaseOptions, type DatabaseOptions } from '../global-options.ts';
import { writeRows } from '../row-output.ts';
import { formatFacts, formatTable } from '../tables.ts';

interface EntriesOptions extends DatabaseOptions {
  hash?: string;
  stream?: string;
}

export function addIndex(program: Command, line: CommandLine): void {
  const index = withDatabaseOptions(program.command('index').summary('tables, levels, map, filters'))
    .description('Shows the index: its map, its tables and their levels.')
    .addHelpText(
      'after',
      '\nExamples:\n  $ winnow index /var/lib/kurrentdb\n  $ winnow index entries /var/lib/kurrentdb'
    )
    .action(async (db: string | undefined, options: DatabaseOptions) => {
      const { location } = namedDatabase(db, options);
      const report = await line.call('inspectIndex', location, options);
      if (options.json) await line.writeJson(report);
      else await line.write(indexText(report, line));
    });
  withDatabaseOptions(index.command('entries').summary('entries of the index'))
    .description('Lists the entries of the index, newest table first, in the order of each table.')
    .option('--hash <digits>', 'only entries of this stream hash (16 hex digits)')
    .option('--stream <name>', 'only entries of the hash of this stream')
    .addHelpText('after', '\nExample:\n  $ winnow index entries /var/lib/kurrentdb --stream order-1')
    .action(async (db: string | undefined, _options: EntriesOptions, command: Command) => {
      // Options of the same names exist on `index` itself, which takes them when they stand before "entries".
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
