/**
 * The auto-scavenge of one cluster in the window: coordinated by this process while it holds the cluster's
 * lease, else by forwarding calls to the coordinator (another process with the same WINNOW_HOME, or the cluster itself).
 *
 * Invariants: this process coordinates only with the lease, and only a cluster without auto-scavenge of its own; it
 * begins cycles only with a licence that is valid then, and continues an open one; it holds the lease only while there is something to coordinate.
 */
import {
  EngineError,
  decideEnablement,
  invalidRequest,
  isSameMember,
  memberKey,
  type CallAnswer,
  type Enablement,
  type GossipMember,
  type QuietHours,
  requireFault
} from '../../src-core/index.ts';
import { ActivityLog } from '../activity/activity-log.ts';
import { askAtRest } from '../cluster/ask-at-rest.ts';
import { authorizationOf, type PasswordCipher } from '../cluster/cluster-credentials.ts';
import {
  coordinatorFile,
  localClusterParts,
  localMemberId,
  remoteClusterParts,
  systemTimeZone
} from '../cluster/cluster-parts.ts';
import {
  isLease,
  leaseHolder,
  takeLease,
  type Lease,
  type LeaseHolder
} from '../cluster/coordinator-lease.ts';
import type { CoordinatorFile } from '../cluster/coordinator-store.ts';
import { forwardToHolder } from '../cluster/forward-to-holder.ts';
import type { HttpCall } from '../cluster/http-call.ts';
import type { MemberDetails } from '../cluster/member-details.ts';
import { RemoteClusterAccess } from '../cluster/remote-cluster.ts';
import type { EngineHost } from '../engine/engine-host.ts';
import { AutoScavenge, type AutoScavengeCall, type CoordinatorParts } from '../cluster/auto-scavenge.ts';
import { baseRequest } from '../cluster/base-request.ts';
import { configuredQuietHours } from '../settings/configured-quiet-hours.ts';
import type { CoordinatorDoor } from '../http/coordinator-door.ts';
import type { NodeScavenges, RunScavenge } from '../cluster/node-scavenges.ts';
import type { CoordinatedBy } from '../contract/verbs/cluster-contract.ts';
import type { RunHosted } from '../verbs/hosted-work.ts';
import { refusalOf, type Licence } from '../access/licence.ts';
import type { DatabaseLocation, RequestOf } from '../contract/operations/operation-contract.ts';
import type { ClusterRegistry, RegisteredCluster } from '../settings/cluster-registry.ts';
import type { RegisteredNode } from '../settings/node-registry.ts';
import { loadSettings, type Settings } from '../settings/settings.ts';
import type { MemberScavenges } from './member-scavenges.ts';

export interface ClusterScheduleParts {
  cluster: RegisteredCluster;
  home: string;
  registry: ClusterRegistry;
  scavenges: MemberScavenges;
  engine: EngineHost;
  /** Shows scavenges as work of this process; not given: they only run. */
  runWork?: RunHosted | undefined;
  /** The node in the list with this directory. */
  nodeAt: (dataDirectory: string) => RegisteredNode | undefined;
  licence: () => Promise<Licence>;
  clock: () => number;
  environment: Readonly<Record<string, string | undefined>>;
  cipher: PasswordCipher | undefined;
  log: (level: 'info' | 'warning' | 'error', message: string) => void;
  /** Gives other processes of this home access while this one coordinates. */
  openDoor: (schedule: ClusterSchedule) => Promise<CoordinatorDoor>;
  /** Of a service; not given: those of the environment and of the nodes' configuration files. */
  settings?: Settings | undefined;
  /** For tests. */
  httpCall?: HttpCall | undefined;
  tickMs?: number | undefined;
}

interface Held {
  lease: Lease;
  auto: AutoScavenge;
  /** undefined: it could not be opened. */
  door?: CoordinatorDoor;
}

/** What was found outside: licence, settings, and who coordinates. */
export interface CoordinationState {
  coordinatedBy: CoordinatedBy;
  enablement: Enablement | string;
  licence: Licence;
  accessFault: string | undefined;
  /** Why its running nodes refuse requests, as of the last one; undefined: they do not. */
  refusal: string | undefined;
  /** undefined: not known; null: a cluster of directories, which has none. */
  hasOwnSchedule: boolean | undefined | null;
  holder: LeaseHolder | undefined;
}

export class ClusterSchedule {
  readonly #parts: ClusterScheduleParts;
  #held: Held | undefined;
  #access: RemoteClusterAccess | undefined;
  #partsKept: CoordinatorParts | undefined;
  #tail: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #lastSeen: CoordinationState | undefined;
  /** Address of the service of one of its nodes, in this process. */
  #published: Parameters<Lease['publish']>[0] | undefined;

  constructor(parts: ClusterScheduleParts) {
    this.#parts = parts;
  }

  get cluster(): RegisteredCluster {
    return this.#parts.cluster;
  }

  /** Turned on and licensed, or coordinated by another process: as of the last check. */
  get isEnabled(): boolean {
    if (!this.#lastSeen) return false;
    const { coordinatedBy, enablement, licence } = this.#lastSeen;
    const isOn = typeof enablement !== 'string' && enablement.result === 'enabled';
    return coordinatedBy !== 'nobody' || (isOn && licence.isValid);
  }

  /** Of a member's directory; undefined for any other. */
  scavengesOf(dataDirectory: string): NodeScavenges | undefined {
    this.#coordinatorParts();
    return this.#parts.scavenges.find(dataDirectory);
  }

  /** Throws InvalidRequest with the reason why requests to the running nodes are impossible. */
  requireAccess(): RemoteClusterAccess {
    const fault = this.#accessFault();
    if (this.#access) return this.#access;
    throw invalidRequest(
      fault ?? 'This cluster has no running nodes.',
      'cluster',
      'Enter user and password again.'
    );
  }

  /** Starts or ends coordination, according to the current state. */
  updateCoordination(): Promise<CoordinationState> {
    return this.#inTurn(() => this.#updateCoordination());
  }

  /** Throws EngineError for a call that was refused or could not be made. */
  call(call: AutoScavengeCall): Promise<void> {
    return this.#inTurn(async () => {
      const coordination = await this.#updateCoordination();
      checked(await this.#answer(call, coordination));
      // A first schedule gives this process something to coordinate.
      await this.#updateCoordination();
    });
  }

  /** The body of the status answer, whichever process coordinates; rejects if none can be reached. */
  status(coordination: CoordinationState): Promise<Record<string, unknown>> {
    return this.#inTurn(async () => checked(await this.#answer('status', coordination)));
  }

  /** For a caller over HTTP: the unchanged answer. */
  answer(call: AutoScavengeCall): Promise<CallAnswer> {
    return this.#inTurn(async () => {
      const answer = await this.#answer(call, await this.#updateCoordination());
      await this.#updateCoordination();
      return answer;
    });
  }

  /** The gossip of the members now; undefined: no member answers. */
  async gossip(): Promise<readonly GossipMember[] | undefined> {
    return this.#coordinatorParts()?.gossip();
  }

  /** What running members tell besides gossip; empty for directories. */
  async details(gossip: readonly GossipMember[] | undefined): Promise<ReadonlyMap<string, MemberDetails>> {
    return (await this.#access?.detailsOf(gossip ?? [])) ?? new Map<string, MemberDetails>();
  }

  /** The stored events of the schedule, from any process. */
  events(): ReturnType<CoordinatorFile['read']> {
    return this.#store().read();
  }

  settings(): Settings {
    const { cluster, nodeAt, environment, settings } = this.#parts;
    if (settings) return settings;
    const files =
      cluster.kind === 'local'
        ? cluster.members.map(({ dataDirectory }) => nodeAt(dataDirectory)?.configurationFile)
        : [];
    const file = files.find((named) => named !== undefined);
    return loadSettings({ file, environment, unknownNames: 'ignore' });
  }

  timeZone(): string {
    try {
      return this.settings().text('AutoScavenge:TimeZone') ?? systemTimeZone();
    } catch {
      return systemTimeZone(); // the checklist shows what is wrong with the settings
    }
  }

  /** Tells other processes where to reach the schedule while this one coordinates it; undefined: it no longer serves HTTP. */
  publish(at: Parameters<Lease['publish']>[0] | undefined): void {
    this.#published = at;
    this.#publish();
  }

  /** Starts nothing more. The caller stops what runs. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#inTurn(() => this.#endCoordination());
  }

  async #updateCoordination(): Promise<CoordinationState> {
    const coordination = await this.#readState();
    this.#lastSeen = coordination;
    return coordination;
  }

  async #readState(): Promise<CoordinationState> {
    const { registry, cluster, licence } = this.#parts;
    const common = {
      enablement: this.#enablement(),
      licence: await licence(),
      accessFault: this.#accessFault(),
      hasOwnSchedule: cluster.kind === 'local' ? null : await this.#access?.hasOwnSchedule(),
      refusal: this.#access?.refusal
    };
    // With an expired licence an open cycle continues to its end; no other begins.
    const isLicensed = common.licence.isValid || this.#held?.auto.hasOpenCycle === true;
    const mayRun =
      !this.#isClosed &&
      typeof common.enablement !== 'string' &&
      common.enablement.result === 'enabled' &&
      isLicensed &&
      common.accessFault === undefined &&
      (common.hasOwnSchedule === null || common.hasOwnSchedule === false);
    // While the leader does not report it, existing coordination continues.
    const isUnclear = this.#held !== undefined && common.hasOwnSchedule === undefined && !this.#isClosed;
    if (!mayRun && !isUnclear) await this.#endCoordination();
    if (common.hasOwnSchedule === true) return { ...common, coordinatedBy: 'cluster', holder: undefined };
    if (this.#held) return { ...common, coordinatedBy: 'window', holder: undefined };
    const directory = registry.directoryOf(cluster.name);
    const wants = mayRun && (await this.#isThereSomething());
    // Never taken just to check: a service that starts at that moment would assume that this process coordinates.
    const taken = wants ? takeLease(directory) : leaseHolder(directory);
    if (taken === undefined) return { ...common, coordinatedBy: 'nobody', holder: undefined };
    if (!isLease(taken)) return { ...common, coordinatedBy: 'process', holder: taken };
    await this.#take(taken);
    return { ...common, coordinatedBy: 'window', holder: undefined };
  }

  async #answer(call: AutoScavengeCall, coordination: CoordinationState): Promise<CallAnswer> {
    if (coordination.coordinatedBy === 'cluster' && this.#access) return this.#access.askOwnSchedule(call);
    if (this.#held) return this.#held.auto.call(call);
    const parts = this.#coordinatorParts();
    if (!parts) return { status: 503, detail: coordination.accessFault ?? 'The cluster cannot be reached' };
    if (coordination.holder) {
      const answer = await forwardToHolder(coordination.holder, call, this.#parts.httpCall);
      // Its stored state can be read anyway.
      return answer.status === 503 && call === 'status' ? askAtRest(parts, call) : answer;
    }
    if (call === 'status') return askAtRest(parts, call);
    const taken = takeLease(this.#parts.registry.directoryOf(this.cluster.name));
    if (!isLease(taken)) return forwardToHolder(taken, call, this.#parts.httpCall);
    try {
      return await askAtRest(parts, call);
    } finally {
      taken.release();
    }
  }

  async #take(lease: Lease): Promise<void> {
    const parts = this.#coordinatorParts();
    if (!parts) {
      lease.release();
      return;
    }
    const refusal = async () => refusalOf(await this.#parts.licence());
    this.#held = {
      lease,
      auto: new AutoScavenge({ kind: 'here', parts: { ...parts, refusal } }, this.#parts.tickMs)
    };
    this.#publish();
    await this.#held.auto.start();
    try {
      this.#held.door = await this.#parts.openDoor(this);
      this.#publish();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#parts.log(
        'warning',
        `Other processes cannot reach the schedule of "${this.cluster.name}": ${reason}`
      );
    }
  }

  #publish(): void {
    const at = this.#published ?? this.#held?.door?.at;
    if (at) this.#held?.lease.publish(at);
  }

  async #endCoordination(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    // Not awaited: calls that are in progress through it wait for their own turn.
    void held?.door?.close().catch(() => undefined);
    await held?.auto.close();
    held?.lease.release();
  }

  /** A schedule, or an open cycle. */
  async #isThereSomething(): Promise<boolean> {
    const { configuration, history } = await this.#store().load();
    return configuration !== undefined || history.some(({ type }) => type === '$cluster-scavenge-started');
  }

  /** undefined: a remote cluster that cannot be reached. */
  #coordinatorParts(): CoordinatorParts | undefined {
    if (this.#partsKept) return this.#partsKept;
    const { cluster, registry, clock, log, engine, runWork, scavenges } = this.#parts;
    const common = {
      directory: registry.directoryOf(cluster.name),
      timeZone: this.timeZone(),
      quietHours: this.#usableQuietHours(),
      clock,
      log,
      record: { log: new ActivityLog({ home: this.#parts.home, clock }), door: 'schedule' as const }
    };
    if (cluster.kind === 'remote') {
      if (!this.#access) return undefined;
      this.#partsKept = remoteClusterParts({ ...common, cluster, access: this.#access });
      return this.#partsKept;
    }
    const run: RunScavenge = (request, options, user) =>
      runWork ? runWork('runScavenge', request, options, user) : engine.call('runScavenge', request, options);
    const members = new Map(
      cluster.members.map((member) => {
        const requestFor = (): RequestOf<'runScavenge'> => this.#requestFor(member);
        const kept = scavenges.of(member.dataDirectory, {
          run,
          log,
          // What is known about a node changes: computed at each start.
          get baseRequest() {
            return requestFor();
          }
        });
        return [memberKey(localMemberId(member.dataDirectory)), kept];
      })
    );
    this.#partsKept = localClusterParts({
      ...common,
      cluster,
      run,
      baseRequest: { winnowHome: this.#parts.home },
      hosted: (member) => members.get(memberKey(member)),
      // What exists may be the keeper of a service, which was started before this schedule and places otherwise.
      placementOf: (asked) => {
        const member = cluster.members.find(({ dataDirectory }) =>
          isSameMember(localMemberId(dataDirectory), asked)
        );
        return member && this.#requestFor(member).scavengePoint;
      }
    });
    return this.#partsKept;
  }

  /** A member's log must not diverge from the others': only a single node gets a point of its own. */
  #requestFor(member: DatabaseLocation): RequestOf<'runScavenge'> {
    const { cluster, home, nodeAt } = this.#parts;
    const isSingle =
      cluster.kind === 'local' &&
      cluster.members.length === 1 &&
      nodeAt(member.dataDirectory)?.isSingleNode === true;
    const request = baseRequest(
      { settings: this.settings(), winnowHome: home, saidSingleNode: false },
      { indexDirectory: undefined, ...member }
    );
    const writesPoint = request.scavengePoint === 'auto' || request.scavengePoint === 'new';
    return writesPoint && !isSingle ? { ...request, scavengePoint: 'detached' } : request;
  }

  /** A text: why the settings cannot be used. */
  #enablement(): Enablement | string {
    try {
      const settings = this.settings();
      this.#quietHours();
      return decideEnablement({
        enabled: settings.flag('AutoScavenge:Enabled'),
        isDevMode: settings.flag('Dev') === true,
        isMemoryDatabase: settings.flag('MemDb') === true
      });
    } catch (error) {
      requireFault(error);
      return error.message;
    }
  }

  /** From the settings; throws InvalidRequest if they are not valid quiet hours. */
  #quietHours(): QuietHours | undefined {
    return configuredQuietHours(this.settings());
  }

  /** The checklist shows what is wrong with the settings; nothing runs because of it. */
  #usableQuietHours(): QuietHours | undefined {
    try {
      return this.#quietHours();
    } catch {
      return undefined;
    }
  }

  /** Why requests to the running nodes are impossible; undefined: nothing known in advance. */
  #accessFault(): string | undefined {
    const { cluster, registry, environment, cipher, log, httpCall } = this.#parts;
    if (cluster.kind === 'local' || this.#access) return undefined;
    try {
      this.#access = new RemoteClusterAccess({
        cluster,
        authorization: authorizationOf(cluster, registry, environment, cipher),
        log,
        ...(httpCall && { call: httpCall })
      });
      return undefined;
    } catch (error) {
      if (error instanceof EngineError) return error.message;
      return `The certificate authority cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  #store(): CoordinatorFile {
    return coordinatorFile(this.#parts.registry.directoryOf(this.cluster.name));
  }

  /** One after another: two callers that take a lease in one process would see each other. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(work);
    this.#tail = result.catch(() => undefined);
    return result;
  }
}

/** The body; throws EngineError for a refusal, with the words of the answer. */
function checked(answer: CallAnswer): Record<string, unknown> {
  const { status, body, detail, note } = answer;
  if (status < 300) return typeof body === 'object' && body !== null ? { ...body } : {};
  const reason = detail ?? (typeof body === 'string' ? body : `the answer has the status ${status}`);
  if (status === 400) throw invalidRequest(note ?? `${reason}.`, 'schedule', 'Correct the request.');
  throw new EngineError({
    code: 'RemoteNodeFailed',
    message: `${reason}.`,
    remedy: 'Check the conditions of the schedule, then try again.',
    details: { status }
  });
}
