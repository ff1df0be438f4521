/** `winnow serve`: serves a node's directories through the admin API of a server. */
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Option, type Command } from 'commander';
import type { Logger } from 'pino';
import { recordedEngine } from '../../activity/recorded-engine.ts';
import type { CommandLine } from '../command-line.ts';
import { EXIT_STOPPED } from '../exit-codes.ts';
import type { RunningServer } from '../../http/admin-server.ts';
import { optionName } from '../../settings/setting-names.ts';
import { SETTINGS, type SettingDefinition } from '../../settings/setting-table.ts';
import { loadSettings, type Settings } from '../../settings/settings.ts';
import { settingRows } from '../../settings/settings-text.ts';
import { winnowHome } from '../../settings/winnow-home.ts';
import { wholeNumber, withGlobalOptions, type GlobalOptions } from '../global-options.ts';
import { ownActivityLog } from '../own-engine.ts';
import { formatTable } from '../tables.ts';
import { usersFile } from './user.ts';

interface ServeCommandOptions extends GlobalOptions {
  config?: string;
  host: string;
  port: number;
  publicName?: string[];
  users?: string;
  cert?: string;
  key?: string;
  singleNode?: boolean;
  scavengePoint?: string;
  trustLicenseKey?: string;
  cluster?: string;
  printConfig?: boolean;
  ui?: boolean;
  allowPath?: string[];
}

/** Settings that this command has as an option of another name, or as its argument. */
const NAMED_OTHERWISE = new Set(['Db']);

export function addServe(command: Command, line: CommandLine): void {
  withGlobalOptions(command)
    .argument('[db]', 'data directory of the node')
    .description(
      'Serves the directories of a stopped node through the admin API of a server: scavenge, history, schedule, ' +
        'metrics. Listens on this machine only unless --host is given.'
    )
    .option('--config <file>', "the server's configuration file (YAML)")
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0: any free port', wholeNumber(0, 65_535), 2113)
    .option('--public-name <name>', 'a host name of this service; repeatable', collect)
    .option('--users <file>', 'users file (default: users.json in WINNOW_HOME)')
    .option('--cert <file>', 'certificate (PEM)')
    .option('--key <file>', 'its key (PEM)')
    .option(
      '--single-node',
      'this directory is not a member of a cluster: a new point may be written to its log'
    )
    .option('--scavenge-point <placement>', 'scavenge point to work to: auto, existing, detached, new')
    .option('--ui', 'also serve the window to browsers, with the same log-in')
    .option('--allow-path <dir>', 'with --ui: a folder that browsers may choose from; repeatable', collect)
    .option('--cluster <name>', 'run the schedule of this registered cluster')
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
      if (options.printConfig) await printConfiguration(line, load(), options);
      else await runService(line, load, options);
    });
}

/** One option for each setting of the table; the given values are collected by name. */
function addSettingOptions(command: Command): Map<string, string> {
  const collected = new Map<string, string>();
  for (const setting of SETTINGS as readonly SettingDefinition[]) {
    if (NAMED_OTHERWISE.has(setting.name)) continue;
    const name = optionName(setting.name);
    const flags = setting.kind === 'flag' ? `--${name} [value]` : `--${name} <value>`;
    const option = new Option(flags, setting.help).argParser((text: string) => {
      collected.set(name, text);
      return text;
    });
    command.addOption(option);
    // A flag without a value never reaches the parser of its value.
    if (setting.kind === 'flag') option.preset('true');
  }
  return collected;
}

async function printConfiguration(
  line: CommandLine,
  settings: Settings,
  options: GlobalOptions
): Promise<void> {
  const rows = settingRows(settings.list());
  for (const warning of settings.warnings) line.say(`${warning}\n`);
  if (options.json) {
    await line.writeJson({ settings: rows });
    return;
  }
  const columns = [{ title: 'setting' }, { title: 'value' }, { title: 'source' }];
  await line.write(
    formatTable(
      columns,
      rows.map(({ name, value, source }) => [name, value, source]),
      line.colours
    )
  );
}

async function runService(
  line: CommandLine,
  load: () => Settings,
  options: ServeCommandOptions
): Promise<void> {
  const settings = load();
  // Loaded only here: no other command needs HTTP.
  const [{ serve }, { builtPageDirectory }, { startWorkerEngine }, { serviceLogger }, { startPageClusters }] =
    await Promise.all([
      import('../../http/serve.ts'),
      import('../../http/ui/page-files.ts'),
      import('../../engine/engine-host.ts'),
      import('../../http/visible-log.ts'),
      import('../../hosting/page-clusters.ts')
    ]);
  const logger = serviceLogger(options.quiet ? 'warn' : 'info');
  const own = startWorkerEngine();
  const recorder = { log: ownActivityLog(line.parts.environment), clock: Date.now };
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
        host: options.host,
        port: options.port,
        publicNames: options.publicName ?? [],
        usersFile: usersFile(line, options.users),
        certificateFile: absolute(options.cert),
        keyFile: absolute(options.key),
        saidSingleNode: options.singleNode === true,
        trustedKeyFile: absolute(options.trustLicenseKey),
        clusterName: options.cluster,
        environment: line.parts.environment,
        winnowHome: winnowHome(line.parts.environment, process.platform),
        pageDirectory: options.ui === true ? builtPageDirectory() : undefined,
        allowedPaths: (options.allowPath ?? []).map((folder) => path.resolve(folder))
      },
      { engine, scheduleEngine, logger, clock: () => Date.now(), startClusters: startPageClusters }
    );
    await line.writeJson({ listening: service.url });
    if (options.ui === true && !options.quiet) line.say(`The page: ${service.url}/\n`);
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
  }
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
