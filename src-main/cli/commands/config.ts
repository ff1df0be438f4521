/** `winnow config`: the settings in force, each with its source. */
import type { Command } from 'commander';
import { loadSettings } from '../../settings/settings.ts';
import type { CommandLine } from '../command-line.ts';
import { withGlobalOptions, type GlobalOptions } from '../global-options.ts';
import { addSettingOptions, writeSettings } from '../settings/setting-options.ts';

interface ConfigOptions extends GlobalOptions {
  config?: string;
  changed?: boolean;
}

export function addConfig(command: Command, line: CommandLine): void {
  withGlobalOptions(command)
    .argument('[db]', 'data directory of the node')
    .description(
      'Shows each setting with its value and its source: default, configuration file, environment or command line, ' +
        'of which the last one counts. Takes the settings that "winnow serve" takes. A secret is never shown.'
    )
    .option('--config <file>', "the server's configuration file (YAML)")
    .option('--changed', 'only settings that do not have their default');
  const collected = addSettingOptions(command);
  command
    .addHelpText('after', '\nExample:\n  $ winnow config --config /etc/kurrentdb/kurrentdb.conf --changed')
    .action(async (db: string | undefined, options: ConfigOptions) => {
      if (db !== undefined) collected.set('db', db);
      const settings = loadSettings({
        file: options.config,
        environment: line.parts.environment,
        commandLine: collected,
        unknownNames: 'refuse'
      });
      await writeSettings(line, settings, { ...options, areDefaultsLeftOut: options.changed === true });
    });
}
