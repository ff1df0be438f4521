/**
 * Starts a service from settings and options: everything is checked before it listens, and errors name
 * the option at fault.
 */
import fs from 'node:fs';
import path from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { invalidRequest } from '../../src-core/index.ts';
import { ActivityLog } from '../activity/activity-log.ts';
import type { Log } from '../contract/log-line.ts';
import type { CallOptions, EngineHost } from '../engine/engine-host.ts';
import { expireWhenSeen } from '../engine/expire-when-seen.ts';
import type { DatabaseLocation } from '../contract/operations/operation-contract.ts';
import type { FleetNode } from '../contract/operations/fleet-reports.ts';
import type { GrowthReport } from '../contract/operations/usage-reports.ts';
import type { EventRow, InspectReport } from '../contract/operations/reports.ts';
import { nodeStanding, type StandingNode } from '../fleet/node-standing.ts';
import { STATISTICS_PILE_UP } from '../operations/database/statistics-warning.ts';
import { readLastComparison } from '../settings/last-comparison.ts';
import { ScavengeRecords } from '../settings/scavenge-records.ts';
import type { Settings } from '../settings/settings.ts';
import { UserStore } from '../access/user-store.ts';
import type { Lease } from '../cluster/coordinator-lease.ts';
import { AutoScavenge, type AutoScavengeDoor } from '../cluster/auto-scavenge.ts';
import { baseRequest, membershipQuestion } from '../cluster/base-request.ts';
import { knownClusterSize } from '../settings/cluster-membership.ts';
import { autoScavengeMode } from '../cluster/choose-coordinator.ts';
import { BasicAuthentication } from '../access/basic-authentication.ts';
import { newHomeKey, withHomeKey } from '../access/home-key.ts';
import type { ServerRouteParts } from './routes/server-routes.ts';
import type { HistoryParts } from './scavenge-streams.ts';
import { startAdminServer, type RunningServer } from './admin-server.ts';
import { hostedRuns } from './hosted-runs.ts';
import { NodeScavenges, type RunScavenge } from '../cluster/node-scavenges.ts';
import { isLoopback } from './request-origin.ts';
import type { HostedNode, ServeOptions, ServeParts } from './serve-options.ts';
import { backupsOf, scheduledNode } from './scheduled-backups.ts';
import { serviceFleet } from './fleet-question.ts';
import { SELF_READING_RATE, SelfGrowth } from './self-growth.ts';
import { hostedAsWork, type RunHosted } from '../verbs/hosted-work.ts';
import { ServedPage } from './ui/served-page.ts';

export async function serve(options: ServeOptions, parts: ServeParts): Promise<RunningServer> {
  const { settings } = options;
  const { logger, clock } = parts;
  const tls = tlsOf(options);
  for (const warning of settings.warnings) logger.warn(warning);
  const log: Log = (level, message, facts = { operationId: undefined }) =>
    logger[level === 'warning' ? 'warn' : level](facts, message);
  const node = await hostedNode(options, parts, log);
  const { autoScavenge, onListening, release } = await coordination(options, parts, node, log);
  if (node) joinClusters(options, parts, node, log);
  const closing = new AbortController();
  try {
    const users = await usersOf(options, logger);
    const key = newHomeKey();
    const service = await startAdminServer({
      host: options.host,
      port: options.port,
      publicNames: options.publicNames,
      tls,
      credentials: withHomeKey(
        new BasicAuthentication(users, clock, (name, password) => noteLogIn(users, logger, name, password)),
        key
      ),
      node,
      clusters: () =>
        serviceFleet({ ...parts, options }, { directories: [], onlyClusters: true }, closing.signal),
      autoScavenge,
      leavesScavenges: parts.shared !== undefined,
      page: node?.page && { page: node.page, users },
      logger,
      clock
    });
    onListening({ url: service.url, key, certificateFile: tls?.certificateFile });
    const backups = parts.shared || !node ? undefined : backupsOf(options, parts, node);
    backups?.start();
    node?.selfGrowth?.start();
    return {
      url: service.url,
      renewCertificate: () => service.renewCertificate(),
      close: async () => {
        await node?.selfGrowth?.close();
        await backups?.close();
        closing.abort();
        await service.close();
        release();
      }
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** After this process has taken, or found out who has, the coordination of the hosted node's own cluster. */
function joinClusters(
  { settings, winnowHome, environment, trustedKeyFile }: ServeOptions,
  { engine, scheduleEngine, clock, startClusters }: ServeParts,
  { page, location, scavenges }: HostedNode,
  log: Log
): void {
  if (!page || !startClusters) return;
  const own = scheduleEngine ?? engine;
  page.joinClusters(
    startClusters({
      home: winnowHome,
      engine: own,
      runWork: hostedAsWork({
        work: page.work,
        engineFor: () => own,
        nodeAt: (dataDirectory) => page.nodes.list().find((listed) => listed.dataDirectory === dataDirectory)
      }),
      nodes: page.nodes,
      hosted: { dataDirectory: location.dataDirectory, scavenges },
      settings,
      environment,
      trustedKeyFile,
      clock,
      log,
      send: (event) => page.send(event)
    })
  );
}

interface Coordination {
  autoScavenge: AutoScavengeDoor;
  onListening: Lease['publish'];
  release: () => void;
}

async function coordination(
  options: ServeOptions,
  parts: ServeParts,
  node: HostedNode | undefined,
  log: Log
): Promise<Coordination> {
  if (parts.shared) return { ...parts.shared, release: () => undefined };
  const { mode, onListening, release } = await autoScavengeMode(
    options,
    { ...parts, engine: parts.scheduleEngine ?? parts.engine },
    node,
    log
  );
  return { autoScavenge: new AutoScavenge(mode), onListening, release };
}

/** undefined: no directory is named; a cluster of running nodes is named instead. */
async function hostedNode(
  options: ServeOptions,
  { engine, clock, shared }: ServeParts,
  log: Log
): Promise<HostedNode | undefined> {
  const location = locationOf(options.settings);
  if (location === undefined) {
    if (options.clusterName !== undefined) {
      if (options.pageDirectory === undefined) return undefined;
      throw invalidRequest(
        'The page shows the node that a service hosts; this one hosts none.',
        '--ui',
        'Name a data directory, or leave --ui out.'
      );
    }
    throw invalidRequest(
      'No database is named.',
      'DB',
      'Give a data directory, --config FILE, or --cluster NAME.'
    );
  }
  const inspect = async (): Promise<InspectReport> => {
    const report = await engine.call('inspectDatabase', {
      ...location,
      winnowHome: options.winnowHome,
      writesStatistics: options.settings.flag('WriteStatsToDb') === true
    });
    expireWhenSeen(engine, report, clock());
    return report;
  };
  // Fails here, with the reason, if the directory holds no database.
  const { warnings } = await inspect();
  for (const { code, message, remedy } of warnings) {
    if (code === STATISTICS_PILE_UP) log('warning', `${message} ${remedy}`);
  }
  const base = baseRequest(options, location);
  let selfGrowth: SelfGrowth | undefined;
  const page = servedPage(options, { engine, clock }, location, () => selfGrowth?.makeRoom());
  await page?.refresh();
  const hosted: RunHosted =
    page?.runWork ??
    shared?.runWork ??
    ((name, request, callOptions) => engine.call(name, request, callOptions));
  const runWork: RunHosted = (...work) => {
    selfGrowth?.makeRoom();
    return hosted(...work);
  };
  const run: RunScavenge = (request, callOptions, user) => runWork('runScavenge', request, callOptions, user);
  const scheduled = scheduledNode(options, { clock, shared }, { location, page });
  const scavenges = shared?.scavenges ?? new NodeScavenges({ baseRequest: base, run, log });
  const runs = hostedRuns({ runWork, engine, base, location, options, log, clock, hosted: scheduled.find });
  const growth = (asked: object, callOptions: CallOptions = {}): Promise<GrowthReport> =>
    engine.call('forecastGrowth', { ...location, winnowHome: options.winnowHome, ...asked }, callOptions);
  if (shared === undefined && options.settings.flag('LearnGrowth') === true) {
    const slowly = { threads: 1, bytesPerSecond: SELF_READING_RATE };
    selfGrowth = new SelfGrowth({
      growth: (asked, signal) => growth(asked === 'known' ? { onlyKnown: true } : slowly, { signal }),
      isOccupied: async () =>
        scavenges.current !== undefined ||
        Object.values(runs).some(({ current }) => current !== undefined) ||
        (page?.work.running().length ?? 0) > 0 ||
        (await inspect()).inUse !== null,
      log
    });
  }
  return {
    location,
    scavenges,
    runs,
    selfGrowth,
    haveStatisticsPiledUp: async () =>
      (await inspect()).warnings.some(({ code }) => code === STATISTICS_PILE_UP),
    coverage: async () => (await inspect()).coverage,
    replacedBytes: async () => (await inspect()).replaced.bytes,
    growth: (asked) => growth({ onlyKnown: true, ...asked }),
    standing: () => standingOf(scheduled.find(), location, { engine, winnowHome: options.winnowHome, clock }),
    lastComparison: () => readLastComparison(options.winnowHome, location.dataDirectory),
    history: historyOf(engine, location, options, clock),
    place: { dataDirectory: location.dataDirectory, winnowHome: options.winnowHome },
    server: {
      inspect: keptForAMoment(inspect, clock),
      disk: () => diskOf(location.dataDirectory),
      settings: options.settings.list(),
      clock
    },
    backupSchedule: scheduled,
    baseRequest: base,
    page
  };
}

/** `listed`: the node in the list of nodes, which knows where its backups are. */
function standingOf(
  listed: StandingNode | undefined,
  { dataDirectory, indexDirectory }: DatabaseLocation,
  { engine, winnowHome, clock }: Pick<ServeParts, 'engine' | 'clock'> & { winnowHome: string }
): Promise<FleetNode> {
  const node: StandingNode = {
    name: path.basename(dataDirectory),
    ...listed,
    dataDirectory,
    ...(indexDirectory === undefined ? {} : { indexDirectory })
  };
  return nodeStanding(node, {
    engine,
    backupsIn: (target, s3Endpoint) =>
      engine.call('listBackups', { target, ...(s3Endpoint === undefined ? {} : { s3Endpoint }) }),
    winnowHome,
    nowMs: clock(),
    cluster: null
  });
}

function servedPage(
  options: ServeOptions,
  { engine, clock }: Pick<ServeParts, 'engine' | 'clock'>,
  location: DatabaseLocation,
  onWork: () => void
): ServedPage | undefined {
  const { pageDirectory, winnowHome } = options;
  if (pageDirectory === undefined) return undefined;
  return new ServedPage({
    engine,
    directory: pageDirectory,
    location,
    saidSingleNode: options.saidSingleNode,
    clusterSize: knownClusterSize(membershipQuestion(options, location)),
    winnowHome,
    clock,
    allowedPaths: [...options.allowedPaths, ...allowedBySetting(options.settings)],
    settings: options.settings,
    activity: new ActivityLog({ home: winnowHome, clock }),
    onWork
  });
}

function allowedBySetting(settings: Settings): string[] {
  const folders = (settings.text('AllowedPaths') ?? '')
    .split(path.delimiter)
    .filter((folder) => folder !== '');
  const relative = folders.find((folder) => !path.isAbsolute(folder));
  if (relative === undefined) return folders;
  throw invalidRequest(
    `${relative} is not an absolute path.`,
    'AllowedPaths',
    `Name each folder from its root on, with "${path.delimiter}" between them.`
  );
}

function locationOf(settings: Settings): DatabaseLocation | undefined {
  const dataDirectory = settings.text('Db');
  if (dataDirectory === undefined) return undefined;
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
      `Passwords sent to ${host} could be read in transit.`,
      '--host',
      'Give --cert and --key, or --insecure if the network is trusted.'
    );
  }
  return undefined;
}

/** Any caller may ask, and each answer reads files. */
function keptForAMoment<T>(look: () => Promise<T>, clock: () => number): () => Promise<T> {
  const KEPT_MS = 1000;
  let kept: { answer: Promise<T>; untilMs: number } | undefined;
  return () => {
    if (!kept || kept.untilMs <= clock()) kept = { answer: look(), untilMs: clock() + KEPT_MS };
    return kept.answer;
  };
}

/** The disk of a directory, by its mount point. */
function diskOf(directory: string): ReturnType<ServerRouteParts['disk']> {
  try {
    const { bsize, blocks, bavail } = fs.statfsSync(directory);
    const device = fs.statSync(directory).dev;
    let mount = directory;
    for (let parent = path.dirname(mount); parent !== mount; parent = path.dirname(mount)) {
      if (fs.statSync(parent).dev !== device) break;
      mount = parent;
    }
    return { mount, freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return undefined; // the system does not report it: the answer leaves it out
  }
}

function historyOf(
  engine: EngineHost,
  location: DatabaseLocation,
  { winnowHome, settings }: ServeOptions,
  clock: () => number
): HistoryParts {
  return {
    clock,
    maxAgeDays: settings.number('ScavengeHistoryMaxAge'),
    recorded: () => {
      const records = new ScavengeRecords(winnowHome, location.dataDirectory);
      return { runs: records.list(), removedEvents: records.removedEvents };
    },
    readEvents: async ({ stream, from, count, direction }) => {
      const position = from === undefined ? {} : { from };
      const backward = direction === 'backward';
      const page = { ...position, stream, limit: count, backward, data: 'utf8' as const };
      const request = { ...location, winnowHome, ...page };
      const events: EventRow[] = [];
      for await (const rows of engine.stream('readStream', request)) events.push(...rows);
      return events;
    }
  };
}

/** A log-in succeeds whether or not the file with the first password can be removed; if it cannot, a warning says so. */
function noteLogIn(users: UserStore, logger: FastifyBaseLogger, name: string, password: string): void {
  try {
    users.noteLogIn(name, password);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    logger.warn(`The file with the administrator's first password is still there: ${reason}`);
  }
}

async function usersOf({ usersFile }: ServeOptions, logger: FastifyBaseLogger): Promise<UserStore> {
  const users = new UserStore(usersFile);
  if (users.list().length > 0) return users;
  const { passwordFile } = await users.createAdministrator();
  logger.warn(
    `There were no users: created the administrator "admin"; the password is in ${passwordFile} until the first log-in.`
  );
  return users;
}
