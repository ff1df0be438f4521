/**
 * The schedules of all clusters, for the window: one ClusterSchedule for each, kept in step with what
 * changes outside. Sends snapshots of the followed one to the window.
 */
import { EngineError } from '../../src-core/index.ts';
import { leaseHolder } from '../cluster/coordinator-lease.ts';
import type { HttpCall } from '../cluster/http-call.ts';
import type { PasswordCipher } from '../cluster/cluster-credentials.ts';
import type { EngineHost } from '../engine/engine-host.ts';
import type { AutoScavengeCall } from '../cluster/auto-scavenge.ts';
import type { AutoScavengeSnapshot } from '../contract/verbs/cluster-contract.ts';
import type { WindowEvent } from '../contract/verbs/workbench-contract.ts';
import { ClusterRegistry, type RegisteredCluster } from '../settings/cluster-registry.ts';
import type { NodeRegistry } from '../settings/node-registry.ts';
import type { Settings } from '../settings/settings.ts';
import type { RunHosted } from '../verbs/hosted-work.ts';
import { ClusterList } from './cluster-list.ts';
import { ClusterSchedule } from './cluster-schedule.ts';
import { doorOf } from './schedule-door.ts';
import type { LicenceChoice } from './licence-choice.ts';
import { MemberScavenges } from './member-scavenges.ts';
import type { RemoteMemberParts } from './remote-member.ts';
import type { ScheduleHost } from './schedule-checklist.ts';
import { takeSnapshot } from './schedule-snapshot.ts';

export interface ClusterSchedulesParts {
  home: string;
  engine: EngineHost;
  /** Shows scavenges as work of this process; not given: they only run. */
  runWork?: RunHosted;
  nodes: Pick<NodeRegistry, 'list' | 'get'>;
  /** Clusters to show and to coordinate; not given: all. */
  isShown?: (cluster: RegisteredCluster) => boolean;
  /** Of a service; not given: those of the environment and of each node's configuration file. */
  settings?: Settings;
  licence: LicenceChoice;
  clock: () => number;
  environment: Readonly<Record<string, string | undefined>>;
  cipher: PasswordCipher | undefined;
  send: (event: WindowEvent) => void;
  log: (level: 'info' | 'warning' | 'error', message: string) => void;
  /** What this process is to people; not given: the window. */
  host?: ScheduleHost;
  /** For tests. */
  httpCall?: HttpCall;
  tickMs?: number;
}

/** As often as a coordinator checks. */
const TICK_MS = 5000;
/** While the window follows a cluster. */
const FOLLOW_MS = 2000;

export class ClusterSchedules {
  readonly list: ClusterList;
  readonly scavenges = new MemberScavenges();
  readonly #parts: ClusterSchedulesParts;
  readonly #registry: ClusterRegistry;
  readonly #schedules = new Map<string, { schedule: ClusterSchedule; made: string }>();
  #following: object | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #followTimers = new Map<string, NodeJS.Timeout>();
  #looking: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: ClusterSchedulesParts) {
    const { home, nodes, environment, cipher, isShown } = parts;
    this.#parts = parts;
    this.#registry = new ClusterRegistry(home);
    this.list = new ClusterList({ registry: this.#registry, nodes, environment, cipher, isShown });
  }

  /** Resumes what this window last coordinated, and checks again from time to time. */
  start(): void {
    this.#looking = this.updateCoordination().then(() => {
      if (this.#isClosed) return;
      this.#timer = setTimeout(() => this.start(), this.#parts.tickMs ?? TICK_MS);
      this.#timer.unref();
    });
  }

  /** Coordinates what can be coordinated here, and releases what no longer can. */
  async updateCoordination(): Promise<void> {
    for (const cluster of this.list.all()) {
      try {
        await (await this.schedule(cluster.name)).updateCoordination();
      } catch (error) {
        this.#parts.log(
          'warning',
          `The schedule of "${cluster.name}" could not be checked: ${reasonOf(error)}`
        );
      }
    }
  }

  /** Of a cluster as it is registered now. Throws InvalidRequest if there is none with that name. */
  async schedule(name: string): Promise<ClusterSchedule> {
    const { cluster } = this.list.find(name);
    const made = JSON.stringify(cluster);
    const known = this.#schedules.get(name);
    if (known?.made === made) return known.schedule;
    const { home, engine, runWork, licence, clock, environment, cipher, log, httpCall, tickMs } = this.#parts;
    const schedule = new ClusterSchedule({
      cluster,
      home,
      registry: this.#registry,
      scavenges: this.scavenges,
      engine,
      runWork,
      nodeAt: (dataDirectory) => this.list.nodeAt(dataDirectory),
      licence: () => licence.read(),
      clock,
      environment,
      cipher,
      log,
      httpCall,
      tickMs,
      settings: this.#parts.settings,
      // Loaded only here: a window that coordinates nothing needs no HTTP.
      openDoor: async (held) => {
        const { openCoordinatorDoor } = await import('../http/coordinator-door.ts');
        return openCoordinatorDoor(doorOf(held), clock);
      }
    });
    this.#schedules.set(name, { schedule, made });
    await known?.schedule.close();
    return schedule;
  }

  async snapshot(name: string): Promise<AutoScavengeSnapshot> {
    const { entry } = this.list.find(name);
    const schedule = await this.schedule(name);
    const { clock, host = 'window' } = this.#parts;
    return takeSnapshot({ entry, schedule, scavenges: this.scavenges, nowMs: clock(), host });
  }

  /** Answers with the new snapshot, and sends it to the window too. */
  async call(name: string, call: AutoScavengeCall): Promise<AutoScavengeSnapshot> {
    await (await this.schedule(name)).call(call);
    const snapshot = await this.snapshot(name);
    this.#parts.send({ kind: 'autoScavenge', snapshot });
    return snapshot;
  }

  /** Sends snapshots of these clusters from now on, and of no other. */
  follow(names: readonly string[]): void {
    for (const timer of this.#followTimers.values()) clearTimeout(timer);
    this.#followTimers.clear();
    // Answers still on their way belong to what was followed before.
    const following = {};
    this.#following = following;
    for (const name of names) this.#tell(name, following);
  }

  /** A cluster was added, changed or removed: checks `names` again, and closes those that are gone. */
  async changed(...names: string[]): Promise<void> {
    const left = new Set(this.list.all().map(({ name }) => name));
    for (const [name, { schedule }] of this.#schedules) {
      if (left.has(name) && !names.includes(name)) continue;
      this.#schedules.delete(name);
      await schedule.close();
    }
    this.#parts.send({ kind: 'clusters', clusters: this.list.list() });
    await this.updateCoordination();
  }

  /** Before a change that moves the files that a coordinator writes to. */
  async releaseCluster(name: string): Promise<void> {
    const known = this.#schedules.get(name);
    this.#schedules.delete(name);
    await known?.schedule.close();
  }

  /** Access to the running nodes. Throws InvalidRequest if there is none. */
  async remoteMember(asked: { cluster: string; memberId: string }): Promise<RemoteMemberParts> {
    const { cluster, memberId } = asked;
    this.list.requireRemote(cluster);
    const { entry } = this.list.find(cluster);
    return { entry, memberId, access: (await this.schedule(cluster)).requireAccess() };
  }

  /** Throws DatabaseInUse while another process coordinates it. */
  refuseHeldElsewhere(name: string): void {
    const holder = leaseHolder(this.#registry.directoryOf(name));
    if (!holder) return;
    throw new EngineError({
      code: 'DatabaseInUse',
      message: `"${name}" is coordinated by process ${holder.pid}.`,
      remedy: 'Stop that process first.',
      details: { pid: holder.pid }
    });
  }

  /** Stops the node scavenges of schedules where they can be resumed, and releases all clusters. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.follow([]);
    await this.#looking;
    await Promise.all([...this.#schedules.values()].map(({ schedule }) => schedule.close()));
    await this.scavenges.stopAll();
  }

  #tell(name: string, following: object): void {
    const again = (): void => {
      if (this.#following !== following || this.#isClosed) return;
      const timer = setTimeout(() => this.#tell(name, following), this.#parts.tickMs ?? FOLLOW_MS);
      timer.unref();
      this.#followTimers.set(name, timer);
    };
    void this.snapshot(name)
      .then((snapshot) => {
        if (this.#following === following) this.#parts.send({ kind: 'autoScavenge', snapshot });
      })
      .catch((error: unknown) => this.#parts.log('warning', reasonOf(error)))
      .finally(again);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
