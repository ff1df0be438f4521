/**
 * `winnow restore`: restores a backup onto a stopped node; finishes or undoes an interrupted restore; makes the cut of the log
 * that the server's first start would make.
 */
import type { Command } from 'commander';
import { invalidRequest } from '../../../src-core/index.ts';
import { splitBackupName } from '../../backup/open-target.ts';
import type {
  CutLogReport,
  RestorePlanReport,
  RestoreReport
} from '../../contract/operations/restore-reports.ts';
import { formatBytes, formatCount, formatNoun } from '../byte-size.ts';
import type { CommandLine } from '../command-line.ts';
import { confirmed } from '../confirmation.ts';
import { optional, wholeNumber, withGlobalOptions } from '../global-options.ts';
import { formatFacts } from '../tables.ts';
import { openingAccess, withOpeningOptions, withVerifyKey, type ReadingOptions } from '../target-options.ts';
import { removedText } from '../finding-text.ts';
import { visibleText } from '../visible-text.ts';
import { chosenPlan, withPlanOption, type PlannedOptions } from '../write-options.ts';

interface RestoreOptions extends PlannedOptions, ReadingOptions {
  to: string;
  index?: string;
  applyTruncation?: boolean;
  assumeStopped?: boolean;
  continue?: boolean;
  undo?: boolean;
  finish?: boolean;
  maxTruncation?: number;
}

export function addRestore(command: Command, line: CommandLine): void {
  withVerifyKey(withOpeningOptions(withPlanOption(withGlobalOptions(command))))
    .argument('[backup]', 'backup target, with @ID unless the newest is meant; or a copy made by hand')
    .requiredOption('--to <dir>', 'data directory of the stopped node')
    .option('--index <dir>', 'index directory of the node (default: index in the data directory)')
    .option('--apply-truncation', 'truncate the log now, so that the server needs only one start')
    .option('--assume-stopped', 'the server is stopped (for network shares, where locks are not visible)')
    .option('--continue', 'finish an interrupted restore')
    .option('--undo', 'undo an interrupted restore: put the old files back')
    .option('--finish', 'only truncate the log at truncate.chk, as the next server start would')
    .option(
      '--max-truncation <bytes>',
      'with --finish: cut off at most this much; -1 for any amount',
      wholeNumber(-1)
    )
    .description(
      'Restores a backup. Moves the old files aside once the new ones are complete and checked, and never deletes ' +
        'them. Finish an interrupted restore with --continue or undo it with --undo; until then nothing writes to ' +
        'the directory.'
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ winnow restore /backups --to /var/lib/kurrentdb --dry-run\n' +
        '  $ winnow restore /backups@20261121T050000Z-4f2a --to /var/lib/kurrentdb --apply-truncation --yes\n' +
        '  $ winnow restore --continue --to /var/lib/kurrentdb --yes'
    )
    .action(async (backup: string | undefined, options: RestoreOptions) => {
      const way = chosenWay(backup, options);
      if (way === 'restore') await restore(line, backup!, options);
      else if (way === 'finish') await finish(line, options);
      else if (way === 'continue') await goOn(line, options);
      else await undo(line, options);
    });
}

type Way = 'restore' | 'continue' | 'undo' | 'finish';

function chosenWay(backup: string | undefined, options: RestoreOptions): Way {
  const ways = (['continue', 'undo', 'finish'] as const).filter((way) => options[way] === true);
  const [way] = ways;
  if (ways.length > 1) {
    throw invalidRequest(
      `Both --${ways[0]!} and --${ways[1]!} are given.`,
      `--${ways[1]!}`,
      'Give only one of them.'
    );
  }
  if (way && backup !== undefined) {
    throw invalidRequest(
      `--${way} works on the directory alone; "${backup}" is not used.`,
      'backup',
      'Leave the backup out: the directory records the unfinished restore.'
    );
  }
  if (!way && backup === undefined) {
    throw invalidRequest('No backup is named.', 'backup', 'Give the target of your backups, or DIR@ID.');
  }
  if (options.maxTruncation !== undefined && way !== 'finish') {
    throw invalidRequest('--max-truncation belongs to --finish.', '--max-truncation');
  }
  if (options.plan !== undefined && way) {
    throw invalidRequest(`--${way} has no plan of its own.`, '--plan', 'Leave --plan out.');
  }
  return way ?? 'restore';
}

async function restore(line: CommandLine, backup: string, options: RestoreOptions): Promise<void> {
  const { location, id } = splitBackupName(backup);
  const request = {
    target: location,
    ...optional('id', id),
    ...(await openingAccess(options, line)),
    dataDirectory: options.to,
    ...optional('indexDirectory', options.index),
    applyTruncation: options.applyTruncation === true,
    assumeStopped: options.assumeStopped === true
  };
  let planned = chosenPlan(options);
  if (options.dryRun || !options.yes) {
    const plan = await line.call('planRestore', request, { ...options, quiet: true });
    if (options.dryRun) {
      if (options.json) await line.writeJson(plan);
      else await line.write(planText(plan, line));
      return;
    }
    line.say(planText(plan, line));
    planned = chosenPlan(options, plan);
    await confirmed(line, options, 'Restore this backup?');
  }
  await show(line, await line.call('runRestore', { ...request, ...planned }, options), options);
}

async function goOn(line: CommandLine, options: RestoreOptions): Promise<void> {
  const request = {
    dataDirectory: options.to,
    assumeStopped: options.assumeStopped === true,
    ...(await openingAccess(options, line))
  };
  if (await announced(line, options, `This finishes the interrupted restore into ${options.to}.`)) return;
  await confirmed(line, options, 'Finish it?');
  await show(line, await line.call('continueRestore', request, options), options);
}

async function undo(line: CommandLine, options: RestoreOptions): Promise<void> {
  const request = { dataDirectory: options.to, assumeStopped: options.assumeStopped === true };
  const words = `This undoes the interrupted restore into ${options.to}: the old files are put back.`;
  if (await announced(line, options, words)) return;
  await confirmed(line, options, 'Undo it?');
  const report = await line.call('undoRestore', request, options);
  if (options.json) await line.writeJson(report);
  else
    await line.write(
      `The restore of ${visibleText(report.backup)} was undone; the old database is in place.\n`
    );
}

/** Says what is about to be done; true if that was all that was requested. */
async function announced(line: CommandLine, options: RestoreOptions, words: string): Promise<boolean> {
  if (!options.dryRun) {
    if (!options.yes) line.say(`${visibleText(words)}\n`);
    return false;
  }
  const { restoreState } = await line.call(
    'inspectDatabase',
    { dataDirectory: options.to },
    { ...options, quiet: true }
  );
  if (options.json) await line.writeJson({ dryRun: true, dataDirectory: options.to, restoreState });
  else
    await line.write(
      restoreState === null
        ? 'There is no unfinished restore.\n'
        : `${visibleText(words)} (${restoreState})\n`
    );
  return true;
}

async function finish(line: CommandLine, options: RestoreOptions): Promise<void> {
  const request = {
    dataDirectory: options.to,
    ...optional('indexDirectory', options.index),
    ...optional('maxTruncationBytes', options.maxTruncation),
    assumeStopped: options.assumeStopped === true
  };
  if (options.dryRun || !options.yes) {
    const plan = await line.call('cutLog', { ...request, dryRun: true }, { ...options, quiet: true });
    if (options.dryRun) {
      if (options.json) await line.writeJson(plan);
      else await line.write(cutText(plan));
      return;
    }
    line.say(cutText(plan));
    await confirmed(line, options, 'Cut the log?');
  }
  const report = await line.call('cutLog', request, options);
  if (options.json) await line.writeJson(report);
  else await line.write(cutText(report) + warningsText(report.warnings, line));
}

async function show(line: CommandLine, report: RestoreReport, options: RestoreOptions): Promise<void> {
  if (options.json) {
    await line.writeJson(report);
    return;
  }
  const facts: [string, string][] = [
    ['restored', report.backup],
    ['to', report.dataDirectory],
    ['copied', `${formatNoun(report.filesCopied, 'file')}, ${formatBytes(report.bytesCopied)}`],
    ['old files', report.movedAside.length === 0 ? 'none' : report.movedAside.join(', ')],
    ['log ends at', formatCount(report.truncatesTo)],
    ['next start', report.nextStart]
  ];
  if (report.fullBackupAdvised) {
    facts.push(['then', 'this is the node that was backed up: take a full backup once it runs']);
  }
  await line.write(formatFacts(facts, line.colours) + warningsText(report.warnings, line));
}

function planText(plan: RestorePlanReport, line: CommandLine): string {
  const { replaces } = plan;
  const facts: [string, string][] = [
    ['backup', plan.backup],
    ['to', plan.dataDirectory],
    ['index', plan.indexDirectory],
    ['files', `${formatCount(plan.files)}, ${formatBytes(plan.bytes)}`],
    ...plan.space.map(({ directory, neededBytes, freeBytes }): [string, string] => [
      'space',
      `${formatBytes(neededBytes)} needed in ${directory}, ${formatBytes(freeBytes)} free`
    ]),
    ['replaces', replaces === null ? 'nothing, the target is empty' : replacedText(replaces)]
  ];
  if (plan.movesAside.length > 0) {
    const names = plan.movesAside.join(', ');
    facts.push(['old files go to', `${names} (with this plan; another run names it by its own time)`]);
  }
  if (plan.leftOut.length > 0) {
    const shown = plan.leftOut.slice(0, 5).map(({ file }) => file);
    const more = plan.leftOut.length - shown.length;
    facts.push(['not restored', `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`]);
  }
  facts.push(
    [
      'log ends at',
      `${formatCount(plan.truncatesTo)}; ${formatNoun(plan.cutBytes, 'byte')} after that ${plan.cutBytes === 1 ? 'is' : 'are'} cut off`
    ],
    ['next start', plan.nextStart],
    ['plan', plan.planId]
  );
  const files = removedText('Files that the cut deletes:', plan.removes);
  return formatFacts(facts, line.colours) + files + warningsText(plan.warnings, line);
}

function replacedText({
  writer,
  lostBytes,
  isSameHistory
}: NonNullable<RestorePlanReport['replaces']>): string {
  const log = `a log that ends at ${formatCount(writer)}`;
  if (isSameHistory === false) return `${log}, of another history`;
  if (lostBytes === null) return log;
  return lostBytes === 0
    ? `${log}; the backup contains all of it`
    : `${log}; the part that is not in the backup is lost: its last ${formatNoun(lostBytes, 'byte')}`;
}

function cutText(report: CutLogReport): string {
  if (report.requested === null) return `${report.nextStart}\n`;
  const words = report.applied ? 'Cut the log' : 'Would cut the log';
  const cut = `${words} at position ${formatCount(report.truncatesTo ?? 0)}, ${formatNoun(report.cutBytes, 'byte')} before its end.`;
  const files = removedText(report.applied ? 'Deleted:' : 'Would delete:', report.removed);
  return `${visibleText(cut)}\n${files}${visibleText(report.nextStart)}\n`;
}

function warningsText(warnings: RestorePlanReport['warnings'], { colours }: CommandLine): string {
  return warnings
    .map(
      ({ message, remedy }) =>
        `\n${colours.yellow('Warning:')} ${visibleText(message)}\n${visibleText(remedy)}\n`
    )
    .join('');
}
