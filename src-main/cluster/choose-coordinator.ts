/**
 * Which process coordinates the scavenges of which cluster: none (off by a setting, no licence), another one, or this one for the
 * named cluster or the cluster of the node.
 */
import { errorLineOf } from '../contract/error-report.ts';
import packageFacts from '../../package.json' with { type: 'json' };
import { decideEnablement, invalidRequest, isSameMember } from '../../src-core/index.ts';
import { ActivityLog } from '../activity/activity-log.ts';
import type { Log } from '../contract/log-line.ts';
import { authorizationOf } from './cluster-credentials.ts';
import { clusterOfOne } from './cluster-of-one.ts';
import {
  localClusterParts,
  localMemberId,
  remoteClusterParts,
  systemTimeZone,
  type LocalMembers
} from './cluster-parts.ts';
import { isLease, leaseHolder, takeLease, type Lease, type LeaseHolder } from './coordinator-lease.ts';
import { RemoteClusterAccess } from './remote-cluster.ts';
import type { EngineHost } from '../engine/engine-host.ts';
import { chosenLicenceFile } from '../access/chosen-licence.ts';
import { readLicence, refusalOf } from '../access/licence.ts';
import type { DatabaseLocation, RequestOf } from '../contract/operations/operation-contract.ts';
import {
  ClusterRegistry,
  type LocalCluster,
  type RegisteredCluster,
  type RemoteCluster
} from '../settings/cluster-registry.ts';
import { configuredQuietHours } from '../settings/configured-quiet-hours.ts';
import type { Settings } from '../settings/settings.ts';
import type { AutoScavengeMode } from './auto-scavenge.ts';
import { baseRequest, type ConfiguredScavenges } from './base-request.ts';
import type { NodeScavenges } from './node-scavenges.ts';

export interface CoordinationOptions extends ConfiguredScavenges {
  trustedKeyFile: string | undefined;
  /** A registered cluster to coordinate; undefined: the one the node is a member of. */
  clusterName: string | undefined;
  /** For the password of a remote cluster. */
  environment: Readonly<Record<string, string | undefined>>;
}

interface CoordinationParts {
  engine: EngineHost;
  clock: () => number;
}

/** The node that this process serves. */
export interface CoordinatedNode {
  location: DatabaseLocation;
  scavenges: NodeScavenges;
  baseRequest: RequestOf<'runScavenge'>;
}

export interface ChosenMode {
  mode: AutoScavengeMode;
  onListening: Lease['publish'];
  release: () => void;
}

export async function autoScavengeMode(
  options: CoordinationOptions,
  parts: CoordinationParts,
  node: CoordinatedNode | undefined,
  log: Log
): Promise<ChosenMode> {
  const { settings, winnowHome } = options;
  const without = (mode: AutoScavengeMode): ChosenMode => ({
    mode,
    onListening: () => undefined,
    release: () => undefined
  });
  const plugin = `"AutoScavenge" "${packageFacts.version}" plugin`;
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
      `Remove one of the two.`
    );
  }
  if (enablement.result === 'disabled') {
    log('info', `${plugin} disabled. ${enablement.reason}.`);
    return without({ kind: 'disabled', reason: enablement.reason });
  }
  const quietHours = configuredQuietHours(settings);
  const registry = new ClusterRegistry(winnowHome);
  const cluster = chosenCluster(options, registry, node);
  const directory = registry.directoryOf(cluster.name);
  const timeZone = settings.text('AutoScavenge:TimeZone') ?? systemTimeZone();
  const record = {
    log: new ActivityLog({ home: winnowHome, clock: parts.clock }),
    door: 'schedule' as const
  };
  const common = { directory, timeZone, quietHours, clock: parts.clock, log, record };
  // Read each time: it may expire, and its file may appear or be replaced.
  const refusal = async () => {
    const key = settings.text('Licensing:LicenseKey');
    const file = settings.text('Licensing:LicenseFile') ?? chosenLicenceFile(winnowHome);
    const { trustedKeyFile } = options;
    return refusalOf(await readLicence({ key, file, trustedKeyFile }, new Date(parts.clock())));
  };
  const lease = new SharedLease(directory);
  const choose = async (): Promise<AutoScavengeMode> => {
    const reason = await refusal();
    if (reason !== undefined) return { kind: 'refused', reason, tryAgain };
    if (cluster.kind === 'local') refuseUndecidedPlacement(cluster, settings);
    else await refuseOwnSchedule(cluster, remoteAccess(cluster, options, registry, log));
    const holder = lease.take();
    if (holder) return { kind: 'elsewhere', holder, tryAgain: follow };
    const coordinated =
      cluster.kind === 'remote'
        ? remoteClusterParts({ ...common, cluster, access: remoteAccess(cluster, options, registry, log) })
        : localClusterParts({ ...common, ...localMembers(options, parts, node, cluster) });
    return { kind: 'here', parts: { ...coordinated, refusal } };
  };
  let said: string | undefined;
  /** Once for each change. */
  const sayOnce = (level: 'info' | 'error', words: string): void => {
    if (words !== said) log(level, words);
    said = words;
  };
  const say = (mode: AutoScavengeMode): AutoScavengeMode => {
    if (mode.kind === 'here') sayOnce('info', `${plugin} enabled.`);
    if (mode.kind === 'refused') sayOnce('info', `AutoScavenge is not licensed, stopping. ${mode.reason}.`);
    if (mode.kind === 'elsewhere') {
      const { pid } = mode.holder;
      sayOnce('info', `Auto-scavenge of "${cluster.name}" is coordinated by process ${pid}; calls go there.`);
    }
    return mode;
  };
  // What prevents a start is not a reason to end a running service.
  const tryAgain = async (): Promise<AutoScavengeMode> => {
    try {
      return say(await choose());
    } catch (error) {
      const words = errorLineOf(error);
      sayOnce('error', `Auto-scavenge cannot start: ${words ?? String(error)}`);
      // Other errors name paths on this machine.
      return { kind: 'refused', reason: words ?? 'see the log of the service', tryAgain };
    }
  };
  // While the other process coordinates, it decides what it may do.
  const follow = async (): Promise<AutoScavengeMode> => {
    const holder = leaseHolder(directory);
    return holder ? say({ kind: 'elsewhere', holder, tryAgain: follow }) : tryAgain();
  };
  return {
    mode: say(await choose()),
    onListening: (at) => lease.publish(at),
    release: () => lease.release()
  };
}

/** A lease that may become available only later; then other processes learn where this one listens. */
class SharedLease {
  readonly #directory: string;
  #lease: Lease | undefined;
  #at: Parameters<Lease['publish']>[0] | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** undefined: this process holds it now. */
  take(): LeaseHolder | undefined {
    const taken = takeLease(this.#directory);
    if (!isLease(taken)) return taken;
    this.#lease = taken;
    if (this.#at) taken.publish(this.#at);
    return undefined;
  }

  publish(at: Parameters<Lease['publish']>[0]): void {
    this.#at = at;
    this.#lease?.publish(at);
  }

  release(): void {
    this.#lease?.release();
  }
}

/** The named cluster, else the one the node is registered in, else the node alone. */
function chosenCluster(
  { clusterName }: CoordinationOptions,
  registry: ClusterRegistry,
  node: CoordinatedNode | undefined
): RegisteredCluster {
  if (clusterName !== undefined) return registry.get(clusterName);
  if (!node) throw invalidRequest('No cluster is named.', '--cluster', 'Name a registered cluster.');
  return registry.memberOf(node.location.dataDirectory) ?? clusterOfOne(node.location);
}

function remoteAccess(
  cluster: RemoteCluster,
  { environment }: CoordinationOptions,
  registry: ClusterRegistry,
  log: Log
): RemoteClusterAccess {
  return new RemoteClusterAccess({
    cluster,
    authorization: authorizationOf(cluster, registry, environment),
    log
  });
}

function localMembers(
  options: CoordinationOptions,
  { engine }: CoordinationParts,
  node: CoordinatedNode | undefined,
  cluster: LocalCluster
): Pick<LocalMembers, 'cluster' | 'run' | 'baseRequest' | 'hosted'> {
  const [first] = cluster.members;
  const own = node && localMemberId(node.location.dataDirectory);
  return {
    cluster,
    run: (request, callOptions) => engine.call('runScavenge', request, callOptions),
    baseRequest: node?.baseRequest ?? baseRequest(options, first ?? { dataDirectory: '' }),
    hosted: (member) => (own && isSameMember(member, own) ? node?.scavenges : undefined)
  };
}

/** Two schedules for the same nodes make no sense either. */
async function refuseOwnSchedule(cluster: RemoteCluster, access: RemoteClusterAccess): Promise<void> {
  if ((await access.hasOwnSchedule()) !== true) return;
  throw invalidRequest(
    `"${cluster.name}" runs its own auto-scavenge.`,
    '--cluster',
    'Set its schedule with "winnow cluster auto-scavenge" instead of running two schedules at once.'
  );
}

/** A schedule that every member would refuse each time makes no sense. */
function refuseUndecidedPlacement(cluster: LocalCluster, settings: Settings): void {
  const placement = settings.text('ScavengePointPlacement');
  if (cluster.members.length === 1 || placement === 'existing' || placement === 'detached') return;
  throw invalidRequest(
    `"${cluster.name}" has ${cluster.members.length} members: a scavenge point of its own would make each log differ from the others.`,
    'ScavengePointPlacement',
    'Choose --scavenge-point detached or existing, or turn the schedule off with --auto-scavenge:enabled false.'
  );
}
