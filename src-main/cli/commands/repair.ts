/** `winnow repair`: applies the remedies of verification that can be derived from the rest or taken from a backup. */
import type { Command } from 'commander';
import { splitBackupName } from '../../backup/open-target.ts';
import type { RepairReport } from '../../contract/operations/repair-reports.ts';
import { winnowHome } from '../../settings/winnow-home.ts';
import { changeText } from '../change-text.ts';
import type { CommandLine } from '../command-line.ts';
import { confirmed } from '../confirmation.ts';
import { EXIT_FINDINGS } from '../exit-codes.ts';
import { namedDatabase, withDatabaseOptions, type DatabaseOptions } from '../global-options.ts';
import { openingAccess, withOpeningOptions, type ReadingOptions } from '../target-options.ts';
import { visibleText } from '../visible-text.ts';
import { chosenPlan, withPlanOption, type PlannedOptions } from '../write-options.ts';

interface RepairOptions extends DatabaseOptions, PlannedOptions, ReadingOptions {
  only: string[];
  fromBackup?: string;
  acceptLoss?: boolean;
  assumeStopped?: boolean;
}

export function addRepair(command: Command, line: CommandLine): void {
  withOpeningOptions(withPlanOption(withDatabaseOptions(command)))
    .description(
      'Repairs a stopped database: recreates what can be derived, moves files that do not belong to a dated ' +
        'folder beside the directory, and takes chunks from a backup if one is named. Deletes nothing and invents no ' +
        'data. Exits with 1 if damage remains.'
    )
    .option('--only <code>', 'repair only this finding; repeatable', collected, [])
    .option('--from-backup <dir[@id]>', 'take damaged and missing chunks from this backup if they match')
    .option('--accept-loss', 'truncate the log where damage requires it; the plan names what is lost')
    .option('--assume-stopped', 'the server is stopped (for network shares, where locks are not visible)')
    .addHelpText(
      'after',
      '\nExamples:\n  $ winnow repair /var/lib/kurrentdb --dry-run\n' +
        '  $ winnow repair /var/lib/kurrentdb --from-backup /backups --yes'
    )
    .action(async (db: string | undefined, options: RepairOptions) => {
      const { location } = namedDatabase(db, options);
      const request = {
        ...location,
        only: options.only,
        ...(options.fromBackup === undefined
          ? {}
          : { fromBackup: await backupOf(options.fromBackup, options, line) }),
        acceptLoss: options.acceptLoss === true,
        assumeStopped: options.assumeStopped === true,
        winnowHome: winnowHome(line.parts.environment, process.platform)
      };
      let planned = chosenPlan(options);
      const ask = !options.dryRun && !options.yes && isAnswerable(line);
      if (options.dryRun || ask) {
        const plan = await line.call('repairDatabase', { ...request, dryRun: true }, options);
        if (options.dryRun) {
          if (!plan.ok) line.exitCode = EXIT_FINDINGS;
          if (options.json) await line.writeJson(plan);
          else await line.write(repairText(plan, line));
          return;
        }
        line.say(repairText(plan, line));
        planned = chosenPlan(options, plan);
        if (plan.actions.length === 0) {
          if (!plan.ok) line.exitCode = EXIT_FINDINGS;
          if (options.json) await line.writeJson(plan);
          return;
        }
      }
      await confirmed(line, options, 'Repair this database?');
      const report = await line.call('repairDatabase', { ...request, ...planned }, options);
      if (!report.ok) line.exitCode = EXIT_FINDINGS;
      if (options.json) await line.writeJson(report);
      else await line.write(repairText(report, line));
    });
}

function collected(value: string, before: string[]): string[] {
  return [...before, value];
}

async function backupOf(
  name: string,
  options: ReadingOptions,
  line: CommandLine
): Promise<{ target: string; id?: string } & Awaited<ReturnType<typeof openingAccess>>> {
  const { location, id } = splitBackupName(name);
  return {
    target: location,
    ...(id === undefined ? {} : { id }),
    ...(await openingAccess(options, line))
  };
}

/** Without a terminal the question is refused anyway: no need to verify everything first. */
function isAnswerable({ parts }: CommandLine): boolean {
  return parts.stdin.isTTY === true && parts.stderr.isTTY === true;
}

function repairText(report: RepairReport, line: CommandLine): string {
  const { red, yellow, green, dim } = line.colours;
  const { actions, unrepaired, findings, dryRun, setAside, ok, planId } = report;
  let text = '';
  for (const { code, file, done, why, changes } of actions) {
    const mark = dryRun ? yellow('would') : done ? green('done ') : red('not  ');
    text += `${mark} ${code} ${visibleText(file)}\n      ${visibleText(why)}\n`;
    if (dryRun || done) for (const change of changes) text += `      ${dim(changeText(change))}\n`;
  }
  for (const { code, file, why } of unrepaired) {
    text += `${red('stays')} ${code} ${visibleText(file ?? '')}\n      ${visibleText(why)}\n`;
  }
  if (setAside !== null) text += `Moved, with a list, to: ${visibleText(setAside)}\n`;
  if (dryRun) {
    if (actions.length > 0)
      text += dim('The run verifies between its steps and also repairs what shows only then.') + '\n';
    else text += ok ? 'Nothing to repair.\n' : 'None of this can be repaired.\n';
    if (planId !== undefined && actions.length > 0) text += `plan  ${planId}\n`;
    return text;
  }
  const left = findings.filter(({ severity }) => severity === 'damage');
  for (const { code, file, message } of left) {
    text += `${red('left ')} ${code} ${visibleText(file ?? '')}\n      ${visibleText(message)}\n`;
  }
  if (ok && actions.length === 0) return `${text}Nothing to repair.\n`;
  return text + (ok ? `${green('No damage is left.')}\n` : `${red('Damage is left.')}\n`);
}
