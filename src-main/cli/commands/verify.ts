/** `winnow verify`: compares log, index, filters and checkpoints with each other. */
import { findingText } from '../finding-text.ts';
import type { Command } from 'commander';
import type { VerifyReport } from '../../contract/operations/reports.ts';
import { winnowHome } from '../../settings/winnow-home.ts';
import { formatBytes, formatNoun, parseByteSize } from '../byte-size.ts';
import { formatDuration, parseDuration, parsePositiveDuration } from '../duration.ts';
import type { CommandLine } from '../command-line.ts';
import { coverageText } from '../coverage-text.ts';
import { EXIT_FINDINGS } from '../exit-codes.ts';
import {
  namedDatabase,
  optional,
  wholeNumber,
  withDatabaseOptions,
  type DatabaseOptions
} from '../global-options.ts';
import { visibleText } from '../visible-text.ts';

type Budget = NonNullable<VerifyReport['budget']>;

interface VerifyOptions extends DatabaseOptions {
  quick?: boolean;
  threads: number;
  throttle?: number;
  budget?: number;
  within?: number;
}

export function addVerify(command: Command, line: CommandLine): void {
  withDatabaseOptions(command)
    .description(
      'Checks the database and lists each finding with its remedy. Exits with 1 on damage, with 0 on hints.'
    )
    .option('--quick', 'skip hashes, the order of index tables and the content of filters')
    .option('--threads <number>', 'chunks to verify at once, at most one per core', wholeNumber(1), 1)
    .option('--throttle <size>', 'read at most this many bytes per second, such as 50MiB', parseByteSize)
    .option(
      '--budget <time>',
      'read files for this long only, such as 10min, those first that were verified longest ago',
      parseDuration
    )
    .option(
      '--within <time>',
      'exit with 1 unless the whole log was verified within this time, such as 30d',
      parsePositiveDuration
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ winnow verify /var/lib/kurrentdb\n  $ winnow verify /var/lib/kurrentdb --budget 10min --within 30d'
    )
    .action(async (db: string | undefined, options: VerifyOptions) => {
      const { location } = namedDatabase(db, options);
      const report = await line.call(
        'verifyDatabase',
        {
          ...location,
          quick: options.quick === true,
          threads: options.threads,
          ...optional('bytesPerSecond', options.throttle),
          ...optional('budgetMs', options.budget),
          ...optional('withinMs', options.within),
          winnowHome: winnowHome(line.parts.environment, process.platform)
        },
        options
      );
      const isLate = options.within !== undefined && report.coverage?.isWhole !== true;
      if (!report.ok || isLate) line.exitCode = EXIT_FINDINGS;
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
  if (report.budget) text += budgetText(report.budget);
  if (report.coverage) text += coverageText(report.coverage, line);
  text += report.ok ? `${green('No damage found.')}\n` : `${red('Damage found.')}\n`;
  return text;
}

function budgetText({ budgetMs, verifiedFiles, waitingFiles, waitingBytes, next, usedMs }: Budget): string {
  if (waitingFiles === 0 || next === null)
    return `All ${formatNoun(verifiedFiles, 'file')} had their turn.\n`;
  const waiting = `${formatNoun(waitingFiles, 'file')} (${formatBytes(waitingBytes)})`;
  const text = `Stopped after ${formatDuration(usedMs)}; waiting for their turn: ${waiting}, the next is ${next}.\n`;
  return verifiedFiles > 0 || budgetMs === 0 ? text : `${text}No file was read to its end in this time.\n`;
}
