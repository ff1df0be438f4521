/** `winnow erasure`: where events of the named streams still exist, or proof that they do not. */
import { realpathSync } from 'node:fs';
import type { Command } from 'commander';
import { EngineError, invalidRequest } from '../../../src-core/index.ts';
import { erasurePage, erasureSentence } from '../../operations/erasure/erasure-page.ts';
import { erasureReport, type ErasureReport } from '../../contract/operations/erasure-reports.ts';
import type { DatabaseLocation } from '../../contract/operations/operation-contract.ts';
import { readNamedText } from '../../settings/named-file.ts';
import { saveFile } from '../../settings/saved-file.ts';
import { NodeRegistry } from '../../settings/node-registry.ts';
import { winnowHome } from '../../settings/winnow-home.ts';
import { formatCount, formatNoun } from '../byte-size.ts';
import type { CommandLine } from '../command-line.ts';
import { EXIT_FINDINGS } from '../exit-codes.ts';
import { namedDatabase, optional, withDatabaseOptions, type DatabaseOptions } from '../global-options.ts';
import { formatTable } from '../tables.ts';
import { visibleText } from '../visible-text.ts';

interface ErasureOptions extends DatabaseOptions {
  stream: string[];
  category: string[];
  event: string[];
  eventId: string[];
  backup: string[];
  backupTarget: string[];
  keyFile?: string;
  s3Endpoint?: string;
  html?: string;
  recheck?: string;
  exitCode?: boolean;
}

/** A report lists every place of every requested stream. */
const MAX_REPORT_BYTES = 64 * 1024 * 1024;

const collect = (value: string, before: string[]): string[] => [...before, value];

export function addErasure(command: Command, line: CommandLine): void {
  withDatabaseOptions(command)
    .description(
      'Searches every byte of the database, of the files beside it and of its backups, and lists each place where ' +
        'data of the named streams is left, with its remedy. Changes nothing.'
    )
    .option('--stream <name>', 'a stream; repeatable', collect, [])
    .option('--category <name>', 'all streams NAME-…; repeatable', collect, [])
    .option('--event <id>', 'a single event by its id; repeatable', collect, [])
    .option('--event-id <id>', 'the same as --event', collect, [])
    .option(
      '--backup <dir>',
      'a backup target; repeatable. The target of a known node is always searched',
      collect,
      []
    )
    .option('--backup-target <dir>', 'the same as --backup', collect, [])
    .option('--key-file <file>', 'key of encrypted backups')
    .option('--s3-endpoint <url>', "address of an object store other than Amazon's")
    .option('--html <file>', 'also write the report as a page to print')
    .option('--recheck <report>', 'search again, and compare with an earlier report (its JSON)')
    .option('--exit-code', 'exit with 1 unless everything is erased and the report is complete')
    .addHelpText(
      'after',
      '\nExample:\n  $ winnow erasure /var/lib/kurrentdb --stream customer-42 --html erased.html'
    )
    .action(async (db: string | undefined, options: ErasureOptions) => {
      const { location } = namedDatabase(db, options);
      const home = winnowHome(line.parts.environment, process.platform);
      const earlier = options.recheck === undefined ? undefined : readReport(options.recheck);
      const asked = askedFor(options, earlier);
      const named = [...options.backup, ...options.backupTarget].map((target) => ({
        target,
        ...optional('s3Endpoint', options.s3Endpoint)
      }));
      const backupTargets = [...registeredTargets(home, location), ...named];
      const report = await line.call(
        'reportErasure',
        {
          ...location,
          ...asked,
          backupTargets,
          winnowHome: home,
          ...optional('keyFile', options.keyFile),
          ...(earlier ? { recheck: { takenAt: earlier.takenAt, files: earlier.files } } : {})
        },
        options
      );
      if (options.html !== undefined) saveFile(options.html, erasurePage(report), 'Name a writable file.');
      const isProven = report.complete && report.streams.every(({ erased }) => erased);
      if (options.exitCode === true && !isProven) line.exitCode = EXIT_FINDINGS;
      if (options.json) await line.writeJson(report);
      else await line.write(erasureText(report, line));
    });
}

/** What the options name; with an earlier report and nothing named, the subjects of that report. */
function askedFor(
  options: ErasureOptions,
  earlier: ErasureReport | undefined
): { streams: string[]; categories: string[]; eventIds: string[] } {
  const named = {
    streams: options.stream,
    categories: options.category,
    eventIds: [...options.event, ...options.eventId]
  };
  if (!earlier || Object.values(named).some((names) => names.length > 0)) return named;
  const of = (asked: string) => earlier.streams.filter((s) => s.asked === asked).map(({ stream }) => stream);
  return { streams: of('stream'), categories: of('category'), eventIds: of('event') };
}

function readReport(file: string): ErasureReport {
  const wrong = (why: string) =>
    invalidRequest(
      `${file} is not an erasure report: ${why}.`,
      '--recheck',
      'Name the JSON of an earlier report.'
    );
  let value: unknown;
  try {
    value = JSON.parse(
      readNamedText({ file, what: 'report', field: '--recheck', maxBytes: MAX_REPORT_BYTES })
    );
  } catch (error) {
    if (error instanceof EngineError) throw error;
    throw wrong(error instanceof Error ? error.message : String(error));
  }
  const report = erasureReport.safeParse(value);
  if (!report.success) throw wrong('its members are different');
  return report.data;
}

/** Backup targets that the window or the command line has for this node. */
function registeredTargets(
  home: string,
  { dataDirectory }: DatabaseLocation
): { target: string; s3Endpoint?: string }[] {
  let real: string;
  try {
    real = realpathSync(dataDirectory);
  } catch {
    return []; // The operation reports what is wrong with the directory.
  }
  return new NodeRegistry(home, () => 0)
    .list()
    .filter((node) => node.dataDirectory === real)
    .flatMap(({ backupTarget, backupEndpoint }) =>
      backupTarget === undefined ? [] : [{ target: backupTarget, ...optional('s3Endpoint', backupEndpoint) }]
    );
}

function erasureText(report: ErasureReport, line: CommandLine): string {
  const { red, yellow, green, dim, bold } = line.colours;
  let text = '';
  for (const { stream, asked, erased, dataErased, places } of report.streams) {
    const state = erased
      ? green('erased')
      : dataErased
        ? yellow('data erased, name remains')
        : red('not erased');
    text += `${bold(`${asked} ${visibleText(stream)}`)}: ${state}\n`;
    if (places.length === 0) continue;
    text += formatTable(
      [{ title: 'place' }, { title: 'what' }, { title: 'file' }, { title: 'count', align: 'right' }],
      places.map(({ kind, what, file, records }) => [kind, what, file, formatCount(records)]),
      line.colours
    );
    for (const remedy of new Set(places.map((place) => place.remedy))) text += `  ${visibleText(remedy)}\n`;
  }
  for (const { place, why } of report.notExamined) {
    text += `${yellow('Not examined')}: ${visibleText(place)}: ${visibleText(why)}\n`;
  }
  if (report.recheck) {
    text += `Since ${report.recheck.takenAt}: ${formatNoun(report.recheck.unchanged, 'file')} unchanged\n`;
    for (const { file, state } of report.recheck.changes) text += `  ${state}  ${visibleText(file)}\n`;
  }
  for (const { place, why } of report.notes)
    text += dim(`Note: ${visibleText(place)}: ${visibleText(why)}\n`);
  return `${text}${erasureSentence(report)}\n`;
}
