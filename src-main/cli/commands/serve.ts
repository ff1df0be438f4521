/** `winnow serve`: serves a node's directories through the admin API of a server. */
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Command } from 'commander';
import type { Logger } from 'pino';
import packageFacts from '../../../package.json' with { type: 'json' };
import { recordedEngine } from '../../activity/recorded-engine.ts';
import type { CommandLine } from '../command-line.ts';
import { EXIT_STOPPED } from '../exit-codes.ts';
import type { RunningServer } from '../../http/admin-server.ts';
import type { ServeOptions } from '../../http/serve-options.ts';
import type { OperationSpans } from '../../http/operation-spans.ts';
import type { LogLevel } from '../../http/visible-log.ts';
import { loadSettings, type Settings } from '../../settings/settings.ts';
import { winnowHome } from '../../settings/winnow-home.ts';
import { withGlobalOptions, type GlobalOptions } from '../global-options.ts';
import { ownActivityLog } from '../own-engine.ts';
import { addSettingOptions, writeSettings } from '../settings/setting-options.ts';
import { usersFile } from './user.ts';

interface ServeCommandOptions extends GlobalOptions {
  config?: string;
  scavengePoint?: string;
  trustLicenseKey?: string;
  printConfig?: boolean;
  allowPath?: string[];
}

export function addServe(command: Command, line: CommandLine): void {
  withGlobalOptions(command)
    .argument('[db]', 'data directory of the node')
    .description(
      'Serves the directories of a stopped node through the admin API of a server: scavenge, history, schedule, ' +
        'metrics. Listens on this machine only unless --host is given.'
    )
    .option('--config <file>', "the server's configuration file (YAML)")
    .option('--scavenge-point <placement>', 'scavenge point to work to: auto, existing, detached, new')
    .option('--allow-path <dir>', 'with --ui: a folder that browsers may choose from; repeatable', collect)
    .option('--trust-license-key <file>', 'an additional public key (JWK), for tests')
    .option('--print-config', 'show each setting with its value and its source, and exit');
  const collected = addSettingOptions(command);
  command
    .addHelpText('after', '\nExample:\n  $ winnow serve /var/lib/kurrentdb --single-node --port 2114')
    .action(async (db: string | undefined, options: ServeCommandOptions) => {
      if (db !== undefined) collected.set('db', db);
      if (options.scavengePoint !== undefined)
        collected.set('scavenge-point-placement', options.scavengePoint);
      const load = (): Settings =>
        loadSettings({
          file: options.config,
          environment: line.parts.environment,
          commandLine: collected,
          unknownNames: 'refuse'
        });
      if (options.printConfig) await writeSettings(line, load(), options);
      else await runService(line, load, options);
    });
}

async function runService(
  line: CommandLine,
  load: () => Settings,
  options: ServeCommandOptions
): Promise<void> {
  const settings = load();
  const hasPage = settings.flag('Winnow:Page') === true;
  // Loaded only here: no other command needs HTTP.
  const [
    { serve },
    { builtPageDirectory },
    { startWorkerEngine },
    { serviceLogger },
    { operationJournal },
    { startPageClusters }
  ] = await Promise.all([
    import('../../http/serve.ts'),
    import('../../http/ui/page-files.ts'),
    import('../../engine/engine-host.ts'),
    import('../../http/visible-log.ts'),
    import('../../http/operation-journal.ts'),
    import('../../hosting/page-clusters.ts')
  ]);
  const logger = serviceLogger(options.quiet ? 'warn' : (settings.text('Winnow:LogLevel') as LogLevel));
  const own = startWorkerEngine();
  const spans = await spansOf(line.parts.environment);
  const recorder = {
    log: ownActivityLog(line.parts.environment),
    listeners: [operationJournal(logger), ...(spans ? [spans] : [])],
    clock: Date.now
  };
  const engine = recordedEngine(own, { ...recorder, door: 'http', pageDoor: 'browser' });
  const scheduleEngine = recordedEngine(own, { ...recorder, door: 'schedule' });
  engine.onDeath((reason) => {
    logger.error(`The engine exited and is being restarted: ${reason}`);
    engine.restart();
  });
  try {
    const service = await serve(
      {
        settings,
        ...doorOf(settings),
        usersFile: usersFile(line, settings.text('Winnow:UsersFile')),
        trustedKeyFile: absolute(options.trustLicenseKey),
        environment: line.parts.environment,
        winnowHome: winnowHome(line.parts.environment, process.platform),
        pageDirectory: hasPage ? builtPageDirectory() : undefined,
        allowedPaths: (options.allowPath ?? []).map((folder) => path.resolve(folder))
      },
      { engine, scheduleEngine, logger, clock: () => Date.now(), startClusters: startPageClusters }
    );
    await line.writeJson({ listening: service.url });
    if (hasPage && !options.quiet) line.say(`The page: ${service.url}/\n`);
    const reload = (): void => reloadService({ service, settings, load, logger });
    process.on('SIGHUP', reload);
    await new Promise<void>((resolve) => {
      if (line.signal.aborted) resolve();
      else line.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    process.off('SIGHUP', reload);
    if (line.wasInterrupted) line.exitCode = EXIT_STOPPED;
    logger.info('Stopping: a running scavenge stops where it can be resumed.');
    await service.close();
  } finally {
    await engine.close();
    await spans?.close();
  }
}

/** Only where a collector is named, in the way of OpenTelemetry: its library is loaded for nothing else. */
async function spansOf(environment: Record<string, string | undefined>): Promise<OperationSpans | undefined> {
  const names = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
  if (names.every((name) => (environment[name] ?? '') === '')) return undefined;
  const { operationSpans } = await import('../../http/operation-spans.ts');
  return operationSpans(packageFacts.version);
}

function doorOf(
  settings: Settings
): Pick<
  ServeOptions,
  'host' | 'port' | 'publicNames' | 'certificateFile' | 'keyFile' | 'saidSingleNode' | 'clusterName'
> {
  return {
    host: settings.text('Winnow:Host')!,
    port: settings.number('Winnow:Port')!,
    publicNames: commaSeparated(settings.text('Winnow:PublicName')),
    certificateFile: absolute(settings.text('Winnow:CertificateFile')),
    keyFile: absolute(settings.text('Winnow:CertificateKeyFile')),
    saidSingleNode: settings.flag('Winnow:SingleNode') === true,
    clusterName: settings.text('Winnow:Cluster')
  };
}

function commaSeparated(text = ''): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

interface Reload {
  service: RunningServer;
  /** What the service was started with. */
  settings: Settings;
  load: () => Settings;
  logger: Logger;
}

/**
 * What a service manager asks for with SIGHUP. The certificate is read again; users are read whenever their file has
 * changed; a setting needs a restart, which is said. Whatever cannot be read, the service continues as it is.
 */
function reloadService({ service, settings, load, logger }: Reload): void {
  try {
    const certificate = service.renewCertificate() ? ' The certificate and its key were read again.' : '';
    const valueOf = new Map(settings.list().map(({ setting, value }) => [setting.name, value]));
    const changed = load()
      .list()
      .filter(({ setting, value }) => !isDeepStrictEqual(value, valueOf.get(setting.name)))
      .map(({ setting }) => setting.name);
    const later = changed.length === 0 ? '' : ` Changed, and used after a restart: ${changed.join(', ')}.`;
    logger.info(`Reloaded.${certificate}${later}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    logger.error(`Not reloaded, the service continues as it was: ${reason}`);
  }
}

function absolute(file: string | undefined): string | undefined {
  return file === undefined ? undefined : path.resolve(file);
}

function collect(value: string, earlier: string[] | undefined): string[] {
  return [...(earlier ?? []), value];
}
