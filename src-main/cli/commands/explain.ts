/** `winnow explain`: why a scavenge keeps or removes an event, a stream's events or a chunk. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { invalidRequest } from '../../../src-core/index.ts';
import type { RequestOf } from '../../contract/operations/operation-contract.ts';
import type { CommandLine } from '../command-line.ts';
import { explainText, recordsText } from '../explain-text.ts';
import { isoTime, namedForScavenge, optional, wholeNumber, withDatabaseOptions } from '../global-options.ts';
import { decidingRequest, withPointOptions, type DecidingArguments } from '../scavenge-arguments.ts';

const TOMBSTONE_NUMBER = '9223372036854775807';

interface ExplainOptions extends DecidingArguments {
  stream?: string;
  event?: number | string;
  position: number[];
  chunk?: number;
}

export function addExplain(command: Command, line: CommandLine): void {
  const alias = (flags: string): Option => new Option(flags).hideHelp();
  withDatabaseOptions(command)
    .description(
      'Says which rule keeps or removes an event, the events of a stream, or the records of a chunk, with the values ' +
        'that decide, and until when. The answer is for the scavenge that the options describe, which is planned as ' +
        '"winnow plan" does. Without --scavenge-point: the scavenge that would be resumed, else one of all completed ' +
        'chunks. Writes nothing; works on a running node and on an unencoded backup.'
    )
    .option('--stream <name>', 'the events of this stream')
    .option('--event <number>', 'one event of the stream', eventNumber)
    .option('--position <position>', 'the record at this log position; repeatable', positions, [])
    .option('--chunk <number>', 'the records of this chunk', wholeNumber(0));
  withPointOptions(command)
    .option('--sync-only', 'only an existing scavenge point that no scavenge has reached')
    .option('--unsafe-ignore-hard-deletes', 'assume that the scavenge also removes tombstones')
    .addOption(alias('--unsafe-ignore-hard-delete'))
    .option('--always-keep-scavenged', 'assume that chunks are replaced even if the new file is not smaller')
    .option('--now <time>', 'effective time of a detached or new scavenge point', isoTime)
    .option('--start-afresh', 'assume that there is no scavenge state')
    .option('--single-node', 'this directory is not a member of a cluster: a scavenge may write a new point')
    .option('--scratch <dir>', 'directory for the temporary state')
    .addHelpText(
      'after',
      '\nExamples:\n  $ winnow explain /var/lib/kurrentdb --stream order-1 --event 7\n' +
        '  $ winnow explain /var/lib/kurrentdb --stream order-1 --now 2027-01-01T00:00:00Z\n' +
        '  $ winnow explain /var/lib/kurrentdb --chunk 12 --threshold 1000'
    )
    .action(async (db: string | undefined, options: ExplainOptions) => {
      const { named, asked } = requestOf(db, options, line);
      if (options.position.length > 1) {
        const request = { ...named, positions: options.position };
        const report = await line.call('explainRecords', request, options);
        if (options.json) await line.writeJson(report);
        else await line.write(recordsText(report, line.colours));
        return;
      }
      const report = await line.call('explain', { ...named, ...asked }, options);
      if (options.json) await line.writeJson(report);
      else await line.write(explainText(report, line.colours));
    });
}

interface Asked {
  /** The database and the scavenge. */
  named: RequestOf<'explain'>;
  asked: Partial<RequestOf<'explain'>>;
}

function requestOf(db: string | undefined, options: ExplainOptions, line: CommandLine): Asked {
  const { environment } = line.parts;
  const named = namedForScavenge(db, options, environment);
  const { stream, event, chunk } = options;
  const position = options.position[0];
  if ([stream, position, chunk].filter((one) => one !== undefined).length !== 1) {
    throw invalidRequest(
      'Only one thing can be explained at a time.',
      '--stream',
      'Give one of --stream (with or without --event), --position (as often as you like) and --chunk.'
    );
  }
  if (event !== undefined && stream === undefined) {
    throw invalidRequest('An event number needs its stream.', '--event', 'Add "--stream NAME".');
  }
  return {
    named: decidingRequest(options, named, environment),
    asked: {
      ...optional('stream', stream),
      ...optional('eventNumber', event),
      ...optional('position', position),
      ...optional('chunk', chunk)
    }
  };
}

function positions(text: string, before: number[]): number[] {
  return [...before, wholeNumber(0)(text)];
}

function eventNumber(text: string): number | string {
  if (text === TOMBSTONE_NUMBER) return text;
  try {
    return wholeNumber(0)(text);
  } catch {
    throw new InvalidArgumentError(
      `Give a whole number of at least 0, or the tombstone's ${TOMBSTONE_NUMBER}.`
    );
  }
}
