/** `winnow streams`: every stream in the log. */
import { Option, type Command } from 'commander';
import type { StreamRow } from '../../contract/operations/reports.ts';
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
import { winnowHome } from '../../settings/winnow-home.ts';

interface StreamsOptions extends DatabaseOptions {
  prefix?: string;
  state?: StreamRow['state'];
  sort: 'name' | 'bytes' | 'events';
  limit?: number;
  now?: string;
}

export function addStreams(command: Command, line: CommandLine): void {
  withDatabaseOptions(command)
    .description(
      'Lists the streams with the first and last event that a reader sees and what is physically in the log.'
    )
    .option('--prefix <text>', 'only streams whose name starts with this')
    .addOption(
      new Option('--state <state>', 'only streams in this state').choices([
        'live',
        'truncated',
        'softDeleted',
        'hardDeleted',
        'metadataOnly'
      ])
    )
    .addOption(new Option('--sort <by>', 'sort order').choices(['name', 'bytes', 'events']).default('name'))
    .option('--limit <number>', 'show at most N', wholeNumber(0))
    .option('--now <time>', 'judge ages as of this time (default: now)', isoTime)
    .addHelpText('after', '\nExample:\n  $ winnow streams /var/lib/kurrentdb --sort bytes --limit 20')
    .action(async (db: string | undefined, options: StreamsOptions) => {
      const { location } = namedDatabase(db, options);
      const request = {
        ...location,
        winnowHome: winnowHome(line.parts.environment, process.platform),
        sort: options.sort,
        ...optional('prefix', options.prefix),
        ...optional('state', options.state),
        ...optional('limit', options.limit),
        ...optional('now', options.now)
      };
      await writeRows(line, 'listStreams', request, options, {
        columns: [
          { title: 'stream' },
          { title: 'state' },
          { title: 'first', align: 'right' },
          { title: 'last', align: 'right' },
          { title: 'events', align: 'right' },
          { title: 'bytes', align: 'right' },
          { title: 'rules' }
        ],
        cells: (row) => [
          row.stream,
          row.state,
          row.firstEventNumber === null ? '' : formatCount(row.firstEventNumber),
          row.lastEventNumber === null ? '' : formatCount(row.lastEventNumber),
          formatCount(row.eventCount),
          formatBytes(row.bytes),
          rulesText(row.metadata)
        ]
      });
    });
}

function rulesText(metadata: StreamRow['metadata']): string {
  if (!metadata) return '';
  const parts: string[] = [];
  if (metadata.maxCount !== null) parts.push(`maxCount ${metadata.maxCount}`);
  if (metadata.maxAgeSeconds !== null) parts.push(`maxAge ${metadata.maxAgeSeconds} s`);
  if (metadata.truncateBefore !== null) parts.push(`truncateBefore ${metadata.truncateBefore}`);
  return parts.join(', ');
}
