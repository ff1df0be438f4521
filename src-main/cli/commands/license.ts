/** `winnow license …`: the licence of auto-scavenge. */
import type { Command } from 'commander';
import { EngineError, ticksFromMs, ticksToIso } from '../../../src-core/index.ts';
import { readLicence, type Licence, type LicenceSettings } from '../../access/licence.ts';
import { loadSettings } from '../../settings/settings.ts';
import type { CommandLine } from '../command-line.ts';
import { withGlobalOptions, type GlobalOptions } from '../global-options.ts';
import { formatFacts } from '../tables.ts';

interface LicenseOptions extends GlobalOptions {
  config?: string;
  trustLicenseKey?: string;
}

export function addLicense(license: Command, line: CommandLine): void {
  license
    .description('Licences for auto-scavenge; nothing else needs one.')
    .addHelpText('after', '\nExamples:\n  $ winnow license show\n  $ winnow license check license.jwt');

  withKey(license.command('show').summary('show the licence in use'))
    .description('Shows the licence that the settings name.')
    .option('--config <file>', 'configuration file (YAML)')
    .addHelpText('after', '\nExample:\n  $ winnow license show --config node.yaml')
    .action(async (options: LicenseOptions) => {
      const settings = loadSettings({
        file: options.config,
        environment: line.parts.environment,
        unknownNames: 'ignore'
      });
      await show(line, options, {
        key: settings.text('Licensing:LicenseKey'),
        file: settings.text('Licensing:LicenseFile'),
        trustedKeyFile: options.trustLicenseKey
      });
    });

  withKey(license.command('check').summary('check whether a licence is valid'))
    .argument('<file>', 'a file with a licence, or "evaluation"')
    .description('Checks a licence without using it.')
    .addHelpText('after', '\nExample:\n  $ winnow license check license.jwt')
    .action((file: string, options: LicenseOptions) =>
      show(line, options, { key: undefined, file, trustedKeyFile: options.trustLicenseKey })
    );
}

function withKey(command: Command): Command {
  return withGlobalOptions(command).option(
    '--trust-license-key <file>',
    'an additional public key (JWK), for tests'
  );
}

/** Exits with 16 if there is no valid licence. */
async function show(line: CommandLine, options: LicenseOptions, settings: LicenceSettings): Promise<void> {
  const licence = await readLicence(settings, new Date());
  if (!licence.isValid) {
    throw new EngineError({
      code: 'LicenseRequired',
      message: `There is no valid licence: ${licence.reason} (${licence.source}).`,
      remedy:
        'Set Licensing: LicenseKey or Licensing: LicenseFile; "LicenseFile: evaluation" is one for trying it out.',
      details: { reason: licence.reason }
    });
  }
  if (options.json) await line.writeJson(asJson(licence));
  else await line.write(formatFacts(asFacts(licence), line.colours));
}

type ValidLicence = Extract<Licence, { isValid: true }>;

function asJson({ holder, expiresAt, isEvaluation, source }: ValidLicence): object {
  return {
    isValid: true,
    holder,
    expiresAt: ticksToIso(ticksFromMs(expiresAt.getTime())),
    isEvaluation,
    source
  };
}

function asFacts({ holder, expiresAt, isEvaluation, source }: ValidLicence): [string, string][] {
  return [
    ['licence', isEvaluation ? 'valid, for evaluation' : 'valid'],
    ['holder', holder],
    ['until', expiresAt.toISOString().slice(0, 10)],
    ['from', source]
  ];
}
