/** `winnow sample`: writes a sample database. */
import { Option, type Command } from 'commander';
import { byteSize, formatBytes, formatNoun } from '../byte-size.ts';
import type { CommandLine } from '../command-line.ts';
import { confirmed, type WriteOptions } from '../confirmation.ts';
import { isoTime, optional, wholeNumber, withGlobalOptions } from '../global-options.ts';
import { withWriteOptions } from '../write-options.ts';
import { visibleText } from '../visible-text.ts';

interface SampleOptions extends WriteOptions {
  size: number;
  chunkSize: number;
  seed: number;
  streams?: number;
  now?: string;
}

const DEFAULT_SIZE = 64 * 1024 * 1024;
const DEFAULT_CHUNK_SIZE = 1024 * 1024;

export function addSample(command: Command, line: CommandLine): void {
  withWriteOptions(withGlobalOptions(command))
    .argument('<dir>', 'directory to create; must be missing or empty')
    .description(
      'Writes a database to experiment with: streams with rules, deleted streams, transactions, links.'
    )
    .addOption(
      new Option('--size <size>', 'size of the log').argParser(byteSize(1)).default(DEFAULT_SIZE, '64MiB')
    )
    .addOption(
      new Option('--chunk-size <size>', 'logical size of a chunk')
        .argParser(byteSize(1))
        .default(DEFAULT_CHUNK_SIZE, '1MiB')
    )
    .option('--seed <number>', 'seed; the same seed gives the same database', wholeNumber(0), 1)
    .option(
      '--streams <number>',
      'at most this many streams in each category; sessions, which follow one another, are extra (default: by size)',
      wholeNumber(1)
    )
    .option('--now <time>', 'time of the last event (default: now)', isoTime)
    .addHelpText('after', '\nExample:\n  $ winnow sample ./sample --size 64MiB --yes')
    .action(async (dataDirectory: string, options: SampleOptions) => {
      const words =
        `A sample database of about ${formatBytes(options.size)} in chunks of ${formatBytes(options.chunkSize)} ` +
        `will be written to ${visibleText(dataDirectory)}.`;
      if (options.dryRun) {
        if (options.json) await line.writeJson({ dryRun: true, dataDirectory, bytes: options.size });
        else await line.write(`${words}\n`);
        return;
      }
      if (!options.yes) line.say(`${words}\n`);
      await confirmed(line, options, 'Write it?');
      const report = await line.call(
        'writeSample',
        {
          dataDirectory,
          sizeBytes: options.size,
          chunkSizeBytes: options.chunkSize,
          seed: options.seed,
          ...optional('streams', options.streams),
          ...optional('now', options.now)
        },
        options
      );
      if (options.json) {
        await line.writeJson(report);
        return;
      }
      await line.write(
        `Wrote ${visibleText(report.dataDirectory)}: ${formatNoun(report.records, 'record')} in ` +
          `${formatNoun(report.streams, 'stream')}, ${formatNoun(report.chunks, 'chunk')}, ${formatBytes(report.bytes)}.\n`
      );
    });
}
