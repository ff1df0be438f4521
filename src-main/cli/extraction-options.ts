/** Which events: options of `extract` and `export`, and how they are read. */
import type { Command } from 'commander';
import { invalidRequest } from '../../src-core/index.ts';
import { winnowHome } from '../settings/winnow-home.ts';
import { parseByteSize } from './byte-size.ts';
import type { CommandLine } from './command-line.ts';
import { isoTime, optional, wholeNumber, type GlobalOptions } from './global-options.ts';
import { openingAccess, withOpeningOptions, type ReadingOptions } from './target-options.ts';

export interface SourceOptions extends GlobalOptions, ReadingOptions {
  stream: string[];
  category: string[];
  index?: string;
  check?: boolean;
  throttle?: number;
  scratch?: string;
  dryRun?: boolean;
}

export interface EventOptions extends SourceOptions {
  type: string[];
  fromTime?: string;
  toTime?: string;
  fromPosition?: number;
  toPosition?: number;
  system?: boolean;
}

const collected = (value: string, before: string[]): string[] => [...before, value];

/** The source, and streams and categories of it. */
export function withSourceOptions(command: Command): Command {
  return withOpeningOptions(
    command
      .argument(
        '[source]',
        'data directory, or a backup as DIR@ID, s3://BUCKET/PREFIX@ID, or a target (its newest)'
      )
      .option('--stream <name>', 'this stream; repeatable', collected, [])
      .option(
        '--category <name>',
        'the streams whose names begin with this and a dash; repeatable',
        collected,
        []
      )
      .option('--index <dir>', 'index directory (default: index in the data directory)')
      .option('--check', 'count the events a second time, reading chunks for it if need be')
      .option('--throttle <size>', 'read and write at most this many bytes per second', parseByteSize)
      .option('--scratch <dir>', 'for chunks of encoded backups (default: the temporary directory)')
  );
}

/** What else may bound the events. */
export function withEventOptions(command: Command): Command {
  return command
    .option('--type <event type>', 'only events of this type; repeatable', collected, [])
    .option('--from-time <time>', 'only events of this time and later', isoTime)
    .option('--to-time <time>', 'only events before this time', isoTime)
    .option('--from-position <position>', 'only events at this log position and after it', wholeNumber(0))
    .option('--to-position <position>', 'only events before this log position', wholeNumber(0))
    .option('--system', 'also streams of the system ($…), where no stream or category is named');
}

export async function namedStreams(source: string | undefined, options: SourceOptions, line: CommandLine) {
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
    check: options.check === true,
    ...(await openingAccess(options, line)),
    ...optional('bytesPerSecond', options.throttle),
    ...optional('scratchDirectory', options.scratch),
    dryRun: options.dryRun === true,
    winnowHome: winnowHome(line.parts.environment, process.platform)
  };
}

export async function namedEvents(source: string | undefined, options: EventOptions, line: CommandLine) {
  return {
    ...(await namedStreams(source, options, line)),
    types: options.type,
    ...optional('fromTime', options.fromTime),
    ...optional('toTime', options.toTime),
    ...optional('fromPosition', options.fromPosition),
    ...optional('toPosition', options.toPosition),
    systemStreams: options.system === true
  };
}
