/** `winnow support-log`: what a person who helps from afar asks for first. */
import type { Command } from 'commander';
import { invalidRequest } from '../../../src-core/index.ts';
import { supportLog } from '../../activity/support-log.ts';
import type { SupportLogReport } from '../../contract/operations/activity-reports.ts';
import { loadSettings } from '../../settings/settings.ts';
import { winnowHome } from '../../settings/winnow-home.ts';
import { formatBytes, formatNoun } from '../byte-size.ts';
import type { CommandLine } from '../command-line.ts';
import { wholeNumber, withGlobalOptions, type GlobalOptions } from '../global-options.ts';
import { ownActivityLog } from '../own-engine.ts';

interface SupportLogOptions extends GlobalOptions {
  config?: string;
  limit: number;
  operation?: string;
  names?: boolean;
}

const SHOWN = 50;

export function addSupportLog(command: Command, line: CommandLine): void {
  withGlobalOptions(command)
    .description(
      'Writes what a bug report needs: versions, machine, changed settings, and the newest operations with their errors and ' +
        'logs. Data, secrets, and the names of machines and directories are left out.'
    )
    .option('--limit <n>', `at most N operations (default: ${SHOWN})`, wholeNumber(1), SHOWN)
    .option(
      '--operation <id>',
      'only this one: an id of "winnow activity --json" or of the log of "winnow serve"'
    )
    .option('--names', 'leave quoted text in, which may be the name of a stream')
    .option('--config <file>', "the server's configuration file (YAML), for the changed settings")
    .addHelpText('after', '\nExample:\n  $ winnow support-log > winnow-support.txt')
    .action(async (options: SupportLogOptions) => {
      const { environment } = line.parts;
      const readSettings = () => loadSettings({ file: options.config, environment, unknownNames: 'ignore' });
      // A file that was named is what was asked about; what the environment has wrong is one more thing to tell.
      if (options.config !== undefined) readSettings();
      const report = supportLog({
        home: winnowHome(environment, process.platform),
        entries: ownActivityLog(environment).list(),
        limit: options.limit,
        operationId: options.operation,
        hasStreamNames: options.names === true,
        readSettings,
        nowMs: Date.now()
      });
      if (options.operation !== undefined && report.operations.length === 0) {
        throw invalidRequest(
          `No operation with the id ${options.operation} is recorded.`,
          '--operation',
          'See "winnow activity --json"; older operations are removed when the record grows large.'
        );
      }
      if (options.json) await line.writeJson(report);
      else await line.write(supportLogText(report));
    });
}

function supportLogText(report: SupportLogReport): string {
  const { machine, home, settings, settingsProblem, recorded, operations } = report;
  const free = machine.homeFreeBytes === null ? 'not known' : formatBytes(machine.homeFreeBytes);
  const parts = [
    [
      `Winnow support log of ${report.madeAt}`,
      ...report.versions.map(({ name, version }) => `${name}: ${version}`),
      `Machine: ${formatNoun(machine.processors, 'processor')}, ${formatBytes(machine.memoryBytes)} of memory`,
      `Free where WINNOW_HOME is: ${free}`
    ],
    home.length === 0
      ? ['WINNOW_HOME is empty.']
      : [
          'In WINNOW_HOME:',
          ...home.map((one) => `  ${one.name}: ${formatNoun(one.files, 'file')}, ${formatBytes(one.bytes)}`)
        ],
    settingsProblem !== null
      ? [`The settings cannot be read: ${settingsProblem}`]
      : settings.length === 0
        ? ['Every setting has its default.']
        : ['Changed settings:', ...settings.map((one) => `  ${one.name}: ${one.value} (${one.source})`)],
    [`Operations: ${operations.length} of ${recorded}, newest first`],
    ...operations.map(({ details }) => ['-'.repeat(72), details.trimEnd()])
  ];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
