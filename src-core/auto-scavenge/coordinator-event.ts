/**
 * What the coordinator remembers: one event for each change, stored before it takes effect, in the words and the
 * JSON of the server. Times are those of the clock on the wall, with its offset.
 */
import type { MemberId } from './cluster-view.ts';
import { decodeQuietHours, type QuietHours } from './quiet-hours.ts';
import {
  PLACEMENTS_WITHOUT_WRITE,
  scavengeResultOf,
  SERVER_RESULTS,
  type PlacementWithoutWrite,
  type ServerResult
} from '../units/scavenge-terms.ts';
import { formatWallTime, parseWallTime, type WallTime } from './wall-time.ts';

/** What a person wants of the node scavenges of one cycle; absent: as each member does by itself. */
export interface CycleOptions {
  /** Weight from which a chunk is rewritten. */
  threshold?: number;
  /** Of members that are directories. */
  scavengePoint?: PlacementWithoutWrite;
}

/** Members that a server does not know stand only where they are needed; it would pass them over. */
export type CoordinatorEvent =
  | {
      type: '$configuration-updated';
      at: WallTime;
      schedule: string;
      /** The text as it was entered, where that is another one. */
      configuredSchedule?: string;
      timeZone?: string;
    }
  | { type: '$quiet-hours-updated'; at: WallTime; quietHours: QuietHours | null }
  /** The occurrence of the schedule that does not become a cycle, on the clock's face. */
  | { type: '$cycle-skipped'; at: WallTime; occurrence: WallTime }
  | ({
      type: '$cluster-scavenge-started';
      at: WallTime;
      clusterScavengeId: string;
      members: MemberId[];
    } & CycleOptions)
  | { type: '$cluster-members-changed'; at: WallTime; added: MemberId[]; removed: MemberId[] }
  | { type: '$node-designated'; at: WallTime; nodeId: MemberId }
  | { type: '$node-scavenge-started'; at: WallTime; nodeId: MemberId; scavengeId: string }
  | { type: '$node-scavenge-completed'; at: WallTime; nodeId: MemberId; result: ServerResult }
  | { type: '$cluster-scavenge-completed'; at: WallTime; clusterScavengeId: string; members: MemberId[] }
  | { type: '$pause-requested'; at: WallTime; by?: 'quietHours' }
  | { type: '$paused'; at: WallTime; by?: 'quietHours' }
  | { type: '$resumed'; at: WallTime; by?: 'quietHours' };

export type CoordinatorEventType = CoordinatorEvent['type'];

/** An event as it lies in a store. */
export interface StoredEvent {
  type: string;
  data: Record<string, unknown>;
}

/** The member that holds the time; a change of members has none. */
const TIME_MEMBERS: Record<CoordinatorEventType, string | undefined> = {
  '$configuration-updated': 'updatedAt',
  '$quiet-hours-updated': 'updatedAt',
  '$cycle-skipped': 'requestedAt',
  '$cluster-scavenge-started': 'startedAt',
  '$cluster-members-changed': undefined,
  '$node-designated': 'designatedAt',
  '$node-scavenge-started': 'startedAt',
  '$node-scavenge-completed': 'completedAt',
  '$cluster-scavenge-completed': 'completedAt',
  '$pause-requested': 'requestedAt',
  $paused: 'pausedAt',
  $resumed: 'resumedAt'
};

export function encodeCoordinatorEvent(event: CoordinatorEvent): StoredEvent {
  const { type, at, ...members } = event;
  const timeMember = TIME_MEMBERS[type];
  // The order of the members is the server's: what happened, then when, a result last.
  const data: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) {
    if (name === 'occurrence') data[name] = formatWallTime(value as WallTime);
    else if (name !== 'result') data[name] = value;
  }
  if (timeMember !== undefined) data[timeMember] = formatWallTime(at);
  if ('result' in members) data['result'] = members.result;
  return { type, data };
}

/**
 * undefined when the type is unknown, or the data is not what the type has: who replays a history passes such
 * an event over and says so.
 */
export function decodeCoordinatorEvent({ type, data }: StoredEvent): CoordinatorEvent | undefined {
  if (!isEventType(type)) return undefined;
  const timeMember = TIME_MEMBERS[type];
  const time = timeMember === undefined ? NO_TIME : parseWallTime(textOf(data[timeMember]) ?? '');
  if (time === undefined) return undefined;
  return decodeMembers(type, time, data);
}

const NO_TIME: WallTime = { ticks: 0n, offsetMinutes: null };

function isEventType(type: string): type is CoordinatorEventType {
  return Object.hasOwn(TIME_MEMBERS, type);
}

function decodeMembers(
  type: CoordinatorEventType,
  at: WallTime,
  data: Record<string, unknown>
): CoordinatorEvent | undefined {
  switch (type) {
    case '$configuration-updated': {
      const schedule = textOf(data['schedule']);
      const configuredSchedule = textOf(data['configuredSchedule']);
      const timeZone = textOf(data['timeZone']);
      if (schedule === undefined) return undefined;
      return {
        type,
        at,
        schedule,
        ...(configuredSchedule !== undefined && { configuredSchedule }),
        ...(timeZone !== undefined && { timeZone })
      };
    }
    case '$quiet-hours-updated': {
      if (data['quietHours'] === null) return { type, at, quietHours: null };
      const quietHours = decodeQuietHours(data['quietHours']);
      return quietHours === undefined ? undefined : { type, at, quietHours };
    }
    case '$cycle-skipped': {
      const occurrence = parseWallTime(textOf(data['occurrence']) ?? '');
      return occurrence === undefined ? undefined : { type, at, occurrence };
    }
    case '$cluster-scavenge-started': {
      const clusterScavengeId = textOf(data['clusterScavengeId']);
      const members = membersOf(data['members']);
      if (clusterScavengeId === undefined || members === undefined) return undefined;
      return { type, at, clusterScavengeId, members, ...decodeCycleOptions(data) };
    }
    case '$cluster-scavenge-completed': {
      const clusterScavengeId = textOf(data['clusterScavengeId']);
      const members = membersOf(data['members']);
      if (clusterScavengeId === undefined || members === undefined) return undefined;
      return { type, at, clusterScavengeId, members };
    }
    case '$cluster-members-changed': {
      const added = membersOf(data['added']);
      const removed = membersOf(data['removed']);
      return added === undefined || removed === undefined ? undefined : { type, at, added, removed };
    }
    case '$node-designated': {
      const nodeId = memberOf(data['nodeId']);
      return nodeId === undefined ? undefined : { type, at, nodeId };
    }
    case '$node-scavenge-started': {
      const nodeId = memberOf(data['nodeId']);
      const scavengeId = textOf(data['scavengeId']);
      if (nodeId === undefined || scavengeId === undefined) return undefined;
      return { type, at, nodeId, scavengeId };
    }
    case '$node-scavenge-completed': {
      const nodeId = memberOf(data['nodeId']);
      const result = resultOf(data['result']);
      return nodeId === undefined || result === undefined ? undefined : { type, at, nodeId, result };
    }
    case '$pause-requested':
    case '$paused':
    case '$resumed':
      return { type, at, ...(data['by'] === 'quietHours' && { by: 'quietHours' }) };
  }
}

/** Members with any other value are ignored. */
export function decodeCycleOptions(data: Readonly<Record<string, unknown>>): CycleOptions {
  const { threshold } = data;
  const scavengePoint = PLACEMENTS_WITHOUT_WRITE.find((placement) => placement === data['scavengePoint']);
  return {
    ...(typeof threshold === 'number' && Number.isSafeInteger(threshold) && threshold >= -1 && { threshold }),
    ...(scavengePoint && { scavengePoint })
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function resultOf(value: unknown): ServerResult | undefined {
  const result = scavengeResultOf(value);
  return result && SERVER_RESULTS[result];
}

function memberOf(value: unknown): MemberId | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { address, port } = value as Record<string, unknown>;
  return typeof address === 'string' && typeof port === 'number' ? { address, port } : undefined;
}

function membersOf(value: unknown): MemberId[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const members = value.map(memberOf);
  return members.every((member) => member !== undefined) ? members : undefined;
}
