/** `winnow export`: chosen streams of a node or a backup as a new database. */
import type { Command } from 'commander';
import { invalidRequest } from '../../../src-core/index.ts';
import { LEAST_CHUNK_BYTES, MOST_CHUNK_BYTES } from '../../contract/operations/extraction-requests.ts';
import { byteSize } from '../byte-size.ts';
import type { CommandLine } from '../command-line.ts';
import { EXIT_FINDINGS } from '../exit-codes.ts';
import { namedStreams, withSourceOptions, type SourceOptions } from '../extraction-options.ts';
import { exportText } from '../extraction-text.ts';
import { optional, withGlobalOptions } from '../global-options.ts';
import { withWriteOptions } from '../write-options.ts';

interface ExportOptions extends SourceOptions {
  toDatabase?: string;
  chunkSize?: number;
  startAfresh?: boolean;
}

export function addExport(command: Command, line: CommandLine): void {
  withWriteOptions(withSourceOptions(withGlobalOptions(command)))
    .option('--to-database <dir>', 'data directory to make; must be missing or empty')
    .option(
      '--chunk-size <size>',
      'logical size of a chunk (default: 256MiB, as the server)',
      byteSize(LEAST_CHUNK_BYTES, MOST_CHUNK_BYTES)
    )
    .option('--start-afresh', 'forget an unfinished export to the same place')
    .description(
      'Makes a new database that holds only the chosen streams: their events with numbers, ids, types, times, flags and ' +
        'bytes, their metadata and tombstones. A server opens it. Log positions are new. Changes nothing of the source. A ' +
        'run that was interrupted continues when it is given again. Exits with 1 if something could not be read.'
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ winnow export /var/lib/kurrentdb --category order --to-database ./orders\n' +
        "  $ winnow export /backups@20261121T050000Z-4f2a --stream order-1 --stream '$ce-order' --to-database ./one"
    )
    .action(async (source: string | undefined, options: ExportOptions) => {
      const streams = await namedStreams(source, options, line);
      if (options.toDatabase === undefined) {
        throw invalidRequest('No new database is named.', '--to-database', 'Give --to-database DIR.');
      }
      const report = await line.call(
        'exportDatabase',
        {
          ...streams,
          toDatabase: options.toDatabase,
          startAfresh: options.startAfresh === true,
          ...optional('chunkSizeBytes', options.chunkSize)
        },
        options
      );
      if (!report.ok) line.exitCode = EXIT_FINDINGS;
      if (options.json) await line.writeJson(report);
      else await line.write(exportText(report, line));
    });
}
