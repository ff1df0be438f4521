/** What a store gives back of the coordinator's events: all that was written, and nothing that is not what its type has. */
import { expect, it } from 'vitest';
import {
  decodeCoordinatorEvent,
  encodeCoordinatorEvent,
  type CoordinatorEvent
} from '../../../src-core/auto-scavenge/coordinator-event.ts';
import { CoordinatorState } from '../../../src-core/auto-scavenge/coordinator-state.ts';
import { parseWallTime } from '../../../src-core/auto-scavenge/wall-time.ts';

const AT = '2026-08-01T10:17:25.5-03:30';
const at = parseWallTime(AT)!;
const one = { address: '192.0.2.1', port: 2113 };
const two = { address: '192.0.2.2', port: 2113 };
const quietHours = { from: '22:00', to: '06:00', days: [1, 2] };

const EVENTS: CoordinatorEvent[] = [
  {
    ...{ type: '$configuration-updated', at, schedule: '0 3 * * *' },
    ...{ configuredSchedule: '0 3 * * *  ', timeZone: 'Europe/Zurich' }
  },
  { type: '$configuration-updated', at, schedule: '0 3 * * *' },
  { type: '$quiet-hours-updated', at, quietHours },
  { type: '$quiet-hours-updated', at, quietHours: null },
  { type: '$cycle-skipped', at, occurrence: at },
  { type: '$cluster-scavenge-started', at, clusterScavengeId: 'c', members: [one, two], threshold: -1 },
  {
    ...{ type: '$cluster-scavenge-started', at, clusterScavengeId: 'c', members: [] },
    ...{ scavengePoint: 'detached' }
  },
  { type: '$cluster-members-changed', at: { ticks: 0n, offsetMinutes: null }, added: [one], removed: [two] },
  { type: '$node-designated', at, nodeId: one },
  { type: '$node-scavenge-started', at, nodeId: one, scavengeId: 's' },
  { type: '$node-scavenge-completed', at, nodeId: one, result: 'Errored' },
  { type: '$cluster-scavenge-completed', at, clusterScavengeId: 'c', members: [one] },
  { type: '$pause-requested', at },
  { type: '$paused', at, by: 'quietHours' },
  { type: '$resumed', at }
];

it.each(EVENTS.map((event) => [event.type, event] as const))(
  '%s comes back as it was written',
  (_, event) => {
    const stored = JSON.parse(JSON.stringify(encodeCoordinatorEvent(event))) as {
      type: string;
      data: Record<string, unknown>;
    };
    expect(decodeCoordinatorEvent(stored)).toEqual(event);
  }
);

/** Each with a member that is missing, or is what another one would be. */
const FOREIGN: [type: string, data: Record<string, unknown>][] = [
  ['$something-else', { startedAt: AT }],
  ['toString', { startedAt: AT }],
  ['$configuration-updated', { schedule: '0 3 * * *' }],
  ['$configuration-updated', { updatedAt: 'yesterday', schedule: '0 3 * * *' }],
  ['$configuration-updated', { updatedAt: AT, schedule: 3 }],
  ['$quiet-hours-updated', { updatedAt: AT }],
  ['$quiet-hours-updated', { updatedAt: AT, quietHours: { ...quietHours, from: '24:30' } }],
  ['$quiet-hours-updated', { updatedAt: AT, quietHours: { ...quietHours, days: [7] } }],
  ['$cycle-skipped', { requestedAt: AT }],
  ['$cycle-skipped', { requestedAt: AT, occurrence: '2026-02-30T00:00:00' }],
  ['$cluster-scavenge-started', { startedAt: AT, members: [one] }],
  ['$cluster-scavenge-started', { startedAt: AT, clusterScavengeId: 'c' }],
  ['$cluster-scavenge-started', { startedAt: AT, clusterScavengeId: 'c', members: [one, null] }],
  ['$cluster-scavenge-started', { startedAt: AT, clusterScavengeId: 'c', members: [{ address: 'a' }] }],
  ['$cluster-scavenge-completed', { completedAt: AT, members: [one] }],
  ['$cluster-scavenge-completed', { completedAt: AT, clusterScavengeId: 'c', members: one }],
  ['$cluster-members-changed', { added: [one] }],
  ['$cluster-members-changed', { removed: [one] }],
  ['$node-designated', { designatedAt: AT }],
  ['$node-designated', { designatedAt: AT, nodeId: { address: 1, port: 2113 } }],
  ['$node-scavenge-started', { startedAt: AT, nodeId: one }],
  ['$node-scavenge-started', { startedAt: AT, scavengeId: 's' }],
  ['$node-scavenge-completed', { completedAt: AT, nodeId: one, result: 'Well' }],
  ['$node-scavenge-completed', { completedAt: AT, result: 'Success' }]
];

it.each(FOREIGN)('%s of %j is passed over', (type, data) => {
  expect(decodeCoordinatorEvent({ type, data })).toBeUndefined();
});

it('options that no cycle has are left out, the cycle is there', () => {
  const data = { startedAt: AT, clusterScavengeId: 'c', members: [one] };
  for (const foreign of [{ threshold: 1.5 }, { threshold: -2 }, { threshold: '5' }, { scavengePoint: 'new' }])
    expect(
      decodeCoordinatorEvent({ type: '$cluster-scavenge-started', data: { ...data, ...foreign } })
    ).toEqual({ type: '$cluster-scavenge-started', at, clusterScavengeId: 'c', members: [one] });
});

it('events that do not fit those before them change nothing', () => {
  const state = new CoordinatorState();
  const apply = (event: CoordinatorEvent): boolean => state.apply(event);
  expect(apply({ type: '$cycle-skipped', at, occurrence: at })).toBe(false);
  expect(apply({ type: '$configuration-updated', at, schedule: 'each day' })).toBe(false);
  expect(apply({ type: '$node-designated', at, nodeId: one })).toBe(false);
  expect(apply({ type: '$pause-requested', at })).toBe(false);
  expect(apply({ type: '$cluster-members-changed', at, added: [two], removed: [] })).toBe(false);
  expect(state.status).toBe('NotConfigured');
  const started = { type: '$cluster-scavenge-started', at, clusterScavengeId: 'c', members: [one] } as const;
  expect(apply({ ...started, members: [one] })).toBe(true);
  expect(apply({ type: '$node-designated', at, nodeId: one })).toBe(true);
  expect(apply({ type: '$node-scavenge-started', at, nodeId: two, scavengeId: 's' })).toBe(false);
  expect(apply({ type: '$node-scavenge-completed', at, nodeId: two, result: 'Success' })).toBe(false);
  expect(apply({ type: '$cluster-scavenge-completed', at, clusterScavengeId: 'd', members: [one] })).toBe(
    false
  );
  // A member that nobody knows leaves nothing behind.
  expect(apply({ type: '$cluster-members-changed', at, added: [one], removed: [two] })).toBe(true);
  expect(state.members.list()).toEqual([one]);
  expect(state.status).toBe('StartingNodeScavenge');
});
