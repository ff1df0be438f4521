/** `winnow backup rehearse`: restores a backup into a scratch directory, verifies it, and removes it again. */
import type { Command } from 'commander';
import { splitBackupName } from '../../../backup/open-target.ts';
import type { RehearseReport } from '../../../contract/operations/restore-reports.ts';
import { formatBytes, formatCount, formatNoun } from '../../byte-size.ts';
import type { CommandLine } from '../../command-line.ts';
import { EXIT_FINDINGS } from '../../exit-codes.ts';
import { optional, withGlobalOptions, type GlobalOptions } from '../../global-options.ts';
import {
  openingAccess,
  withOpeningOptions,
  withVerifyKey,
  type ReadingOptions
} from '../../target-options.ts';
import { visibleText } from '../../visible-text.ts';

interface RehearseOptions extends GlobalOptions, ReadingOptions {
  scratch?: string;
}

/** Adds it to the command `backup`. */
export function addBackupRehearse(backup: Command, line: CommandLine): void {
  withVerifyKey(
    withOpeningOptions(
      withGlobalOptions(backup.command('rehearse').summary('test-restore a backup and verify it'))
    )
  )
    .argument('<backup>', 'backup target, with @ID unless the newest is meant; or a copy made by hand')
    .option('--scratch <dir>', 'directory for the test restore (default: the temporary directory)')
    .description(
      'Restores the backup into a scratch directory, truncates its log as the first start would, verifies everything, reads ' +
        'the last event of each stream, and removes it. Exits with 1 on damage.'
    )
    .addHelpText('after', '\nExample:\n  $ winnow backup rehearse /backups --scratch /mnt/big')
    .action(async (name: string, options: RehearseOptions) => {
      const { location, id } = splitBackupName(name);
      const request = {
        target: location,
        ...optional('id', id),
        ...optional('scratchDirectory', options.scratch),
        ...(await openingAccess(options, line))
      };
      const report = await line.call('rehearseBackup', request, options);
      if (!report.ok) line.exitCode = EXIT_FINDINGS;
      if (options.json) await line.writeJson(report);
      else await line.write(rehearseText(report, line));
    });
}

function rehearseText(report: RehearseReport, line: CommandLine): string {
  const { red, yellow, green } = line.colours;
  const findings = report.findings.map(
    ({ severity, code, message, remedy }) =>
      `${severity === 'damage' ? red('damage') : yellow('hint  ')} ${code}\n` +
      `       ${visibleText(message)}\n       ${visibleText(remedy)}\n`
  );
  const { checked } = report;
  const skipped = report.notChecked.map((place) => `Not checked: ${visibleText(place)}\n`);
  return (
    findings.join('') +
    `Test-restored ${visibleText(report.backup)}: ${formatNoun(checked.files, 'file')}, ${formatBytes(checked.bytes)}, ` +
    `${formatNoun(checked.records, 'record')}, the last event of ${formatNoun(report.streams, 'stream')}. ` +
    `The log ends at ${formatCount(report.truncatesTo)}.\n` +
    skipped.join('') +
    (report.ok ? `${green('This backup can be restored.')}\n` : `${red('Do not rely on this backup.')}\n`)
  );
}
