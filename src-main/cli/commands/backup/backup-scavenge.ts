/** `winnow backup scavenge`: removes from a backup what its own log says is deleted. */
import { Option, type Command } from 'commander';
import { splitBackupName } from '../../../backup/open-target.ts';
import { invalidRequest } from '../../../../src-core/index.ts';
import type { BackupErasureReport } from '../../../contract/operations/erasure-reports.ts';
import type { RequestOf } from '../../../contract/operations/operation-contract.ts';
import { backupErasureText } from '../../backup-erasure-text.ts';
import type { CommandLine } from '../../command-line.ts';
import { confirmed } from '../../confirmation.ts';
import { optional, wholeNumber, withGlobalOptions, type GlobalOptions } from '../../global-options.ts';
import { openingAccess, withOpeningOptions, type ReadingOptions } from '../../target-options.ts';
import { chosenPlan, withPlanOption, type PlannedOptions } from '../../write-options.ts';

interface ScavengeOptions extends GlobalOptions, ReadingOptions, PlannedOptions {
  backup?: string;
  scavengePoint: 'auto' | 'existing' | 'detached';
  threshold: number;
  scratch?: string;
  removeOld?: boolean;
}

/** Adds it to the command `backup`. */
export function addBackupScavenge(backup: Command, line: CommandLine): void {
  withOpeningOptions(
    withPlanOption(
      withGlobalOptions(
        backup.command('scavenge').summary('remove from a backup what its log says is deleted')
      )
    )
  )
    .argument('<target>', 'a directory, or s3://BUCKET/PREFIX; also TARGET@ID')
    .description(
      'Restores one backup into a scratch directory, scavenges it there, and stores it as a new generation of the same ' +
        'backup: same node, same log, same time; files that did not change are shared. Then reads the new generation ' +
        'back. The old one stays unless --remove-old is given.'
    )
    .option('--backup <id>', 'the backup, as "winnow backup list" names it')
    .addOption(
      new Option(
        '--scavenge-point <placement>',
        'where the scavenge ends; auto: the newest point in the log of the backup, else detached'
      )
        .choices(['auto', 'existing', 'detached'])
        .default('auto')
    )
    .option('--threshold <weight>', 'minimum weight of a chunk to rewrite (detached)', wholeNumber(-1), 0)
    .option('--scratch <dir>', 'directory for the gathered backup (default: the temporary directory)')
    .option('--remove-old', 'remove the old generation once the new one is verified')
    .addHelpText(
      'after',
      '\nExamples:\n  $ winnow backup scavenge /backups --backup 20261121T050000Z-4f2a --dry-run\n' +
        '  $ winnow backup scavenge /backups --backup 20261121T050000Z-4f2a --remove-old --yes'
    )
    .action(async (name: string, options: ScavengeOptions) => {
      const { location, id: named } = splitBackupName(name);
      const id = options.backup ?? named;
      if (id === undefined) {
        throw invalidRequest(
          'No backup is named.',
          '--backup',
          'Name one with --backup ID; "winnow backup list" names them.'
        );
      }
      const { scavengePoint, threshold } = options;
      await eraseInBackup(line, options, {
        target: location,
        id,
        erase: { kind: 'scavenge', scavengePoint, threshold },
        removeOld: options.removeOld === true,
        ...optional('scratchDirectory', options.scratch),
        ...(await openingAccess(options, line))
      });
    });
}

type Request = RequestOf<'planBackupErasure'>;

/** Plan, question, run: the same for a redaction in a backup. Gives what was done; nothing after a dry run. */
export async function eraseInBackup(
  line: CommandLine,
  options: PlannedOptions & GlobalOptions,
  request: Request
): Promise<BackupErasureReport | undefined> {
  let planned = chosenPlan(options);
  if (options.dryRun || !options.yes) {
    const plan = await line.call('planBackupErasure', request, { ...options, quiet: true });
    if (options.dryRun && options.json) await line.writeJson({ dryRun: true, ...plan });
    else if (options.dryRun) await line.write(backupErasureText(plan, line.colours));
    else line.say(backupErasureText(plan, line.colours));
    if (options.dryRun) return undefined;
    planned = chosenPlan(options, plan);
  }
  const question =
    request.removeOld === true
      ? 'Store the new generation and remove the old one?'
      : 'Store the new generation?';
  await confirmed(line, options, question);
  const report = await line.call('eraseInBackup', { ...request, ...planned }, options);
  if (options.json) await line.writeJson(report);
  else await line.write(backupErasureText(report, line.colours));
  return report;
}
