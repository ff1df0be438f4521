/**
 * Everything the window shows of a cluster's auto-scavenge, collected from the coordinator, the members as they
 * are now, and the stored events. Only reads.
 */
import {
  decodeQuietHours,
  findMember,
  formatWallTime,
  instantOfWallTime,
  memberKey,
  nextTimes,
  NodeFileSystem,
  parseCron,
  parseWallTime,
  quietWindowAt,
  readCheckpoints,
  SCAVENGE_RESULTS,
  TimeZone,
  wallTimeAt,
  windowBetween,
  type CycleStep,
  type ScheduleState,
  type GossipMember,
  type MemberId,
  type QuietHours,
  requireFault
} from '../../src-core/index.ts';
import { localMemberId } from '../cluster/cluster-parts.ts';
import type { MemberDetails } from '../cluster/member-details.ts';
import { endedCycles, isUnderWay, lastCycle, type Cycle } from '../cluster/cycle-steps.ts';
import type {
  AutoScavengeSnapshot,
  ClusterEntry,
  ClusterHealth,
  Coordinator,
  MemberSnapshot,
  ToldByMember
} from '../contract/verbs/cluster-contract.ts';
import { idOfPlace } from './cluster-list.ts';
import type { ClusterSchedule, CoordinationState } from './cluster-schedule.ts';
import type { MemberScavenges } from './member-scavenges.ts';
import { scheduleChecklist, type ScheduleHost } from './schedule-checklist.ts';

export interface SnapshotParts {
  entry: ClusterEntry;
  schedule: ClusterSchedule;
  scavenges: MemberScavenges;
  nowMs: number;
  host: ScheduleHost;
}

const NEXT_TIMES = 5;
const LAST_CYCLES = 3;
/** Number of occurrences that are searched for those outside quiet hours. */
const MOST_OCCURRENCES = 500;
const DONE: readonly (CycleStep | null)[] = SCAVENGE_RESULTS;

export async function takeSnapshot(parts: SnapshotParts): Promise<AutoScavengeSnapshot> {
  const { entry, schedule, nowMs } = parts;
  const coordination = await schedule.updateCoordination();
  const [{ body, error }, gossip] = await Promise.all([
    readStatus(schedule, coordination),
    schedule.gossip()
  ]);
  const timeZone = textOf(body['timeZone']) ?? schedule.timeZone();
  const expression = textOf(body['schedule']) ?? null;
  const quietHours = decodeQuietHours(body['quietHours']) ?? null;
  const zone = new TimeZone(timeZone);
  const isQuietNow = quietHours !== null && quietWindowAt(quietHours, zone, nowMs) !== undefined;
  const state = (textOf(body['state']) as ScheduleState | undefined) ?? null;
  const pausedBy = pausedByOf(body, state);
  const events = coordination.coordinatedBy === 'cluster' ? [] : schedule.events();
  const cycle = lastCycle(events);
  const skipped = textOf(body['skipped']) ?? null;
  const members = membersOf(parts, { gossip, details: await schedule.details(gossip) }, cycle);
  const health = healthOf(entry, gossip, members);
  return {
    cluster: entry.name,
    takenAtMs: nowMs,
    coordinatedBy: coordination.coordinatedBy,
    coordinator: coordinatorOf(coordination, parts.host),
    state,
    schedule: expression,
    timeZone,
    timeUntilNextCycle: textOf(body['timeUntilNextCycle']) ?? null,
    nextTimes:
      expression === null ? [] : timesAfter(skippedMs(skipped) ?? nowMs, expression, zone, quietHours),
    skipped,
    lastCycles: endedCycles(events, LAST_CYCLES),
    quietHours,
    maintenanceWindow: (quietHours && windowBetween(quietHours)) ?? null,
    isQuietNow,
    pausedBy,
    clusterScavengeId: cycle?.openId ?? null,
    health,
    members,
    checklist: scheduleChecklist({
      enablement: coordination.enablement,
      licence: coordination.licence,
      schedule: expression,
      pausedBy,
      quietHours,
      isQuietNow,
      remote:
        entry.kind === 'local'
          ? undefined
          : {
              accessFault: coordination.accessFault ?? coordination.refusal,
              hasOwnSchedule: coordination.hasOwnSchedule ?? undefined
            },
      health,
      absent: members.filter(({ isAlive, role }) => !isAlive || role === 'InUse').map(({ name }) => name),
      holder: coordination.holder,
      host: parts.host
    }),
    error
  };
}

async function readStatus(
  schedule: ClusterSchedule,
  coordination: CoordinationState
): Promise<{ body: Record<string, unknown>; error: string | null }> {
  try {
    return { body: await schedule.status(coordination), error: null };
  } catch (error) {
    requireFault(error);
    return { body: {}, error: error.message };
  }
}

/** Finished members first in the order they finished, then the current one, then the rest, the leader last. */
function membersOf(
  { entry, scavenges }: SnapshotParts,
  seen: SeenMembers,
  cycle: Cycle | undefined
): MemberSnapshot[] {
  const members =
    entry.kind === 'local'
      ? entry.members.map((member) => localMember(member, cycle, scavenges))
      : remoteMembers(entry, seen, cycle);
  const doneOrder = [...(cycle?.steps.keys() ?? [])];
  const rankOf = ({ step, isAlive, isLeader }: MemberSnapshot): number =>
    DONE.includes(step) ? 0 : isUnderWay(step) ? 1 : isLeader ? 4 : isAlive ? 2 : 3;
  return members
    .sort((a, b) => {
      const rank = rankOf(a.member);
      if (rank !== rankOf(b.member)) return rank - rankOf(b.member);
      if (rank === 0) return doneOrder.indexOf(a.key) - doneOrder.indexOf(b.key);
      if (entry.kind === 'local') return 0;
      // The member that lags furthest comes first.
      return (a.member.writerCheckpoint ?? 0) - (b.member.writerCheckpoint ?? 0);
    })
    .map(({ member }) => member);
}

interface SeenMembers {
  gossip: readonly GossipMember[] | undefined;
  details: ReadonlyMap<string, MemberDetails>;
}

interface KeyedMember {
  key: string;
  member: MemberSnapshot;
}

function localMember(
  { id, name, place }: ClusterEntry['members'][number],
  cycle: Cycle | undefined,
  scavenges: MemberScavenges
): KeyedMember {
  const key = memberKey(localMemberId(place));
  const runs = scavenges.find(place);
  const seen = lookAt(place);
  const isOurs = runs?.current !== undefined;
  return {
    key,
    member: {
      id,
      name,
      role: seen.isInUse && !isOurs ? 'InUse' : 'Stopped',
      isLeader: false,
      isAlive: seen.writerCheckpoint !== null,
      writerCheckpoint: seen.writerCheckpoint,
      step: cycle?.steps.get(key)?.step ?? null,
      told: null,
      progress: runs?.progress ?? null
    }
  };
}

/** Reads small files only: an inspection would read the end of the log every few seconds. */
function lookAt(dataDirectory: string): { writerCheckpoint: number | null; isInUse: boolean } {
  const files = new NodeFileSystem();
  try {
    const writerCheckpoint = readCheckpoints(files, dataDirectory).writer;
    const isInUse = files.lockHolder(files.join(dataDirectory, 'writer.chk')) !== undefined;
    return { writerCheckpoint, isInUse };
  } catch (error) {
    requireFault(error);
    return { writerCheckpoint: null, isInUse: false };
  }
}

function remoteMembers(
  entry: ClusterEntry,
  { gossip = [], details }: SeenMembers,
  cycle: Cycle | undefined
): KeyedMember[] {
  const ids = new Map<string, MemberId>();
  for (const { id, hasInstance } of gossip) if (hasInstance) ids.set(memberKey(id), id);
  if (ids.size === 0) {
    return entry.members.map(({ id, name }) => ({ key: id, member: unseen(id, name) }));
  }
  return [...ids].map(([key, id]) => {
    const seen = findMember(gossip, id);
    const known = entry.members.find(({ place }) => new URL(place).host.toLowerCase() === key);
    return {
      key,
      member: {
        id: known?.id ?? idOfPlace(key),
        name: key,
        role: seen?.state ?? null,
        isLeader: seen?.state === 'Leader' && seen.isAlive,
        isAlive: seen?.isAlive ?? false,
        writerCheckpoint: seen && seen.writerCheckpoint >= 0 ? seen.writerCheckpoint : null,
        step: cycle?.steps.get(key)?.step ?? null,
        told: toldBy(seen, details.get(key)),
        progress: null
      }
    };
  });
}

/** Gossip keeps what a dead member said last. */
function toldBy(seen: GossipMember | undefined, details: MemberDetails | undefined): ToldByMember | null {
  if (!seen) return null;
  const { epochNumber, epochId = null, version = null } = seen;
  const { freeBytes = null, totalBytes = null, lastScavenged = null } = details ?? {};
  const epoch = epochNumber === undefined || epochNumber < 0 ? null : epochNumber;
  return { epoch, epochId, version, freeBytes, totalBytes, lastScavenged };
}

function unseen(id: string, name: string): MemberSnapshot {
  return {
    id,
    name,
    role: null,
    isLeader: false,
    isAlive: false,
    writerCheckpoint: null,
    step: null,
    told: null,
    progress: null
  };
}

function healthOf(
  { kind, clusterSize }: ClusterEntry,
  gossip: readonly GossipMember[] | undefined,
  members: readonly MemberSnapshot[]
): ClusterHealth {
  if (!members.some(({ isAlive }) => isAlive) || gossip === undefined) return 'unreachable';
  const full = kind === 'local' ? members.length : gossip.filter(isFullMember).length;
  return full === clusterSize && members.every(({ isAlive }) => isAlive) ? 'healthy' : 'incomplete';
}

function isFullMember({ hasInstance, isReadOnlyReplica }: GossipMember): boolean {
  return hasInstance && !isReadOnlyReplica;
}

/** Skips occurrences inside quiet hours. */
function timesAfter(
  fromMs: number,
  expression: string,
  zone: TimeZone,
  quietHours: QuietHours | null
): string[] {
  const times = nextTimes(parseCron(expression), {
    fromMs,
    timeZone: zone.name,
    count: quietHours === null ? NEXT_TIMES : MOST_OCCURRENCES
  });
  return times
    .filter((ms) => quietHours === null || quietWindowAt(quietHours, zone, ms) === undefined)
    .slice(0, NEXT_TIMES)
    .map((ms) => formatWallTime(wallTimeAt(zone, ms)));
}

/** What was skipped, and all before it, is past. */
function skippedMs(skipped: string | null): number | undefined {
  const time = skipped === null ? undefined : parseWallTime(skipped);
  return time && instantOfWallTime(time);
}

/** A coordinator without quiet hours does not report who paused: then it was a person. */
function pausedByOf(
  body: Record<string, unknown>,
  state: ScheduleState | null
): AutoScavengeSnapshot['pausedBy'] {
  if (state !== 'Paused' && state !== 'Pausing') return null;
  return body['pausedBy'] === 'quietHours' ? 'quietHours' : 'person';
}

const OF_HOST = { window: 'thisWindow', service: 'thisService' } as const satisfies Record<
  ScheduleHost,
  string
>;

function coordinatorOf(
  { coordinatedBy, holder }: Pick<CoordinationState, 'coordinatedBy' | 'holder'>,
  host: ScheduleHost
): Coordinator {
  switch (coordinatedBy) {
    case 'window':
      return { kind: OF_HOST[host] };
    case 'process':
      if (host === 'service' && holder?.pid === process.pid) return { kind: OF_HOST[host] };
      return { kind: 'process', pid: holder?.pid ?? 0, url: holder?.url ?? null };
    default:
      return { kind: coordinatedBy };
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
