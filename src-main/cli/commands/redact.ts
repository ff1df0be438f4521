/** `winnow redact`: overwrites the data of single events in a stopped node. */
import type { Command } from 'commander';
import { splitBackupName } from '../../backup/open-target.ts';
import { invalidRequest } from '../../../src-core/index.ts';
import type { RedactionReport } from '../../contract/operations/redaction-reports.ts';
import { redactionPage, redactionSentence } from '../../operations/redaction/redaction-page.ts';
import { openGrowingFile, saveFile, type GrowingFile } from '../../settings/saved-file.ts';
import { formatBytes, formatCount } from '../byte-size.ts';
import type { CommandLine } from '../command-line.ts';
import { confirmed } from '../confirmation.ts';
import { EXIT_STOPPED } from '../exit-codes.ts';
import {
  namedDatabase,
  optional,
  wholeNumber,
  withDatabaseOptions,
  type DatabaseOptions
} from '../global-options.ts';
import { openingAccess, withOpeningOptions, type ReadingOptions } from '../target-options.ts';
import { eraseInBackup } from './backup/backup-scavenge.ts';
import { formatFacts, formatTable } from '../tables.ts';
import { visibleText } from '../visible-text.ts';
import { chosenPlan, withPlanOption, type PlannedOptions } from '../write-options.ts';

interface RedactArguments extends DatabaseOptions, PlannedOptions, ReadingOptions {
  event: string[];
  eventId: string[];
  stream?: string;
  number: number[];
  html?: string;
  assumeStopped?: boolean;
  scratch?: string;
  removeOld?: boolean;
}

const collect = (value: string, before: string[]): string[] => [...before, value];
const collectNumber = (value: string, before: number[]): number[] => [...before, wholeNumber(0)(value)];

export function addRedact(command: Command, line: CommandLine): void {
  withOpeningOptions(withPlanOption(withDatabaseOptions(command)))
    .description(
      'Overwrites the data of single events in a stopped node, in the form that the redaction of the server leaves: ' +
        'the record stays with its stream, type, id and metadata, its data become empty for readers. The data cannot ' +
        'be brought back except from a backup. TARGET@ID instead of DB redacts in that backup, which becomes a new ' +
        'generation of it.'
    )
    .option('--event <id>', 'an event by its id; repeatable', collect, [])
    .option('--event-id <id>', 'the same as --event', collect, [])
    .option('--stream <name>', 'the stream of --number')
    .option('--number <n>', 'an event by its number in --stream; repeatable', collectNumber, [])
    .option('--html <file>', 'also write the certificate as a page to print')
    .option(
      '--scratch <dir>',
      'in a backup: directory for the gathered backup (default: the temporary directory)'
    )
    .option('--remove-old', 'in a backup: remove the old generation once the new one is verified')
    .option('--assume-stopped', 'the server is stopped (for network shares, where locks are not visible)')
    .addHelpText(
      'after',
      '\nExamples:\n  $ winnow redact /var/lib/kurrentdb --event 1f0e2d3c-4b5a-6978-8796-a5b4c3d2e1f0 --dry-run\n' +
        '  $ winnow redact /var/lib/kurrentdb --stream customer-42 --number 7 --html certificate.html --yes' +
        '\n  $ winnow redact /backups@20261121T050000Z-4f2a --event 1f0e2d3c-4b5a-6978-8796-a5b4c3d2e1f0 --yes'
    )
    .action(async (db: string | undefined, options: RedactArguments) => {
      const backup = db === undefined ? undefined : splitBackupName(db);
      if (backup?.id !== undefined) return redactInBackup(line, { ...backup, id: backup.id }, options);
      refuseBackupOptions(options);
      const { location } = namedDatabase(db, options);
      const asked = { ...location, ...askedFor(options) };
      const planned = chosenPlan(options);
      if (options.dryRun) {
        const plan = await line.call('planRedaction', asked, options);
        if (options.html !== undefined) save(options.html, plan);
        if (options.json) await line.writeJson({ dryRun: true, ...plan });
        else await line.write(redactionText(plan, line));
        return;
      }
      const certificate = certificateIn(options.html);
      try {
        await redactNode(line, options, { asked, planned, certificate });
      } finally {
        certificate?.discard();
      }
    });
}

interface NodeRedaction {
  asked: ReturnType<typeof namedDatabase>['location'] & ReturnType<typeof askedFor>;
  planned: ReturnType<typeof chosenPlan>;
  certificate: GrowingFile | undefined;
}

async function redactNode(
  line: CommandLine,
  options: RedactArguments,
  { asked, planned, certificate }: NodeRedaction
): Promise<void> {
  let chosen = planned;
  if (!options.yes) {
    const plan = await line.call('planRedaction', asked, { ...options, quiet: true });
    line.say(redactionText(plan, line));
    chosen = chosenPlan(options, plan);
  }
  await confirmed(line, options, 'Overwrite these data for good?');
  const assumeStopped = options.assumeStopped === true;
  const report = await line.call('redactEvents', { ...asked, assumeStopped, ...chosen }, options);
  if (report.result === 'stopped') line.exitCode = EXIT_STOPPED;
  if (options.json) await line.writeJson(report);
  else await line.write(redactionText(report, line));
  // Last: should it fail, what was done has been said.
  keep(certificate, report);
}

async function redactInBackup(
  line: CommandLine,
  { location, id }: { location: string; id: string },
  options: RedactArguments
): Promise<void> {
  const certificate = options.dryRun ? undefined : certificateIn(options.html);
  try {
    const report = await eraseInBackup(line, options, {
      target: location,
      id,
      erase: { kind: 'redaction', ...askedFor(options) },
      removeOld: options.removeOld === true,
      ...optional('scratchDirectory', options.scratch),
      ...(await openingAccess(options, line))
    });
    if (!report?.redaction) return;
    if (certificate) keep(certificate, report.redaction);
    else if (options.html !== undefined) save(options.html, report.redaction);
  } finally {
    certificate?.discard();
  }
}

/** Options that mean nothing for a node. */
function refuseBackupOptions(options: RedactArguments): void {
  const named = Object.entries({
    '--scratch': options.scratch,
    '--remove-old': options.removeOld,
    '--key-file': options.keyFile,
    '--password-stdin': options.passwordStdin,
    '--s3-endpoint': options.s3Endpoint
  }).find(([, value]) => value !== undefined);
  if (!named) return;
  const [option] = named;
  throw invalidRequest(
    `${option} is for a backup, and a data directory is named.`,
    option,
    'Name a backup as TARGET@ID, or leave the option out.'
  );
}

function askedFor(options: RedactArguments): {
  eventIds: string[];
  events: { stream: string; number: number }[];
} {
  const { stream, number: numbers } = options;
  if ((stream === undefined) !== (numbers.length === 0)) {
    throw invalidRequest(
      '--stream and --number name an event only together.',
      stream === undefined ? '--stream' : '--number',
      'Give both, or name the event by its id with --event.'
    );
  }
  const eventIds = [...options.event, ...options.eventId];
  const events = numbers.map((number) => ({ stream: stream!, number }));
  if (eventIds.length + events.length === 0) {
    throw invalidRequest('No event is named.', '--event', 'Name an event with --event ID.');
  }
  return { eventIds, events };
}

/** Opened before anything is overwritten: what was done without its certificate could not be done again with it. */
function certificateIn(file: string | undefined): GrowingFile | undefined {
  return file === undefined ? undefined : openGrowingFile(file, 'certificate', WRITABLE);
}

function keep(certificate: GrowingFile | undefined, report: RedactionReport): void {
  certificate?.write(redactionPage(report));
  certificate?.finish();
}

const WRITABLE = 'Name a writable file.';

function save(file: string, report: RedactionReport): void {
  saveFile(file, redactionPage(report), WRITABLE);
}

const STATE: Record<RedactionReport['events'][number]['state'], string> = {
  toRedact: 'will be redacted',
  redacted: 'redacted',
  alreadyRedacted: 'redacted before',
  empty: 'has no data',
  refused: 'refused'
};

function redactionText(report: RedactionReport, { colours }: CommandLine): string {
  const { red, yellow, green, dim } = colours;
  const isPlan = report.result === 'planned';
  let text = formatTable(
    [
      { title: 'event' },
      { title: 'stream' },
      { title: 'number', align: 'right' },
      { title: 'position', align: 'right' },
      { title: 'file' },
      { title: 'data', align: 'right' },
      { title: 'state' }
    ],
    report.events.map((event) => [
      event.eventId,
      event.stream,
      String(event.eventNumber),
      formatCount(event.position),
      event.file,
      formatBytes(event.dataLength),
      STATE[event.state]
    ]),
    colours
  );
  for (const { eventId, stream, number } of report.notFound) {
    const what = eventId ?? `event ${number ?? 0} of ${visibleText(stream ?? '')}`;
    text += `${red('Not found')}: ${what}\n`;
  }
  for (const { eventId, refusal } of report.events) {
    if (refusal) text += `${red('Refused')}: ${eventId}: ${refusal.why}. ${refusal.remedy}\n`;
  }
  for (const { oldFile, newFile, fileSize, sha256Before, sha256After } of report.chunks) {
    if (newFile === null)
      text += `${oldFile} (${formatBytes(fileSize)}) ${isPlan ? 'will be' : 'is not yet'} made again\n`;
    else text += `${oldFile}  ${sha256Before ?? ''}\n  became ${newFile}  ${sha256After ?? ''}\n`;
  }
  for (const file of report.swept) text += `${file} ${isPlan ? 'will be' : 'is'} removed\n`;
  for (const { eventId, file, remedy } of report.elsewhere) {
    text += `${yellow('Also in')} ${visibleText(file)}: ${eventId}. ${remedy}\n`;
  }
  for (const { place, why } of report.notCovered) text += dim(`Not covered: ${place}: ${why}\n`);
  const facts: [string, string][] = isPlan
    ? [
        ['needed', `${formatBytes(report.scratchBytes)} free; ${formatBytes(report.freeBytes)} are`],
        ...(report.planId === undefined ? [] : [['plan', report.planId] as [string, string]])
      ]
    : [];
  const sentence = redactionSentence(report);
  return `${text}${formatFacts(facts, colours)}${report.result === 'redacted' ? green(sentence) : sentence}\n`;
}
