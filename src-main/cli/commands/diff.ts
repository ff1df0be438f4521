/** `winnow diff`: do nodes and backups hold the same log? */
import type { Command } from 'commander';
import { invalidRequest } from '../../../src-core/index.ts';
import { winnowHome } from '../../settings/winnow-home.ts';
import { parseByteSize } from '../byte-size.ts';
import type { CommandLine } from '../command-line.ts';
import { differenceText } from '../difference-text.ts';
import { EXIT_FINDINGS } from '../exit-codes.ts';
import { optional, withGlobalOptions, type GlobalOptions } from '../global-options.ts';
import { openingAccess, withOpeningOptions, type ReadingOptions } from '../target-options.ts';

interface DiffOptions extends GlobalOptions, ReadingOptions {
  index: string[];
  readAll?: boolean;
  throttle?: number;
  scratch?: string;
}

const collected = (value: string, before: string[]): string[] => [...before, value];

export function addDiff(command: Command, line: CommandLine): void {
  withOpeningOptions(
    withGlobalOptions(
      command.argument(
        '[sides...]',
        'two or more: data directories, or backups as DIR@ID, s3://BUCKET/PREFIX@ID, or a target (its newest)'
      )
    )
  )
    .description(
      'Compares the logs of nodes and backups record by record, whatever was scavenged or merged on either side; each ' +
        'one is compared with the first. Says of what only one of them has whether a rule explains it. Changes ' +
        'nothing. Exits with 1 unless all is equal or explained.'
    )
    .option('--index <dir>', 'index directory, one for each side in their order; repeatable', collected, [])
    .option('--read-all', 'also read files whose stored hashes are equal')
    .option('--throttle <size>', 'read at most this many bytes per second, such as 50MiB', parseByteSize)
    .option('--scratch <dir>', 'for chunks of encoded backups (default: the temporary directory)')
    .addHelpText(
      'after',
      '\nExamples:\n  $ winnow diff /var/lib/node1 /var/lib/node2 /var/lib/node3\n' +
        '  $ winnow diff /var/lib/kurrentdb /backups@20261121T050000Z-4f2a'
    )
    .action(async (sides: string[], options: DiffOptions) => {
      const [first, ...others] = sides;
      if (first === undefined || others.length === 0) {
        throw invalidRequest(
          'A comparison needs two sides.',
          'SIDES',
          'Name two or more data directories or backups, such as "winnow diff /var/lib/node1 /backups".'
        );
      }
      const sideOf = (dataDirectory: string, i: number) => ({
        dataDirectory,
        ...optional('indexDirectory', options.index[i])
      });
      const report = await line.call(
        'compareDatabases',
        {
          ...sideOf(first, 0),
          others: others.map((other, i) => sideOf(other, i + 1)),
          readAll: options.readAll === true,
          ...(await openingAccess(options, line)),
          ...optional('bytesPerSecond', options.throttle),
          ...optional('scratchDirectory', options.scratch),
          winnowHome: winnowHome(line.parts.environment, process.platform)
        },
        options
      );
      if (!report.ok) line.exitCode = EXIT_FINDINGS;
      if (options.json) await line.writeJson(report);
      else await line.write(differenceText(report, line));
    });
}
