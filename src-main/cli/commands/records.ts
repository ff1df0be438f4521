/** `winnow records`: log records in log order. */
import { Option, type Command } from 'commander';
import type { RecordRow, SkippedRow } from '../../contract/operations/reports.ts';
import { winnowHome } from '../../settings/winnow-home.ts';
import { formatCount } from '../byte-size.ts';
import type { CommandLine } from '../command-line.ts';
import {
  namedDatabase,
  optional,
  wholeNumber,
  withDatabaseOptions,
  type DatabaseOptions
} from '../global-options.ts';
import { writeRows } from '../row-output.ts';

export type DataForm = 'none' | 'utf8' | 'hex' | 'base64';

interface RecordsOptions extends DatabaseOptions {
  from?: number;
  to?: number;
  chunk?: number;
  stream?: string;
  type?: string;
  filter?: string;
  limit?: number;
  data: DataForm;
  salvage?: boolean;
}

/** The option `--data`, here and in `read`. */
export function dataOption(): Option {
  return new Option('--data <form>', 'add data and metadata in this form')
    .choices(['none', 'utf8', 'hex', 'base64'])
    .default('none');
}

export function addRecords(command: Command, line: CommandLine): void {
  withDatabaseOptions(command)
    .description('Lists log records in log order.')
    .option('--from <position>', 'start at this position', wholeNumber(0))
    .option('--to <position>', 'stop before this position', wholeNumber(0))
    .option('--chunk <number>', 'only records of this chunk', wholeNumber(0))
    .option('--stream <name>', 'only records of this stream')
    .option('--type <event type>', 'only records of this event type')
    .option('--filter <words>', 'only records that match: stream:order-* kind:prepare after:2026-01-01 …')
    .option('--limit <number>', 'show at most N', wholeNumber(0))
    .addOption(dataOption())
    .option('--salvage', 'continue after damage with what can still be read as records')
    .addHelpText(
      'after',
      '\nExample:\n  $ winnow records /var/lib/kurrentdb --stream order-1 --data utf8 --json'
    )
    .action(async (db: string | undefined, options: RecordsOptions) => {
      const { location } = namedDatabase(db, options);
      const request = {
        ...location,
        winnowHome: winnowHome(line.parts.environment, process.platform),
        ...optional('from', options.from),
        ...optional('to', options.to),
        ...optional('chunk', options.chunk),
        ...optional('stream', options.stream),
        ...optional('eventType', options.type),
        ...optional('filter', options.filter),
        ...optional('limit', options.limit),
        data: options.data,
        salvage: options.salvage === true
      };
      await writeRows(line, 'listRecords', request, options, {
        columns: [
          { title: 'position', align: 'right' },
          { title: 'chunk', align: 'right' },
          { title: 'kind' },
          { title: 'bytes', align: 'right' },
          { title: 'time' },
          { title: 'number', align: 'right' },
          { title: 'stream' },
          { title: 'type' },
          { title: 'data' }
        ],
        cells: recordCells
      });
    });
}

/** Records of explicit transactions show the number that the commit gives them. */
function numberText({ eventNumber, committedEventNumber }: Extract<RecordRow, { kind: 'prepare' }>): string {
  if (committedEventNumber === null) return 'not committed';
  if (committedEventNumber !== undefined) return String(committedEventNumber);
  // The begin or end of a transaction is not an event.
  return eventNumber === -1 ? '' : String(eventNumber);
}

function recordCells(row: RecordRow | SkippedRow): string[] {
  if ('skipped' in row) {
    const { file, from, to } = row.skipped;
    return [formatCount(from), '', 'skipped', formatCount(to - from), '', '', file, '', ''];
  }
  const head = [
    formatCount(row.position),
    String(row.chunk),
    row.kind,
    formatCount(row.length + 8),
    row.time.replace('T', ' ').slice(0, 19)
  ];
  switch (row.kind) {
    case 'prepare':
      return [...head, numberText(row), row.stream, row.eventType, row.data ?? ''];
    case 'commit':
      return [
        ...head,
        String(row.firstEventNumber),
        `of transaction ${formatCount(row.transactionPosition)}`,
        '',
        ''
      ];
    case 'system':
      return [...head, '', '', row.systemType, row.data ?? ''];
  }
}
