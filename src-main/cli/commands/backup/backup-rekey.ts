/** `winnow backup rekey`: encrypts the backups of a target for other keys. */
import type { Command } from 'commander';
import type { RekeyReport } from '../../../contract/operations/backup-reports.ts';
import { notesText } from '../../backup-text.ts';
import type { CommandLine } from '../../command-line.ts';
import { confirmed } from '../../confirmation.ts';
import { optional, withGlobalOptions, type GlobalOptions } from '../../global-options.ts';
import { formatBytes, formatNoun } from '../../byte-size.ts';
import {
  openingAccess,
  withOpeningOptions,
  withVerifyKey,
  type ReadingOptions
} from '../../target-options.ts';
import { visibleText } from '../../visible-text.ts';
import { chosenPlan, withPlanOption, type PlannedOptions } from '../../write-options.ts';

interface RekeyOptions extends GlobalOptions, ReadingOptions, PlannedOptions {
  newKeys: string;
  signKey?: string;
}

/** Adds it to the command `backup`. */
export function addBackupRekey(backup: Command, line: CommandLine): void {
  withOpeningOptions(
    withVerifyKey(
      withPlanOption(withGlobalOptions(backup.command('rekey').summary('encrypt backups for other keys')))
    )
  )
    .argument('<target>', 'a directory, or s3://BUCKET/PREFIX')
    .description(
      'Encrypts every encrypted backup of a target for the keys in a file: those open the backups from then on, ' +
        'the old ones no longer. Each backup becomes a new generation of itself; the old one goes when the new one has ' +
        'been read back. The next run resumes a killed one.'
    )
    .requiredOption('--new-keys <file>', 'public (or secret) keys, one a line; any of them opens the backups')
    .option('--sign-key <file>', 'sign the new generations with this key (else: WINNOW_BACKUP_SIGN_KEY)')
    .addHelpText(
      'after',
      '\nExamples:\n  $ winnow backup rekey /backups --key-file old.key --new-keys team.pub --dry-run\n' +
        '  $ winnow backup rekey /backups --key-file old.key --new-keys team.pub --yes'
    )
    .action(async (target: string, options: RekeyOptions) => {
      const request = {
        target,
        newKeys: options.newKeys,
        ...optional('signKey', options.signKey),
        ...(await openingAccess(options, line))
      };
      let planned = chosenPlan(options);
      if (options.dryRun || !options.yes) {
        const plan = await line.call(
          'rekeyBackups',
          { ...request, dryRun: true },
          { ...options, quiet: true }
        );
        if (options.dryRun && options.json) await line.writeJson({ dryRun: true, ...plan });
        else if (options.dryRun) await line.write(rekeyText(plan, line));
        else line.say(rekeyText(plan, line));
        if (options.dryRun) return;
        planned = chosenPlan(options, plan);
      }
      await confirmed(line, options, 'Encrypt these backups for the new keys?');
      const report = await line.call('rekeyBackups', { ...request, ...planned }, options);
      if (options.json) await line.writeJson(report);
      else await line.write(rekeyText(report, line));
    });
}

function rekeyText(report: RekeyReport, line: CommandLine): string {
  const { result, due, done, plain, recipients, bytes, freeBytes, rekeyed, warnings } = report;
  const target = visibleText(report.target);
  const keys = recipients.map((recipient) => `  ${recipient}\n`).join('');
  const others =
    (done.length > 0 ? `${formatNoun(done.length, 'backup')} had these keys already.\n` : '') +
    notesText(warnings, line.colours);
  if (result === 'exists') return `No backup in ${target} is encrypted for other keys.\n${others}`;
  if (result === 'planned') {
    const free = freeBytes === null ? '' : `, ${formatBytes(freeBytes)} are free`;
    return (
      `Would encrypt ${formatNoun(due.length, 'backup')} in ${target} (${formatBytes(bytes)}${free}):\n` +
      `${due.map((id) => `  ${id}\n`).join('')}for\n${keys}${others}`
    );
  }
  const lines = rekeyed.map(
    ({ of, id, stored, shared }) =>
      `  ${of} is now ${id}: ${formatNoun(stored, 'file')} encrypted again, ${shared} shared\n`
  );
  return (
    `Encrypted ${formatNoun(rekeyed.length, 'backup')} in ${target}:\n${lines.join('')}for\n${keys}${others}` +
    (plain.length + report.unfinished.length === 0 ? 'The old keys open none of its backups any more.\n' : '')
  );
}
