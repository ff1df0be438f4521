/**
 * What the coordinator does next: pure functions of its state, of what gossip says and of the time. One step at
 * a time; each yields at most one event or one request to a node. docs/operations/auto-scavenge.md has the table.
 */
import { SERVER_RESULTS, type ScavengeResult } from '../units/scavenge-terms.ts';
import { findLeader, findMember, isHealthy, isSameMember, memberKey } from './cluster-view.ts';
import type { GossipMember, MemberId } from './cluster-view.ts';
import type { CoordinatorEvent, CycleOptions } from './coordinator-event.ts';
import type { CoordinatorState } from './coordinator-state.ts';
import type { QuietWindow } from './quiet-hours.ts';
import { instantOfWallTime, nextTicks, type WallTime } from './wall-time.ts';

export type NodeRequest =
  | ({ kind: 'start'; member: MemberId } & CycleOptions)
  | { kind: 'poll'; member: MemberId; scavengeId: string }
  /** No id: whatever runs there is to stop. */
  | { kind: 'stop'; member: MemberId; scavengeId: string | undefined }
  /** The member should resign as leader. Nothing waits for an answer: gossip shows the result. */
  | { kind: 'resign'; member: MemberId };

/** What a node answers instead of the requested data. The rules retry; a caller that waits for them may not. */
export interface NodeFault {
  /** `later`: it may do it soon. `never`: not before something is changed. `gone`: it does not answer. */
  kind: 'later' | 'never' | 'gone';
  /** What it does, to be read after its name: "refuses the password of ops". */
  reason: string;
  remedy: string;
}

export type NodeReply =
  | { kind: 'started'; scavengeId: string }
  /** The request did not do what it should, whatever the reason. It is made again. */
  | { kind: 'failed'; fault?: NodeFault }
  | { kind: ScavengeResult | 'inProgress' }
  /** No usable answer: the node may be down, or slow. */
  | { kind: 'unknown'; fault?: NodeFault }
  /** Nothing runs there and the outcome is not known. */
  | { kind: 'notRunning' }
  | { kind: 'notFound' }
  | { kind: 'resigning' };

export type Step =
  { kind: 'idle' } | { kind: 'event'; event: CoordinatorEvent } | { kind: 'request'; request: NodeRequest };

export interface Situation {
  /** Last gossip; undefined: none came yet. */
  gossip: readonly GossipMember[] | undefined;
  /** Expected number of full members of the cluster. */
  clusterSize: number;
  /** `lagging`: who lags furthest behind first, the leader last. `registered`: in the order of the members. */
  order: 'lagging' | 'registered';
  /** The member this process is, which leads; undefined: it is none, and gossip says who leads. */
  self?: MemberId | undefined;
  newId: () => string;
}

const IDLE: Step = { kind: 'idle' };

/** An open cycle continues with the present members. undefined when nothing changed. */
export function assessMembers(
  state: CoordinatorState,
  situation: Situation,
  now: WallTime
): CoordinatorEvent | undefined {
  const { gossip } = situation;
  if (!gossip || !state.isCycleOpen || !isHealthy(gossip, situation.clusterSize)) return undefined;
  const known = state.members.list();
  const added = distinct(gossip.map((member) => member.id)).filter((id) => !state.members.has(id));
  const removed = known.filter((id) => findMember(gossip, id) === undefined);
  if (added.length === 0 && removed.length === 0) return undefined;
  return { type: '$cluster-members-changed', at: now, added, removed };
}

/**
 * Pauses a running cycle when quiet hours begin, and resumes it when they end: only what they have paused themselves.
 * What a person resumed inside them runs until the cycle or they end. `window`: the present quiet hours; `endedAt`: when
 * the last ones ended.
 */
export function assessQuietHours(
  state: CoordinatorState,
  window: QuietWindow | undefined,
  { now, endedAt }: { now: WallTime; endedAt?: WallTime | undefined }
): CoordinatorEvent | undefined {
  const by = 'quietHours';
  if (window === undefined) {
    const isTheirs = state.pausedBy === by && state.publicStatus === 'Paused';
    // A cycle may be due at the very moment they end; this is noticed at a tick after it.
    return isTheirs ? { type: '$resumed', at: endedAt ?? now, by } : undefined;
  }
  const { resumedAt } = state;
  if (resumedAt !== undefined && instantOfWallTime(resumedAt) >= window.startMs) return undefined;
  switch (state.status) {
    case 'Waiting':
    case 'ContinuingClusterScavenge':
      return { type: '$paused', at: now, by };
    case 'StartingNodeScavenge':
    case 'MonitoringNodeScavenge':
      return { type: '$pause-requested', at: now, by };
    default:
      return undefined;
  }
}

export function assess(state: CoordinatorState, situation: Situation, now: WallTime): Step {
  switch (state.status) {
    case 'NotConfigured':
    case 'PausedWhileIdle':
    case 'PausedWhileScavengingCluster':
      return IDLE;
    case 'Waiting':
      return assessWaiting(state, situation, now);
    case 'ContinuingClusterScavenge':
      return assessContinuing(state, situation, now);
    case 'StartingNodeScavenge':
      return assessStarting(state, situation);
    case 'MonitoringNodeScavenge':
      return assessMonitoring(state);
    case 'Pausing':
      return assessPausing(state, now);
  }
}

/** What follows from a node's answer; undefined: nothing, the request is made again at the next tick. */
export function eventOfReply(
  request: NodeRequest,
  reply: NodeReply,
  now: WallTime
): CoordinatorEvent | undefined {
  const nodeId = request.member;
  switch (request.kind) {
    case 'start':
      if (reply.kind !== 'started') return undefined;
      return { type: '$node-scavenge-started', at: now, nodeId, scavengeId: reply.scavengeId };
    case 'poll':
      return eventOfPoll(nodeId, reply, now);
    case 'stop':
      // Nothing of that id runs there: as good as stopped.
      if (reply.kind !== 'stopped' && reply.kind !== 'notFound') return undefined;
      return { type: '$paused', at: now };
    case 'resign':
      return undefined;
  }
}

/** Ticks until the next cycle; undefined without a schedule. 0 while a cycle is open. */
export function timeUntilNextCycle(state: CoordinatorState, now: WallTime): bigint | undefined {
  if (state.isCycleOpen) return 0n;
  const next = nextOccurrence(state, now);
  if (next === undefined) return undefined;
  const left = next - now.ticks;
  return left > 0n ? left : 0n;
}

/** Ticks on the clock's face at which the next cycle is due; in the past when it could not begin. */
export function nextOccurrence(state: CoordinatorState, now: WallTime): bigint | undefined {
  if (state.schedule === undefined || state.anchor === undefined) return undefined;
  const isPaused = state.status === 'PausedWhileIdle';
  const from = isPaused ? now.ticks : state.anchor;
  const skipped = state.skipped?.ticks ?? from;
  return nextTicks(state.schedule, skipped > from ? skipped : from);
}

/** Which member is next of those that are left; undefined when none is. */
export function chooseMember(state: CoordinatorState, situation: Situation): MemberId | undefined {
  const gossip = situation.gossip ?? [];
  const left = state.members.list().filter((member) => !state.isScavenged(member));
  const living = gossip.filter((member) => member.isAlive);
  const alive = left.filter((member) => findMember(living, member) !== undefined);
  if (situation.order === 'registered') return alive[0] ?? left[0];
  const leader = leaderOf(situation);
  const isLeader = (member: MemberId): boolean => leader !== undefined && isSameMember(member, leader);
  const others = alive.filter((member) => !isLeader(member));
  if (others.length > 0) return furthestBehind(others, living);
  const lost = left.filter((member) => !isLeader(member));
  return furthestBehind(lost, gossip) ?? left[0];
}

function assessWaiting(state: CoordinatorState, situation: Situation, now: WallTime): Step {
  const { gossip } = situation;
  if (!gossip || timeUntilNextCycle(state, now) !== 0n) return IDLE;
  if (!isHealthy(gossip, situation.clusterSize)) return IDLE;
  // Every entry of gossip, an address that stands there twice also twice: it is one member all the same.
  const members = gossip.map((member) => member.id);
  const clusterScavengeId = situation.newId();
  return happened({ type: '$cluster-scavenge-started', at: now, clusterScavengeId, members });
}

function assessContinuing(state: CoordinatorState, situation: Situation, now: WallTime): Step {
  const { gossip } = situation;
  if (!gossip || !isHealthy(gossip, situation.clusterSize)) return IDLE;
  const next = chooseMember(state, situation);
  if (next !== undefined) return happened({ type: '$node-designated', at: now, nodeId: next });
  const { clusterScavengeId } = state;
  if (clusterScavengeId === undefined) return IDLE;
  const members = state.members.list();
  return happened({ type: '$cluster-scavenge-completed', at: now, clusterScavengeId, members });
}

function assessStarting(state: CoordinatorState, situation: Situation): Step {
  const member = state.designated;
  if (member === undefined) return IDLE;
  const leader = leaderOf(situation);
  const mustResign = situation.clusterSize > 1 && leader !== undefined && isSameMember(leader, member);
  if (mustResign) return { kind: 'request', request: { kind: 'resign', member } };
  return { kind: 'request', request: { kind: 'start', member, ...state.cycleOptions } };
}

/** Gossip may show two leaders for a while, or none; who decides here knows of itself. */
function leaderOf({ self, gossip }: Situation): MemberId | undefined {
  return self ?? findLeader(gossip ?? [])?.id;
}

function assessMonitoring(state: CoordinatorState): Step {
  const { designated: member, nodeScavengeId: scavengeId } = state;
  if (member === undefined || scavengeId === undefined) return IDLE;
  return { kind: 'request', request: { kind: 'poll', member, scavengeId } };
}

function assessPausing(state: CoordinatorState, now: WallTime): Step {
  const { designated: member, nodeScavengeId: scavengeId } = state;
  // The member left the cluster: there is nothing to stop.
  if (member === undefined) return happened({ type: '$paused', at: now });
  return { kind: 'request', request: { kind: 'stop', member, scavengeId } };
}

function eventOfPoll(nodeId: MemberId, reply: NodeReply, now: WallTime): CoordinatorEvent | undefined {
  switch (reply.kind) {
    case 'success':
    case 'stopped':
    case 'errored':
      return { type: '$node-scavenge-completed', at: now, nodeId, result: SERVER_RESULTS[reply.kind] };
    case 'notRunning':
      return { type: '$node-designated', at: now, nodeId };
    default:
      return undefined;
  }
}

/** Lowest writer checkpoint in any entry; of several that are equal the last. Whom gossip does not know comes last. */
function furthestBehind(
  candidates: readonly MemberId[],
  gossip: readonly GossipMember[]
): MemberId | undefined {
  let best: MemberId | undefined;
  let lowest = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const entries = gossip.filter((entry) => isSameMember(entry.id, candidate));
    const position = Math.min(...entries.map((entry) => entry.writerCheckpoint));
    if (position > lowest) continue;
    lowest = position;
    best = candidate;
  }
  return best;
}

function distinct(members: readonly MemberId[]): MemberId[] {
  const seen = new Map<string, MemberId>();
  for (const member of members) if (!seen.has(memberKey(member))) seen.set(memberKey(member), member);
  return [...seen.values()];
}

function happened(event: CoordinatorEvent): Step {
  return { kind: 'event', event };
}
