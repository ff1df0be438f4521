/**
 * A registered cluster as a door works with it that does not coordinate it: its members, its schedule (its own or ours), a
 * scavenge of all members. One process at a time makes changes: the holder of the cluster's lease.
 */
import {
  EngineError,
  invalidRequest,
  memberKey,
  type CallAnswer,
  type ChosenPlacement,
  type NodeFault,
  type PlacementWithoutWrite
} from '../../src-core/index.ts';
import type { Replies, ReportOperation, RequestOf } from '../contract/operations/operation-contract.ts';
import type { EngineHost } from '../engine/engine-host.ts';
import { ActivityLog } from '../activity/activity-log.ts';
import { askAtRest } from './ask-at-rest.ts';
import { authorizationOf } from './cluster-credentials.ts';
import { localClusterParts, remoteClusterParts, systemTimeZone } from './cluster-parts.ts';
import { runClusterNow, type ClusterRunEnd } from './cluster-run.ts';
import { isLease, leaseHolder, takeLease, type LeaseHolder } from './coordinator-lease.ts';
import { followCycle } from './follow-cycle.ts';
import { forwardToHolder } from './forward-to-holder.ts';
import { RemoteClusterAccess, type TriedNode } from './remote-cluster.ts';
import { askCurrent, stopScavenge } from './remote-scavenger.ts';
import type { AutoScavengeCall, CoordinatorParts } from './auto-scavenge.ts';
import type { ClusterRegistry, RegisteredCluster, RemoteCluster } from '../settings/cluster-registry.ts';
import { winnowHome } from '../settings/winnow-home.ts';

export interface StatusMember {
  node: string;
  kind: 'local' | 'remote';
  state: string;
  isAlive: boolean;
  writerCheckpoint: number | null;
  scavengeId: string | null;
  /** Why it cannot be reached, or refuses to answer. */
  error?: string;
}

interface Quiet {
  quiet?: boolean;
}

/** Who works with it: the command line, or a service that only looks. */
export interface ClusterDoor {
  parts: { environment: Readonly<Record<string, string | undefined>> };
  signal: AbortSignal;
  engine(): Promise<Pick<EngineHost, 'call'>>;
  call<N extends ReportOperation>(name: N, request: RequestOf<N>, options: Quiet): Promise<Replies[N]>;
  say(text: string): void;
  warn(message: string, options: Quiet): void;
}

/** Milliseconds between two checks of the cluster. */
const LOCAL_TICK_MS = 200;
const REMOTE_TICK_MS = 2000;

export class OpenCluster {
  readonly cluster: RegisteredCluster;
  readonly #line: ClusterDoor;
  readonly #registry: ClusterRegistry;
  readonly #options: Quiet;
  readonly #access: RemoteClusterAccess | undefined;

  constructor(line: ClusterDoor, registry: ClusterRegistry, name: string, options: Quiet) {
    this.#line = line;
    this.#options = options;
    this.#registry = registry;
    this.cluster = this.#registry.get(name);
    this.#access = this.cluster.kind === 'remote' ? this.#remoteAccess(this.cluster) : undefined;
  }

  async members(): Promise<StatusMember[]> {
    const { cluster } = this;
    if (cluster.kind === 'local') {
      const members: StatusMember[] = [];
      for (const member of cluster.members) {
        const inspection = await this.#line.call('inspectDatabase', member, {
          ...this.#options,
          quiet: true
        });
        members.push({
          node: member.dataDirectory,
          kind: 'local',
          state: inspection.inUse === null ? 'Stopped' : 'InUse',
          isAlive: true,
          writerCheckpoint: inspection.checkpoints.writer,
          scavengeId: null
        });
      }
      return members;
    }
    const access = this.#requireAccess();
    const gossip = await access.gossip();
    if (gossip === undefined) throw noAccess(cluster, access.gossipFault);
    return Promise.all(
      gossip.map(async ({ id, state, isAlive, writerCheckpoint }): Promise<StatusMember> => {
        const { running, fault } = isAlive ? await askCurrent(access.memberAt(id)) : {};
        const error = fault && (await access.explained(fault, id)).reason;
        return {
          node: memberKey(id),
          kind: 'remote',
          state,
          isAlive,
          writerCheckpoint,
          scavengeId: running ?? null,
          ...(error !== undefined && { error })
        };
      })
    );
  }

  /** The cluster's own schedule if it has one, else ours. */
  async schedule(call: AutoScavengeCall): Promise<unknown> {
    if (this.#access && (await this.#access.hasOwnSchedule()) === true) {
      return checkedBody(await this.#access.askOwnSchedule(call), 'cluster');
    }
    if (call !== 'status') await this.#answer(call);
    const body = await this.#answer('status');
    const { pid, url } = leaseHolder(this.#directory) ?? {};
    return { ...(body as object), coordinator: pid === undefined ? null : { pid, url: url ?? null } };
  }

  /** By the coordinating process; if there is none, the stored state is changed and left. */
  async #answer(call: AutoScavengeCall): Promise<unknown> {
    const atRest = (): Promise<CallAnswer> => askAtRest(this.#coordinatorParts('detached'), call);
    const holder = leaseHolder(this.#directory);
    if (call === 'status') {
      const answer = holder && (await forwardToHolder(holder, call));
      // Its stored state can be read anyway.
      return checkedBody(answer === undefined || answer.status === 503 ? await atRest() : answer, 'winnow');
    }
    const taken = holder ?? takeLease(this.#directory);
    if (!isLease(taken)) return this.#forwarded(taken, call);
    try {
      return checkedBody(await atRest(), 'winnow');
    } finally {
      taken.release();
    }
  }

  async #forwarded(holder: LeaseHolder, call: AutoScavengeCall): Promise<unknown> {
    const answer = await forwardToHolder(holder, call);
    if (answer.status === 503 && (holder.url === null || holder.key === null)) throw this.#heldBy(holder);
    return checkedBody(answer, 'winnow');
  }

  get #home(): string {
    return winnowHome(this.#line.parts.environment, process.platform);
  }

  get #directory(): string {
    return this.#registry.directoryOf(this.cluster.name);
  }

  /** `new`: first one point for the logs of all local members, then a scavenge of each to it. */
  async scavenge(placement: ChosenPlacement, threshold?: number): Promise<ClusterRunEnd> {
    if (this.#access && (await this.#access.hasOwnSchedule()) === true) {
      throw invalidRequest(
        `"${this.cluster.name}" runs its own auto-scavenge.`,
        'NAME',
        'Set its schedule with "winnow cluster auto-scavenge" instead of running two schedules at once.'
      );
    }
    const tickMs = this.cluster.kind === 'local' ? LOCAL_TICK_MS : REMOTE_TICK_MS;
    const taken = leaseHolder(this.#directory) ?? takeLease(this.#directory);
    if (!isLease(taken)) return this.#scavengeThere(taken, { placement, threshold, tickMs });
    try {
      if (placement === 'new') await this.#writePoint(false);
      const parts = this.#coordinatorParts(placement === 'new' ? 'existing' : placement, threshold);
      const endsWithNodes = this.cluster.kind === 'local';
      return await runClusterNow(parts, { tickMs, signal: this.#line.signal, endsWithNodes });
    } finally {
      taken.release();
    }
  }

  /** Started by the coordinating process, and followed here. */
  async #scavengeThere(
    holder: LeaseHolder,
    asked: { placement: ChosenPlacement; threshold: number | undefined; tickMs: number }
  ): Promise<ClusterRunEnd> {
    const { placement, threshold, tickMs } = asked;
    if (placement === 'new') {
      throw invalidRequest(
        `Process ${holder.pid} coordinates "${this.cluster.name}": meanwhile no point can be written to all logs.`,
        '--scavenge-point',
        'End that process first, or choose "detached" or "existing".'
      );
    }
    const scavenge = {
      ...(threshold !== undefined && { threshold }),
      ...(this.cluster.kind === 'local' && { scavengePoint: placement })
    };
    const { clusterScavengeId } = (await this.#forwarded(holder, { scavenge })) as {
      clusterScavengeId?: unknown;
    };
    this.#line.say(`Process ${holder.pid} coordinates the cluster and runs the scavenge.\n`);
    return followCycle({
      directory: this.#directory,
      clusterScavengeId: String(clusterScavengeId),
      ask: (call) => forwardToHolder(holder, call),
      tickMs,
      signal: this.#line.signal
    });
  }

  /** Compares the logs of the members and shows to which ones a new point would be written. */
  async previewPoint(): Promise<void> {
    await this.#writePoint(true);
  }

  async #writePoint(dryRun: boolean): Promise<void> {
    const { cluster } = this;
    if (cluster.kind === 'remote') {
      throw invalidRequest(
        `The running nodes of "${cluster.name}" write their scavenge points themselves.`,
        '--scavenge-point',
        'Leave the option out.'
      );
    }
    const { members } = cluster;
    const report = await this.#line.call('writeClusterPoint', { members, dryRun }, this.#options);
    const { point, written, heldBefore } = report;
    if (written.length === 0)
      this.#line.say('All logs end with a scavenge point that no scavenge has reached.\n');
    else if (dryRun)
      this.#line.say(`The logs are the same; a point would be written to ${written.join(', ')}.\n`);
    else
      this.#line.say(
        `Scavenge point ${point?.number} at position ${point?.position}: ${written.join(', ')}.\n`
      );
    if (written.length > 0 && heldBefore.length > 0)
      this.#line.say(`Already there: ${heldBefore.join(', ')}.\n`);
  }

  /** Why its nodes cannot be driven; empty for directories. */
  async tryAccess(): Promise<TriedNode[]> {
    return (await this.#access?.tryAccess()) ?? [];
  }

  /** Addresses of the members on which a scavenge was stopped. */
  async stopMembers(): Promise<string[]> {
    const access = this.#access;
    if (!access) return [];
    const gossip = await access.gossip();
    if (gossip === undefined) throw noAccess(access.cluster, access.gossipFault);
    const stopped: string[] = [];
    for (const { id, isAlive, hasInstance } of gossip) {
      if (!isAlive || !hasInstance) continue;
      const reply = await stopScavenge(access.memberAt(id), undefined);
      if (reply.kind === 'stopped') stopped.push(memberKey(id));
      const fault =
        reply.kind === 'failed' && reply.fault ? await access.explained(reply.fault, id) : undefined;
      if (fault) this.#line.warn(`${memberKey(id)} ${fault.reason}. ${fault.remedy}`, this.#options);
    }
    return stopped;
  }

  #heldBy({ pid }: LeaseHolder): EngineError {
    return new EngineError({
      code: 'DatabaseInUse',
      message: `"${this.cluster.name}" is coordinated by process ${pid}, which does not answer.`,
      remedy: 'Wait until it ends, or end it with Ctrl+C in its terminal.',
      details: { pid }
    });
  }

  #coordinatorParts(placement: PlacementWithoutWrite, threshold?: number): CoordinatorParts {
    const { cluster } = this;
    const common = {
      threshold,
      directory: this.#registry.directoryOf(cluster.name),
      record: {
        log: new ActivityLog({ home: this.#home, clock: Date.now }),
        door: 'commandLine' as const
      },
      timeZone: systemTimeZone(),
      clock: () => Date.now(),
      log: (_level: string, message: string) => {
        if (!this.#options.quiet) this.#line.say(`${message}\n`);
      }
    };
    if (cluster.kind === 'remote')
      return remoteClusterParts({ ...common, cluster, access: this.#requireAccess() });
    return localClusterParts({
      ...common,
      cluster,
      run: async (request, callOptions) =>
        (await this.#line.engine()).call('runScavenge', request, callOptions),
      baseRequest: {
        scavengePoint: placement,
        singleNode: cluster.members.length === 1,
        winnowHome: this.#home
      }
    });
  }

  #remoteAccess(cluster: RemoteCluster): RemoteClusterAccess {
    return new RemoteClusterAccess({
      cluster,
      authorization: authorizationOf(cluster, this.#registry, this.#line.parts.environment),
      signal: this.#line.signal,
      log: (_level, message) => this.#line.say(`${message}\n`)
    });
  }

  #requireAccess(): RemoteClusterAccess {
    if (this.#access) return this.#access;
    throw invalidRequest(`"${this.cluster.name}" has no running nodes.`, 'NAME', 'Register their addresses.');
  }
}

function checkedBody(
  answer: { status: number; body?: unknown; detail?: string },
  by: 'cluster' | 'winnow'
): unknown {
  if (answer.status < 300) return typeof answer.body === 'object' ? { ...answer.body, by } : answer.body;
  const reason = answer.detail ?? (typeof answer.body === 'string' ? answer.body : `status ${answer.status}`);
  if (answer.status === 400) throw invalidRequest(`${reason}.`, 'schedule', 'Correct the request.');
  throw new EngineError({
    code: 'RemoteNodeFailed',
    message: `The request to the schedule failed: ${reason}.`,
    remedy: 'Check "winnow cluster status".',
    details: { status: answer.status }
  });
}

function noAccess(cluster: RemoteCluster, fault: NodeFault | undefined): EngineError {
  return new EngineError({
    code: 'RemoteNodeFailed',
    message: `"${cluster.name}" ${fault?.reason ?? 'cannot be reached'}.`,
    remedy: fault?.remedy ?? 'Check addresses, user and certificate authority.',
    details: { cluster: cluster.name }
  });
}
