/** `winnow read`: the events that a reader sees. */
import type { Command } from 'commander';
import { invalidRequest } from '../../../src-core/index.ts';
import type { EventRow } from '../../contract/operations/reports.ts';
import { winnowHome } from '../../settings/winnow-home.ts';
import { formatBytes, formatCount } from '../byte-size.ts';
import type { CommandLine } from '../command-line.ts';
import {
  isoTime,
  namedDatabase,
  optional,
  wholeNumber,
  withDatabaseOptions,
  type DatabaseOptions
} from '../global-options.ts';
import { writeRows } from '../row-output.ts';
import { dataOption, type DataForm } from './records.ts';

interface ReadOptions extends DatabaseOptions {
  from?: number;
  limit?: number;
  backward?: boolean;
  data: DataForm;
  now?: string;
}

export function addRead(command: Command, line: CommandLine): void {
  withDatabaseOptions(command)
    .argument('[stream]', "name of the stream; '$all' for all events in log order")
    .description(
      'Reads a stream as a client of the server sees it: applies metadata, refuses deleted streams.'
    )
    .option('--from <number>', 'start at this event number ($all: at this position)', wholeNumber(0))
    .option('--limit <number>', 'show at most N', wholeNumber(0))
    .option('--backward', 'read from the newest to the oldest')
    .addOption(dataOption())
    .option('--now <time>', 'judge ages as of this time (default: now)', isoTime)
    .addHelpText(
      'after',
      "\nExamples:\n  $ winnow read /var/lib/kurrentdb order-1 --data utf8\n  $ winnow read /var/lib/kurrentdb '$all' --json"
    )
    .action(async (first: string | undefined, second: string | undefined, options: ReadOptions) => {
      // With --config the stream is the only argument.
      const [db, stream] =
        options.config !== undefined && second === undefined ? [undefined, first] : [first, second];
      const { location } = namedDatabase(db, options);
      if (stream === undefined || stream === '') {
        throw invalidRequest('No stream is named.', 'STREAM', "Name a stream, or '$all'.");
      }
      const request = {
        ...location,
        winnowHome: winnowHome(line.parts.environment, process.platform),
        stream,
        ...optional('from', options.from),
        ...optional('limit', options.limit),
        backward: options.backward === true,
        data: options.data,
        ...optional('now', options.now)
      };
      const isAll = stream === '$all';
      await writeRows(line, 'readStream', request, options, {
        columns: [
          { title: 'number', align: 'right' },
          { title: 'position', align: 'right' },
          { title: 'time' },
          ...(isAll ? [{ title: 'stream' }] : []),
          { title: 'type' },
          { title: 'data' }
        ],
        cells: (row) => [
          String(row.eventNumber),
          formatCount(row.position),
          row.time.replace('T', ' ').slice(0, 19),
          ...(isAll ? [row.stream] : []),
          row.eventType,
          payloadText(row)
        ]
      });
    });
}

function payloadText(row: EventRow): string {
  return row.data ?? formatBytes(row.dataLength);
}
