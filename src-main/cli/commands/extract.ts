/** `winnow extract`: events of a node or a backup as a file. */
import { Option, type Command } from 'commander';
import { invalidRequest } from '../../../src-core/index.ts';
import { EXTRACT_FORMATS, type ExtractFormat } from '../../contract/operations/extraction-requests.ts';
import { byteSize } from '../byte-size.ts';
import type { CommandLine } from '../command-line.ts';
import { confirmed } from '../confirmation.ts';
import { EXIT_FINDINGS } from '../exit-codes.ts';
import {
  namedEvents,
  withEventOptions,
  withSourceOptions,
  type EventOptions
} from '../extraction-options.ts';
import { extractionText } from '../extraction-text.ts';
import { optional, withGlobalOptions } from '../global-options.ts';
import { withWriteOptions } from '../write-options.ts';

interface ExtractOptions extends EventOptions {
  to?: string;
  format?: ExtractFormat;
  partSize?: number;
  overwrite?: boolean;
  startAfresh?: boolean;
  yes?: boolean;
}

export function addExtract(command: Command, line: CommandLine): void {
  withWriteOptions(withEventOptions(withSourceOptions(withGlobalOptions(command))))
    .option('--to <file|dir>', 'file to write; a directory (or a name that ends in /) gets parts')
    .addOption(
      new Option(
        '--format <format>',
        'form of the rows (default: by the name of the file, else jsonl)'
      ).choices(EXTRACT_FORMATS)
    )
    .option('--part-size <size>', 'of a directory: begin the next part after this much', byteSize(1))
    .option('--overwrite', 'replace the file once the new one is whole')
    .option('--start-afresh', 'forget an unfinished extraction to the same place')
    .description(
      'Writes events as JSON lines, CSV or Parquet: from a stopped node, a running one, a backup, or a damaged one, of ' +
        'which everything that can still be read is read. All events that lie in the log are there, whatever rules of ' +
        'retention would hide. Changes nothing of the source. A run that was interrupted continues when it is given ' +
        'again. Exits with 1 if something could not be read.'
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ winnow extract /var/lib/kurrentdb --category order --to orders.jsonl\n' +
        '  $ winnow extract /backups@20261121T050000Z-4f2a --from-time 2026-01-01T00:00Z --to events.parquet'
    )
    .action(async (source: string | undefined, options: ExtractOptions) => {
      const events = await namedEvents(source, options, line);
      if (options.to === undefined) {
        throw invalidRequest('No output is named.', '--to', 'Give --to FILE, such as --to events.jsonl.');
      }
      const request = {
        ...events,
        to: options.to,
        format: options.format ?? formatOf(options.to),
        overwrite: options.overwrite === true,
        startAfresh: options.startAfresh === true,
        ...optional('partBytes', options.partSize)
      };
      // A new file takes nothing away from anybody: only what replaces one is asked about.
      const isAsked = !request.dryRun && (request.overwrite || request.startAfresh);
      if (isAsked && !options.yes) {
        const plan = await line.call(
          'extractEvents',
          { ...request, dryRun: true },
          { ...options, quiet: true }
        );
        line.say(extractionText(plan, line));
        await confirmed(line, options, 'Extract these events?');
      }
      const report = await line.call('extractEvents', request, options);
      if (!report.ok) line.exitCode = EXIT_FINDINGS;
      if (options.json) await line.writeJson(report);
      else await line.write(extractionText(report, line));
    });
}

function formatOf(to: string): ExtractFormat {
  const ending = /\.([a-z]+)$/i.exec(to)?.[1]?.toLowerCase();
  return EXTRACT_FORMATS.find((format) => format === ending) ?? 'jsonl';
}
