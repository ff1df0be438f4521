/** `winnow doctor`: will a server start here, and what would it do? */
import { findingText } from '../finding-text.ts';
import { Option, type Command } from 'commander';
import type { DoctorReport, StartFindingRow } from '../../contract/operations/doctor-reports.ts';
import { formatBytes, formatNoun } from '../byte-size.ts';
import { plainName } from '../../settings/setting-names.ts';
import { readSettingsFile } from '../../settings/settings-file.ts';
import { winnowHome } from '../../settings/winnow-home.ts';
import type { CommandLine } from '../command-line.ts';
import { EXIT_FINDINGS } from '../exit-codes.ts';
import { namedDatabase, optional, withDatabaseOptions, type DatabaseOptions } from '../global-options.ts';
import { removedText } from '../removed-text.ts';
import { visibleText } from '../visible-text.ts';

interface DoctorOptions extends DatabaseOptions {
  serverVersion?: string;
  thorough?: boolean;
}

export function addDoctor(command: Command, line: CommandLine): void {
  withDatabaseOptions(command)
    .argument('[serverOptions...]', "options of the server's command line, after --")
    .description(
      'Says whether a server will start on this directory, what it would do (truncate the log, rebuild the index, exit), ' +
        'why, and what to do about it. Only reads. Exits with 1 on damage, with 0 on hints.'
    )
    .addOption(
      new Option('--server-version <version>', 'version of the server that will be started, such as 23.10.6')
    )
    .option('--thorough', 'read everything that the server reads, without a limit')
    .addHelpText(
      'after',
      '\nExamples:\n  $ winnow doctor /var/lib/kurrentdb\n' +
        '  $ winnow doctor /var/lib/kurrentdb --server-version 24.10 -- --max-truncation=-1'
    )
    .action(async (db: string | undefined, words: string[], options: DoctorOptions) => {
      // With a configuration file there is no directory argument, so the first word belongs to the server too.
      const isByFile = options.config !== undefined;
      const ofServer = isByFile && db !== undefined ? [db, ...words] : words;
      const { location } = namedDatabase(isByFile ? undefined : db, options);
      const report = await line.call(
        'examineStart',
        {
          ...location,
          ...optional('serverVersion', options.serverVersion),
          // The command line comes last, and wins.
          serverArguments: [...startOptions(options.config), ...ofServer],
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

const START_OPTIONS = new Set([
  'maxtruncation',
  'skipdbverify',
  'skipindexverify',
  'maxautomergeindexlevel',
  'writestatstodb'
]);

/** Options in the server's configuration file that affect a start, as words of its command line. */
function startOptions(file: string | undefined): string[] {
  if (file === undefined) return [];
  return readSettingsFile(file)
    .filter(({ name }) => START_OPTIONS.has(plainName(name)))
    .map(({ name, value }) => `--${plainName(name)}=${String(value)}`);
}

const WORK: Record<DoctorReport['estimate']['work'][number]['what'], string> = {
  hashTables: 'hash the index tables',
  copyIndexAside: 'copy the old index aside',
  readLogIntoIndex: 'read the log into the index',
  hashChunks: 'hash the chunks'
};

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
  for (const { what, bytes, records, ms, isInBackground } of estimate.work) {
    const count = records === null ? '' : `, ${formatNoun(records, 'record')}`;
    const when = isInBackground ? ', in the background' : '';
    text += `  ${WORK[what]}: ${formatBytes(bytes)}${count}, ${seconds(ms)}${when}\n`;
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

function seconds(ms: number): string {
  if (ms < 1000) return 'less than a second';
  return ms < 120_000 ? `${Math.ceil(ms / 1000)} seconds` : `${Math.round(ms / 60_000)} minutes`;
}
