/** Which events: options of the commands that take events out of a node or a backup, and how they are read. */
import type { Command } from 'commander';
import { invalidRequest } from '../../src-core/index.ts';
import { winnowHome } from '../settings/winnow-home.ts';
import { parseByteSize } from './byte-size.ts';
import type { CommandLine } from './command-line.ts';
import { isoTime, optional, wholeNumber, type GlobalOptions } from './global-options.ts';
import { openingAccess, withOpeningOptions, type ReadingOptions } from './target-options.ts';

export interface EventOptions extends GlobalOptions, ReadingOptions {
  stream: string[];
  category: string[];
  type: string[];
  fromTime?: string;
  toTime?: string;
  fromPosition?: number;
  toPosition?: number;
  system?: boolean;
  index?: string;
  check?: boolean;
  throttle?: number;
  scratch?: string;
  dryRun?: boolean;
}

const collected = (value: string, before: string[]): string[] => [...before, value];

export function withEventOptions(command: Command): Command {
  return withOpeningOptions(
    command
      .option('--stream <name>', 'events of this stream; repeatable', collected, [])
      .option(
        '--category <name>',
        'events of the streams whose names begin with this and a dash; repeatable',
        collected,
        []
      )
      .option('--type <event type>', 'only events of this type; repeatable', collected, [])
      .option('--from-time <time>', 'only events of this time and later', isoTime)
      .option('--to-time <time>', 'only events before this time', isoTime)
      .option('--from-position <position>', 'only events at this log position and behind it', wholeNumber(0))
      .option('--to-position <position>', 'only events before this log position', wholeNumber(0))
      .option('--system', 'also streams of the system ($…), where no stream or category is named')
      .option('--index <dir>', 'index directory (default: index in the data directory)')
      .option('--check', 'count the events a second time, reading chunks for it if need be')
      .option('--throttle <size>', 'read and write at most this many bytes per second', parseByteSize)
      .option('--scratch <dir>', 'for chunks of encoded backups (default: the temporary directory)')
  );
}

/** The source and the events that the options name. */
export async function namedEvents(source: string | undefined, options: EventOptions, line: CommandLine) {
  if (source === undefined) {
    throw invalidRequest(
      'No source is named.',
      'SOURCE',
      'Give a data directory, a backup as DIR@ID or s3://BUCKET/PREFIX@ID, or a backup target (its newest).'
    );
  }
  return {
    dataDirectory: source,
    ...optional('indexDirectory', options.index),
    streams: options.stream,
    categories: options.category,
    types: options.type,
    ...optional('fromTime', options.fromTime),
    ...optional('toTime', options.toTime),
    ...optional('fromPosition', options.fromPosition),
    ...optional('toPosition', options.toPosition),
    systemStreams: options.system === true,
    check: options.check === true,
    ...(await openingAccess(options, line)),
    ...optional('bytesPerSecond', options.throttle),
    ...optional('scratchDirectory', options.scratch),
    dryRun: options.dryRun === true,
    winnowHome: winnowHome(line.parts.environment, process.platform)
  };
}
