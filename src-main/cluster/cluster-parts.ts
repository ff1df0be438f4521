/**
 * What the coordinator of a registered cluster works with: its members' gossip and access to each of them. Local
 * members are directories of stopped nodes, scavenged by the engine of this process; remote ones are running nodes.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import {
  TimeZone,
  isSameMember,
  wallTimeAt,
  type CoordinatorOptions,
  type GossipMember,
  type QuietHours,
  type MemberId
} from '../../src-core/index.ts';
import { recordedSchedule, type ScheduleRecord } from './recorded-schedule.ts';
import type { CoordinatorParts } from './auto-scavenge.ts';
import { NodeScavenges, type RunScavenge } from './node-scavenges.ts';
import type { RequestOf } from '../contract/operations/operation-contract.ts';
import { CoordinatorFile } from './coordinator-store.ts';
import type { LocalCluster, RemoteCluster } from '../settings/cluster-registry.ts';
import { askLocalMember, type ScavengePointPlacement } from './local-scavenger.ts';
import type { RemoteClusterAccess } from './remote-cluster.ts';

const EVENTS_FILE = 'auto-scavenge.jsonl';

export interface PartsOfCluster {
  /** Of the cluster in WINNOW_HOME. */
  directory: string;
  /** IANA name: used if none was chosen for the schedule. */
  timeZone: string;
  /** Used if none are set for the cluster. */
  quietHours?: QuietHours | undefined;
  /** Minimum weight of a chunk to rewrite; undefined: each member's own setting. */
  threshold?: number | undefined;
  clock: () => number;
  log: (level: 'info' | 'warning' | 'error', message: string) => void;
  /** Where cycles, pauses and resignations are recorded; undefined: nowhere. */
  record?: Pick<ScheduleRecord, 'log' | 'door'> | undefined;
}

/** A directory as a member: identified by its path, never the leader. */
export function localMemberId(dataDirectory: string): MemberId {
  return { address: path.resolve(dataDirectory), port: 0 };
}

export interface LocalMembers extends PartsOfCluster {
  cluster: LocalCluster;
  run: RunScavenge;
  /** The part of each member's request besides its directories. */
  baseRequest: Omit<RequestOf<'runScavenge'>, 'dataDirectory'>;
  /** Existing scavenges of members, by the member's id. */
  hosted?: (member: MemberId) => NodeScavenges | undefined;
  /** The placement of a member's scavenges, asked at each start; undefined: that of `baseRequest`, or of what exists. */
  placementOf?: (member: MemberId) => ScavengePointPlacement | undefined;
}

/** One engine scavenges them one after another, in the order they were registered. */
export function localClusterParts(parts: LocalMembers): CoordinatorParts {
  const { cluster, run, baseRequest, hosted, placementOf, threshold, log } = parts;
  const members = cluster.members.map((member) => {
    const id = localMemberId(member.dataDirectory);
    const scavenges =
      hosted?.(id) ??
      new NodeScavenges({ baseRequest: { ...baseRequest, indexDirectory: undefined, ...member }, run, log });
    return { id, scavenges, placement: () => placementOf?.(id), log };
  });
  const gossip = members.map(({ id }): GossipMember => ({
    id,
    state: 'Stopped',
    isAlive: true,
    isReadOnlyReplica: false,
    writerCheckpoint: 0,
    hasInstance: true
  }));
  return recorded(parts, cluster.name, {
    ...commonParts(parts, { clusterSize: members.length, order: 'registered' }),
    gossip: () => Promise.resolve(gossip),
    scavenger: async (request) => {
      const member = members.find(({ id }) => isSameMember(id, request.member));
      if (member) return askLocalMember(member, request, threshold);
      log('warning', `${request.member.address} is no longer a member of the cluster "${cluster.name}".`);
      return { kind: request.kind === 'poll' ? 'unknown' : request.kind === 'stop' ? 'notFound' : 'failed' };
    }
  });
}

export interface RemoteMembers extends PartsOfCluster {
  cluster: RemoteCluster;
  access: RemoteClusterAccess;
}

/** The member that lags most first, the leader last, after it has resigned. */
export function remoteClusterParts(parts: RemoteMembers): CoordinatorParts {
  const { access, cluster, threshold } = parts;
  return recorded(parts, cluster.name, {
    ...commonParts(parts, { clusterSize: cluster.clusterSize, order: 'lagging' }),
    gossip: () => access.gossip(),
    gossipFault: () => access.gossipFault,
    scavenger: (request) =>
      access.ask(request, threshold ?? (request.kind === 'start' ? request.threshold : undefined))
  });
}

function recorded(
  { record, clock }: PartsOfCluster,
  cluster: string,
  parts: CoordinatorParts
): CoordinatorParts {
  return record ? recordedSchedule(parts, { ...record, cluster, clock }) : parts;
}

function commonParts(
  { directory, timeZone, quietHours, clock, log }: PartsOfCluster,
  options: Pick<CoordinatorOptions, 'clusterSize' | 'order'>
): Omit<CoordinatorParts, 'gossip' | 'scavenger'> {
  const zones = new Map([[timeZone, new TimeZone(timeZone)]]);
  const zone = (chosen = timeZone): TimeZone => {
    const found = zones.get(chosen) ?? new TimeZone(chosen);
    zones.set(chosen, found);
    return found;
  };
  return {
    options: { ...options, self: undefined, afterStoreFailure: 'recover', quietHours },
    store: coordinatorFile(directory),
    now: (chosen) => wallTimeAt(zone(chosen), clock()),
    zone,
    newId: () => randomUUID(),
    log
  };
}

/** `directory`: of the cluster in WINNOW_HOME. */
export function coordinatorFile(directory: string): CoordinatorFile {
  return new CoordinatorFile(path.join(directory, EVENTS_FILE));
}

export function systemTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
