/**
 * `winnow doctor`: will a server start here, and what would it do? `winnow startup`: how long does that take and why;
 * with `--prepare`, what can be done beforehand is done.
 */
import { findingText, removedText } from '../finding-text.ts';
import type { Command } from 'commander';
import type {
  DoctorReport,
  StartFindingRow,
  StartupReport
} from '../../contract/operations/doctor-reports.ts';
import { formatBytes, formatNoun } from '../byte-size.ts';
import { winnowHome } from '../../settings/winnow-home.ts';
import type { CommandLine } from '../command-line.ts';
import { EXIT_FINDINGS } from '../exit-codes.ts';
import { withDatabaseOptions } from '../global-options.ts';
import {
  namedStart,
  withServerOptions,
  type ServerOptions,
  START_WORK,
  workAmount,
  workTime,
  rateWords
} from '../server-start.ts';
import { confirmed } from '../confirmation.ts';
import { formatTable } from '../tables.ts';
import { chosenPlan, withPlanOption, type PlannedOptions } from '../write-options.ts';
import { visibleText } from '../visible-text.ts';

interface DoctorOptions extends ServerOptions {
  thorough?: boolean;
}

export function addDoctor(command: Command, line: CommandLine): void {
  withServerOptions(withDatabaseOptions(command))
    .description(
      'Says whether a server will start on this directory, what it would do (truncate the log, rebuild the index, exit), ' +
        'why, and what to do about it. Only reads. Exits with 1 on damage, with 0 on hints.'
    )
    .option('--thorough', 'read everything that the server reads, without a limit')
    .addHelpText(
      'after',
      '\nExamples:\n  $ winnow doctor /var/lib/kurrentdb\n' +
        '  $ winnow doctor /var/lib/kurrentdb --server-version 24.10 -- --max-truncation=-1'
    )
    .action(async (db: string | undefined, words: string[], options: DoctorOptions) => {
      const report = await line.call(
        'examineStart',
        {
          ...namedStart(db, words, options),
          thorough: options.thorough === true,
          winnowHome: winnowHome(line.parts.environment, process.platform)
        },
        options
      );
      if (!report.ok) line.exitCode = EXIT_FINDINGS;
      if (options.json) await line.writeJson(report);
      else await line.write(doctorText(report, line));
    });
}

function doctorText(report: DoctorReport, line: CommandLine): string {
  const { red, green, dim } = line.colours;
  const { prediction, findings, estimate, server, checked, notChecked } = report;
  const verdict = visibleText(prediction.words);
  let text = `${prediction.starts ? green(verdict) : red(verdict)}\n`;
  if (findings.length > 0) text += '\n';
  for (const finding of findings) text += startFindingText(finding, line);
  const deletes = removedText('Files that this start deletes:', prediction.deletes);
  if (deletes !== '') text += `\n${deletes}`;
  if (estimate.work.length > 0) text += '\nWork of the start (at the stated rates):\n';
  for (const work of estimate.work) {
    const when = work.isInBackground ? ', in the background' : '';
    text += `  ${START_WORK[work.what]}: ${workAmount(work)}, ${workTime(work.ms)}${when}\n`;
  }
  const version = `${visibleText(server.version)}${server.isInferred ? ', inferred from the chunk format' : ''}`;
  text += dim(`\nServer: ${version}\n`);
  text += dim(
    `Checked ${formatNoun(checked.files, 'file')}, ${formatBytes(checked.bytes)} hashed, ${formatNoun(checked.records, 'record')}.\n`
  );
  for (const place of notChecked) text += dim(`Not checked: ${visibleText(place)}\n`);
  return text;
}

function startFindingText(finding: StartFindingRow, line: CommandLine): string {
  const says = finding.serverSays === null ? '' : ` It logs: ${finding.serverSays}`;
  return findingText(finding, line, [`The server: ${finding.wouldDo + says}`]);
}

interface StartupOptions extends ServerOptions, PlannedOptions {
  prepare?: boolean;
  applyTruncation?: boolean;
  mergeTables?: boolean;
  assumeStopped?: boolean;
}

export function addStartup(command: Command, line: CommandLine): void {
  withPlanOption(withServerOptions(withDatabaseOptions(command)))
    .description(
      'Says how long the next start of a node takes, part by part and why, and what of it can be done beforehand. Only reads, ' +
        'unless --prepare is given: then the index and the filter of existing streams are brought up to the log, as the server would.'
    )
    .option('--prepare', 'do beforehand what the start would do before the node is ready')
    .option('--apply-truncation', 'also truncate the log as truncate.chk asks for, as the start would')
    .option('--merge-tables', 'also merge index tables, as the running server would')
    .option('--assume-stopped', 'the server is stopped (for network shares, where locks are not visible)')
    .addHelpText(
      'after',
      '\nExamples:\n  $ winnow startup /var/lib/kurrentdb\n  $ winnow startup /var/lib/kurrentdb --prepare --yes'
    )
    .action(async (db: string | undefined, words: string[], options: StartupOptions) => {
      const request = {
        ...namedStart(db, words, options),
        applyTruncation: options.applyTruncation === true,
        mergeTables: options.mergeTables === true
      };
      const show = async (report: StartupReport): Promise<void> => {
        if (options.json) await line.writeJson(report);
        else await line.write(startupText(report, line));
      };
      let planned = chosenPlan(options);
      if (options.prepare !== true || options.dryRun === true) {
        await show(await line.call('forecastStartup', request, options));
        return;
      }
      if (!options.yes) {
        const plan = await line.call('forecastStartup', request, { ...options, quiet: true });
        line.say(startupText(plan, line));
        planned = chosenPlan(options, plan);
      }
      await confirmed(line, options, 'Prepare the start?');
      const assumeStopped = options.assumeStopped === true;
      await show(await line.call('prepareStartup', { ...request, assumeStopped, ...planned }, options));
    });
}

type Step = StartupReport['preparation']['steps'][number];

const STEPS: Record<Step['code'], [planned: string, done: string]> = {
  applyTruncation: ['truncate the log', 'Truncated the log'],
  rebuildIndex: ['rebuild the index', 'Rebuilt the index'],
  catchUpIndex: ['bring the index up to the log', 'Brought the index up to the log'],
  mergeTables: ['merge index tables', 'Merged index tables'],
  rebuildExistenceFilter: ['make the filter of existing streams', 'Made the filter of existing streams'],
  catchUpExistenceFilter: [
    'bring the filter of existing streams up to the log',
    'Brought the filter of existing streams up to the log'
  ]
};

function startupText(report: StartupReport, line: CommandLine): string {
  const { parts, preparation, prediction, prepared, planId } = report;
  const { red, green, dim } = line.colours;
  const words = visibleText(report.words);
  let text = '';
  if (prepared) {
    for (const step of prepared.steps) text += `${STEPS[step.code][1]}: ${amountOf(step)}.\n`;
    if (prepared.steps.length === 0) text += 'Nothing was left to be done.\n';
    if (prepared.stateMovedTo !== null)
      text += `The scavenge state was moved to ${visibleText(prepared.stateMovedTo)}: it may be ahead of the log now.\n`;
    text += '\n';
  }
  text += `${prediction.starts ? green(words) : red(words)}\n`;
  if (prediction.starts) {
    text += `\n${partsTable(parts, line)}`;
    for (const { what, why, advice } of parts)
      text += dim(`${START_WORK[what]}: ${visibleText(why)} ${advice}\n`);
  }
  const { steps, refusal, notes } = preparation;
  if (steps.length > 0) {
    text += '\nBeforehand, with --prepare:\n';
    for (const step of steps)
      text += `  ${STEPS[step.code][0]}: ${amountOf(step)}. ${visibleText(step.why)}\n`;
    text += `plan  ${planId ?? ''}\n`;
  } else if (refusal) {
    text += `\nNothing can be prepared: ${visibleText(refusal.message)} ${visibleText(refusal.remedy)}\n`;
  } else if (!prepared) text += '\nNothing is left that could be done beforehand.\n';
  for (const note of notes) text += dim(`${visibleText(note)}\n`);
  for (const place of report.notChecked) text += dim(`Not checked: ${visibleText(place)}\n`);
  return text;
}

function partsTable(parts: StartupReport['parts'], line: CommandLine): string {
  return formatTable(
    [
      { title: 'part of the start' },
      { title: 'amount' },
      { title: 'time', align: 'right' },
      { title: 'prepared', align: 'right' },
      { title: 'rate' }
    ],
    parts.map((part) => [
      `${START_WORK[part.what]}${part.isInBackground ? ' (in the background)' : ''}`,
      workAmount(part),
      workTime(part.ms),
      part.afterMs === part.ms ? '' : part.afterMs === 0 ? 'nothing' : workTime(part.afterMs),
      rateWords(part.rate)
    ]),
    line.colours
  );
}

function amountOf({ bytes, entries, code }: Step): string {
  const written = code === 'applyTruncation' ? `${formatBytes(bytes)} cut off` : formatBytes(bytes);
  return entries === null ? written : `${formatNoun(entries, 'entry', 'entries')}, ${written}`;
}
