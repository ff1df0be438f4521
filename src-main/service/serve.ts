/**
 * Makes a running service out of settings and options: everything is checked before anything listens, in the words
 * of the option at fault.
 */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import packageFacts from '../../package.json' with { type: 'json' };
import { decideEnablement, invalidRequest, isSameMember } from '../../src-core/index.ts';
import { localClusterParts, localMemberId, systemTimeZone } from '../cluster/cluster-parts.ts';
import { ClusterRegistry, type LocalCluster } from '../settings/cluster-registry.ts';
import { isLease, takeLease } from '../cluster/coordinator-lease.ts';
import type { EngineHost } from '../engine/engine-host.ts';
import { readLicence } from '../licence/licence.ts';
import type { DatabaseLocation, RequestOf } from '../operations/operation-contract.ts';
import type { EventRow } from '../operations/reports.ts';
import { knownMembership } from '../settings/cluster-membership.ts';
import type { Settings } from '../settings/settings.ts';
import { UserStore } from '../users/user-store.ts';
import { AutoScavenge, type AutoScavengeMode } from './auto-scavenge.ts';
import { Credentials } from './credentials.ts';
import type { HistoryParts } from './history-routes.ts';
import { startNodeService, type RunningService } from './node-service.ts';
import { NodeScavenges, type RunScavenge } from './node-scavenges.ts';
import { isLoopback } from './request-origin.ts';

export interface ServeOptions {
  settings: Settings;
  host: string;
  port: number;
  publicNames: readonly string[];
  usersFile: string;
  certificateFile: string | undefined;
  keyFile: string | undefined;
  saidSingleNode: boolean;
  trustedKeyFile: string | undefined;
  winnowHome: string;
}

export interface ServeParts {
  engine: EngineHost;
  logger: FastifyBaseLogger;
  clock: () => number;
}

export async function serve(options: ServeOptions, parts: ServeParts): Promise<RunningService> {
  const { settings, winnowHome } = options;
  const { engine, logger, clock } = parts;
  const location = locationOf(settings);
  const tls = tlsOf(options);
  for (const warning of settings.warnings) logger.warn(warning);
  // Fails here, with the reason, for a directory that holds no database.
  await engine.call('inspectDatabase', location);
  const log = (level: 'info' | 'warning' | 'error', message: string): void =>
    logger[level === 'warning' ? 'warn' : level](message);
  const run: RunScavenge = (request, callOptions) => engine.call('runScavenge', request, callOptions);
  const base = baseRequest(options, location);
  const scavenges = new NodeScavenges({ baseRequest: base, run, log });
  const { mode, onListening, release } = await autoScavengeMode(options, parts, {
    location,
    scavenges,
    run,
    baseRequest: base,
    log
  });
  const users = await usersOf(options, logger);
  try {
    const service = await startNodeService({
      host: options.host,
      port: options.port,
      publicNames: options.publicNames,
      tls,
      credentials: new Credentials(users, clock),
      scavenges,
      autoScavenge: new AutoScavenge(mode),
      history: historyOf(engine, location, winnowHome, clock),
      logger,
      clock
    });
    onListening(service.url);
    return {
      url: service.url,
      close: async () => {
        await service.close();
        release();
      }
    };
  } catch (error) {
    release();
    throw error;
  }
}

function locationOf(settings: Settings): DatabaseLocation {
  const dataDirectory = settings.text('Db');
  if (dataDirectory === undefined) {
    throw invalidRequest('No database is named.', 'DB', 'Give a data directory, or --config FILE.');
  }
  const indexDirectory = settings.text('Index');
  return {
    dataDirectory: path.resolve(dataDirectory),
    ...(indexDirectory === undefined ? {} : { indexDirectory: path.resolve(indexDirectory) })
  };
}

function tlsOf(options: ServeOptions): { certificateFile: string; keyFile: string } | undefined {
  const { certificateFile, keyFile, host, settings } = options;
  if ((certificateFile === undefined) !== (keyFile === undefined)) {
    throw invalidRequest('A certificate needs its key.', '--cert', 'Give both --cert and --key.');
  }
  if (certificateFile !== undefined && keyFile !== undefined) return { certificateFile, keyFile };
  if (!isLoopback(host) && settings.flag('Insecure') !== true) {
    throw invalidRequest(
      `Passwords sent to ${host} could be read on their way.`,
      '--host',
      'Give --cert and --key, or --insecure if the network is trusted.'
    );
  }
  return undefined;
}

/** What of each scavenge stands in the settings. */
function baseRequest(options: ServeOptions, location: DatabaseLocation): RequestOf<'runScavenge'> {
  const { settings, winnowHome } = options;
  const membership = knownMembership({
    dataDirectory: location.dataDirectory,
    saidSingleNode: options.saidSingleNode,
    configuredSize: settings.number('ClusterSize'),
    winnowHome
  });
  return {
    ...location,
    ...membership,
    winnowHome,
    scavengePoint: settings.text('ScavengePointPlacement') as 'auto' | 'existing' | 'detached' | 'new',
    merge: settings.flag('DisableScavengeMerging') !== true,
    unsafeIgnoreHardDeletes: settings.flag('UnsafeIgnoreHardDelete') === true,
    alwaysKeepScavenged: settings.flag('AlwaysKeepScavenged') === true,
    cacheSizeBytes: settings.number('ScavengeBackendCacheSize'),
    hashUsersCacheCapacity: settings.number('ScavengeHashUsersCacheCapacity'),
    scavengeHistoryMaxAgeDays: settings.number('ScavengeHistoryMaxAge'),
    // An existing state keeps its page size unless one is asked for.
    ...(settings.isSet('ScavengeBackendPageSize') && { pageSize: settings.number('ScavengeBackendPageSize') })
  };
}

function historyOf(
  engine: EngineHost,
  location: DatabaseLocation,
  winnowHome: string,
  clock: () => number
): HistoryParts {
  return {
    clock,
    listRuns: async () => (await engine.call('listHistory', { ...location, winnowHome })).runs,
    readEvents: async ({ stream, from, count }) => {
      const position = from === 'head' ? {} : { from };
      const request = {
        ...location,
        ...position,
        stream,
        limit: count,
        backward: true,
        data: 'utf8' as const
      };
      const events: EventRow[] = [];
      for await (const rows of engine.stream('readStream', request)) events.push(...rows);
      return events;
    }
  };
}

async function usersOf({ usersFile }: ServeOptions, logger: FastifyBaseLogger): Promise<UserStore> {
  const users = new UserStore(usersFile);
  if (users.list().length > 0) return users;
  const { passwordFile } = await users.createAdministrator();
  logger.warn(`There were no users: the administrator "admin" was made, its password is in ${passwordFile}.`);
  return users;
}

interface HostedNode {
  location: DatabaseLocation;
  scavenges: NodeScavenges;
  run: RunScavenge;
  baseRequest: RequestOf<'runScavenge'>;
  log: (level: 'info' | 'warning' | 'error', message: string) => void;
}

interface ChosenMode {
  mode: AutoScavengeMode;
  onListening: (url: string) => void;
  release: () => void;
}

async function autoScavengeMode(
  options: ServeOptions,
  { clock }: ServeParts,
  node: HostedNode
): Promise<ChosenMode> {
  const { settings, winnowHome } = options;
  const without = (mode: AutoScavengeMode): ChosenMode => ({
    mode,
    onListening: () => undefined,
    release: () => undefined
  });
  const said = `"AutoScavenge" "${packageFacts.version}" plugin`;
  const enablement = decideEnablement({
    enabled: settings.flag('AutoScavenge:Enabled'),
    isDevMode: settings.flag('Dev') === true,
    isMemoryDatabase: settings.flag('MemDb') === true
  });
  if (enablement.result === 'startFails') {
    const setting = enablement.setting === 'dev' ? 'Dev' : 'MemDb';
    throw invalidRequest(
      `AutoScavenge: Enabled is true, but ${enablement.reason}.`,
      setting,
      `Take out one of the two.`
    );
  }
  if (enablement.result === 'disabled') {
    node.log('info', `${said} disabled. ${enablement.reason}.`);
    return without({ kind: 'disabled', reason: enablement.reason });
  }
  const licence = await readLicence(
    {
      key: settings.text('Licensing:LicenseKey'),
      file: settings.text('Licensing:LicenseFile'),
      trustedKeyFile: options.trustedKeyFile
    },
    new Date(clock())
  );
  if (!licence.isValid) {
    node.log('info', `AutoScavenge is not licensed, stopping. There is no valid licence: ${licence.reason}.`);
    return without({ kind: 'unlicensed', reason: licence.reason });
  }
  const registry = new ClusterRegistry(winnowHome);
  const cluster = registry.memberOf(node.location.dataDirectory) ?? clusterOfOne(node.location);
  refuseUndecidedPlacement(cluster, settings);
  const directory = registry.directoryOf(cluster.name);
  const taken = takeLease(directory);
  if (!isLease(taken)) {
    node.log('info', `Auto-scavenge of this node is coordinated by process ${taken.pid}; calls go there.`);
    return without({ kind: 'elsewhere', holder: taken });
  }
  node.log('info', `${said} enabled.`);
  const own = localMemberId(node.location.dataDirectory);
  return {
    mode: {
      kind: 'here',
      parts: localClusterParts({
        cluster,
        directory,
        timeZone: settings.text('AutoScavenge:TimeZone') ?? systemTimeZone(),
        clock,
        log: node.log,
        run: node.run,
        baseRequest: node.baseRequest,
        hosted: (member) => (isSameMember(member, own) ? node.scavenges : undefined)
      })
    },
    onListening: (url) => taken.publish(url),
    release: () => taken.release()
  };
}

/** A schedule that would be refused by every member each time it is due helps nobody. */
function refuseUndecidedPlacement(cluster: LocalCluster, settings: Settings): void {
  const placement = settings.text('ScavengePointPlacement');
  if (cluster.members.length === 1 || placement === 'existing' || placement === 'detached') return;
  throw invalidRequest(
    `"${cluster.name}" has ${cluster.members.length} members: a scavenge point of its own would make each log differ from the others.`,
    'ScavengePointPlacement',
    'Choose --scavenge-point detached or existing, or turn the schedule off with --auto-scavenge:enabled false.'
  );
}

/** A node that is registered in no cluster is one by itself. */
function clusterOfOne({ dataDirectory, indexDirectory }: DatabaseLocation): LocalCluster {
  const key = createHash('sha256').update(realpathSync(dataDirectory)).digest('hex').slice(0, 16);
  const member = { dataDirectory, ...(indexDirectory === undefined ? {} : { indexDirectory }) };
  return { kind: 'local', name: `node-${key}`, members: [member] };
}
