/** `winnow verify`: compares log, index, filters and checkpoints with each other. */
import { findingText } from '../finding-text.ts';
import type { Command } from 'commander';
import type { VerifyReport } from '../../contract/operations/reports.ts';
import { winnowHome } from '../../settings/winnow-home.ts';
import { formatBytes, formatNoun, parseByteSize } from '../byte-size.ts';
import type { CommandLine } from '../command-line.ts';
import { EXIT_FINDINGS } from '../exit-codes.ts';
import {
  namedDatabase,
  optional,
  wholeNumber,
  withDatabaseOptions,
  type DatabaseOptions
} from '../global-options.ts';
import { visibleText } from '../visible-text.ts';

interface VerifyOptions extends DatabaseOptions {
  quick?: boolean;
  threads: number;
  throttle?: number;
}

export function addVerify(command: Command, line: CommandLine): void {
  withDatabaseOptions(command)
    .description(
      'Checks the database and lists each finding with its remedy. Exits with 1 on damage, with 0 on hints.'
    )
    .option('--quick', 'skip hashes, the order of index tables and the content of filters')
    .option('--threads <number>', 'chunks to verify at once, at most one per core', wholeNumber(1), 1)
    .option('--throttle <size>', 'read at most this many bytes per second, such as 50MiB', parseByteSize)
    .addHelpText('after', '\nExample:\n  $ winnow verify /var/lib/kurrentdb')
    .action(async (db: string | undefined, options: VerifyOptions) => {
      const { location } = namedDatabase(db, options);
      const report = await line.call(
        'verifyDatabase',
        {
          ...location,
          quick: options.quick === true,
          threads: options.threads,
          ...optional('bytesPerSecond', options.throttle),
          winnowHome: winnowHome(line.parts.environment, process.platform)
        },
        options
      );
      if (!report.ok) line.exitCode = EXIT_FINDINGS;
      if (options.json) await line.writeJson(report);
      else await line.write(verifyText(report, line));
    });
}

function verifyText(report: VerifyReport, line: CommandLine): string {
  const { red, green } = line.colours;
  let text = '';
  for (const finding of report.findings) text += findingText(finding, line);
  const { checked } = report;
  text += `Checked ${formatNoun(checked.files, 'file')}, ${formatBytes(checked.bytes)}, `;
  text += `${formatNoun(checked.records, 'record')}, ${formatNoun(checked.indexEntries, 'index entry', 'index entries')}.\n`;
  for (const place of report.notChecked) text += `Not checked: ${visibleText(place)}\n`;
  text += report.ok ? `${green('No damage found.')}\n` : `${red('Damage found.')}\n`;
  return text;
}
