/** What each event makes of the state of a cluster's scavenging, and which ones do not fit and change nothing. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { CoordinatorEvent } from '../../../src-core/auto-scavenge/coordinator-event.ts';
import {
  CoordinatorState,
  type CoordinatorStatus
} from '../../../src-core/auto-scavenge/coordinator-state.ts';
import {
  instantOfWallTime,
  parseWallTime,
  type WallTime
} from '../../../src-core/auto-scavenge/wall-time.ts';

const A = { address: '192.0.2.1', port: 2113 };
const B = { address: '192.0.2.2', port: 2113 };
const by = 'quietHours';

const at = (clock: string): WallTime => parseWallTime(`2026-08-01T${clock}:00+02:00`)!;

const configured = (clock = '06:00'): CoordinatorEvent => ({
  type: '$configuration-updated',
  at: at(clock),
  schedule: '0 7 * * *'
});
const begun = (
  options: { threshold?: number; scavengePoint?: 'existing' | 'detached' } = {}
): CoordinatorEvent => ({
  type: '$cluster-scavenge-started',
  at: at('07:00'),
  clusterScavengeId: 'c1',
  members: [A, B],
  ...options
});
const designated = (nodeId = A): CoordinatorEvent => ({ type: '$node-designated', at: at('07:01'), nodeId });
const started = (nodeId = A): CoordinatorEvent => ({
  type: '$node-scavenge-started',
  at: at('07:02'),
  nodeId,
  scavengeId: 's1'
});
const ended = (nodeId = A): CoordinatorEvent => ({
  type: '$node-scavenge-completed',
  at: at('07:30'),
  nodeId,
  result: 'Success'
});
const over = (clusterScavengeId = 'c1'): CoordinatorEvent => ({
  type: '$cluster-scavenge-completed',
  at: at('08:00'),
  clusterScavengeId,
  members: [A, B]
});
const changed = (added: (typeof A)[], removed: (typeof A)[]): CoordinatorEvent => ({
  type: '$cluster-members-changed',
  at: at('07:10'),
  added,
  removed
});
const pausing: CoordinatorEvent = { type: '$pause-requested', at: at('07:20') };
const paused: CoordinatorEvent = { type: '$paused', at: at('07:21') };
const resumed: CoordinatorEvent = { type: '$resumed', at: at('09:00') };

let state: CoordinatorState;
beforeEach(() => (state = new CoordinatorState()));

function apply(...events: CoordinatorEvent[]): void {
  for (const event of events) expect(state.apply(event), event.type).toBe(true);
}

describe('a history that fits', () => {
  it.each<[string, [CoordinatorEvent, CoordinatorStatus][]]>([
    [
      'of a cycle',
      [
        [configured(), 'Waiting'],
        [begun(), 'ContinuingClusterScavenge'],
        [designated(), 'StartingNodeScavenge'],
        [started(), 'MonitoringNodeScavenge'],
        [ended(), 'ContinuingClusterScavenge'],
        [over(), 'Waiting']
      ]
    ],
    [
      'of a pause within a cycle',
      [
        [begun(), 'ContinuingClusterScavenge'],
        [designated(), 'StartingNodeScavenge'],
        [pausing, 'Pausing'],
        [paused, 'PausedWhileScavengingCluster'],
        [resumed, 'ContinuingClusterScavenge'],
        [over(), 'NotConfigured']
      ]
    ],
    [
      'of a pause between cycles',
      [
        [paused, 'PausedWhileIdle'],
        [resumed, 'NotConfigured'],
        [configured(), 'Waiting'],
        [paused, 'PausedWhileIdle'],
        [configured(), 'PausedWhileIdle'],
        [resumed, 'Waiting']
      ]
    ],
    [
      'of members that come and go',
      [
        [begun(), 'ContinuingClusterScavenge'],
        [designated(), 'StartingNodeScavenge'],
        [changed([], [B]), 'StartingNodeScavenge'],
        [changed([B], [A]), 'ContinuingClusterScavenge'],
        [designated(B), 'StartingNodeScavenge'],
        [pausing, 'Pausing'],
        [changed([], [B]), 'Pausing']
      ]
    ]
  ])('%s has a status after each event', (_which, steps) => {
    for (const [event, status] of steps) {
      apply(event);
      expect(state.status).toBe(status);
    }
  });
});

describe('an event that does not fit', () => {
  it.each<[string, CoordinatorEvent[], CoordinatorEvent]>([
    ['a schedule that is none', [], { ...configured(), type: '$configuration-updated', schedule: 'soon' }],
    [
      'a skipped cycle without a schedule',
      [],
      { type: '$cycle-skipped', at: at('06:00'), occurrence: at('07:00') }
    ],
    ['a member that comes outside a cycle', [], changed([A], [])],
    ['a member worked on outside a cycle', [], designated()],
    ['a request to pause outside a cycle', [configured()], pausing],
    ['a run of a member that is not worked on', [begun(), designated()], started(B)],
    ['a run of a member before it is worked on', [begun()], started()],
    ['the end of a run of another member', [begun(), designated(), started()], ended(B)],
    ['the end of a run that has ended', [begun(), designated(), started(), ended()], ended()],
    ['the end of another cycle', [begun()], over('c2')],
    ['a run of a member after the end of its cycle', [begun(), designated(), over()], started()],
    ['a run of a member of the cycle before', [begun(), designated(), begun()], started()],
    ['a run of a member that was paused', [begun(), designated(), pausing, paused], started()],
    ['a run of a member that has gone', [begun(), designated(), changed([], [A])], started()]
  ])('%s changes nothing', (_which, before, event) => {
    apply(...before);
    const { status, designated: member, nodeScavengeId, clusterScavengeId, anchor } = state;
    expect(state.apply(event)).toBe(false);
    expect(state).toMatchObject({ status, clusterScavengeId });
    expect([state.designated, state.nodeScavengeId, state.anchor]).toEqual([member, nodeScavengeId, anchor]);
  });
});

describe('a cycle', () => {
  it('has the options that were asked of it, and none of those of the one before', () => {
    for (const options of [{ threshold: 0 }, { scavengePoint: 'existing' as const }, {}]) {
      apply(begun(options));
      expect(state.cycleOptions).toStrictEqual(options);
    }
    apply(begun({ threshold: 7, scavengePoint: 'detached' }));
    expect(state.cycleOptions).toStrictEqual({ threshold: 7, scavengePoint: 'detached' });
  });

  it('has the members that were there at its beginning and came since, without those that left', () => {
    const C = { address: '192.0.2.3', port: 2113 };
    apply(begun());
    expect(state.members.list()).toEqual([A, B]);
    apply(changed([C], [A]));
    expect(state.members.list()).toEqual([B, C]);
    apply(changed([], [B]), changed([A], []));
    expect(state.members.list()).toEqual([A, C]);
    apply(over());
    expect(state.members.list()).toEqual([]);
  });

  it('knows the members that are done until it ends, another one begins, or they leave', () => {
    const done = () => [A, B].map((member) => state.isScavenged(member));
    apply(begun(), designated(), started(), ended());
    expect(done()).toEqual([true, false]);
    apply(changed([], [A]), changed([A], []));
    expect(done()).toEqual([false, false]);
    apply(designated(B), started(B), ended(B), begun());
    expect(done()).toEqual([false, false]);
    apply(designated(B), started(B), ended(B), over());
    expect(done()).toEqual([false, false]);
    expect(state.isCycleOpen).toBe(false);
  });

  it('starts a new run with each designation, also of the same member', () => {
    apply(begun(), designated(), started());
    expect(state.nodeScavengeId).toBe('s1');
    apply(designated());
    expect(state).toMatchObject({ designated: A, nodeScavengeId: undefined });
  });
});

describe('a schedule', () => {
  it('is known as it was entered', () => {
    apply(configured());
    expect(state).toMatchObject({ configuredSchedule: '0 7 * * *', timeZone: undefined });
    const entered = { configuredSchedule: '0 7 * * SUN', timeZone: 'Europe/Berlin' };
    apply({ type: '$configuration-updated', at: at('06:00'), schedule: '0 7 * * 0', ...entered });
    expect(state).toMatchObject(entered);
    apply(configured());
    expect(state).toMatchObject({ configuredSchedule: '0 7 * * *', timeZone: 'Europe/Berlin' });
  });

  it('has an occurrence that is skipped until there is another schedule, and none of the schedule before', () => {
    const skipped = (clock: string): CoordinatorEvent => ({
      type: '$cycle-skipped',
      at: at(clock),
      occurrence: at('07:00')
    });
    apply(configured('06:00'), skipped('05:59'));
    expect(state.skipped).toBeUndefined();
    apply(skipped('06:00'));
    expect(state.skipped).toEqual(at('07:00'));
    apply(configured('06:01'));
    expect(state.skipped).toBeUndefined();
  });
});

describe('the time from which the next cycle is looked for', () => {
  it('is that of the schedule, of the end of a cycle, of a resumption: what was missed is not caught up', () => {
    apply(begun(), over(), resumed);
    state.anchorAtLoading(at('05:00').ticks);
    expect(state.anchor).toBeUndefined();
    apply(configured('06:00'));
    expect(state.anchor).toBe(at('06:00').ticks);
    state.anchorAtLoading(at('06:30').ticks);
    expect(state.anchor).toBe(at('06:30').ticks);
    apply(begun());
    expect(state.anchor).toBe(at('06:30').ticks);
    apply(over());
    expect(state.anchor).toBe(at('08:00').ticks);
    apply(paused, resumed);
    expect(state.anchor).toBe(at('09:00').ticks);
  });

  it('is just before the end of quiet hours, so that a cycle at their end is due, unless it is later already', () => {
    const end = at('09:00');
    apply(configured(), paused, { type: '$resumed', at: end, by });
    expect(state.anchor).toBe(end.ticks - 1n);
    state.anchorAtLoading(at('09:30').ticks);
    apply(paused, { type: '$resumed', at: end, by });
    expect(state.anchor).toBe(at('09:30').ticks);
  });
});

describe('a pause', () => {
  it('is of the one who asked for it, since then, no matter who paused', () => {
    apply(begun(), designated(), pausing, { type: '$paused', at: at('07:25'), by });
    expect(state).toMatchObject({ pausedBy: 'person', pausedMs: instantOfWallTime(pausing.at) });
    apply(resumed);
    expect(state.pausedBy).toBeUndefined();
    apply({ type: '$paused', at: at('09:10'), by });
    expect(state).toMatchObject({ pausedBy: by, pausedMs: instantOfWallTime(at('09:10')) });
  });

  it('ends what a person meant by resuming, as the end of the cycle and new quiet hours do', () => {
    const endings: CoordinatorEvent[] = [
      paused,
      { type: '$pause-requested', at: at('09:01'), by },
      over(),
      { type: '$quiet-hours-updated', at: at('09:01'), quietHours: null },
      { type: '$resumed', at: at('09:01'), by }
    ];
    for (const ending of endings) {
      apply(begun(), paused, resumed);
      expect(state.resumedAt).toEqual(resumed.at);
      apply(ending);
      expect(state.resumedAt, ending.type).toBeUndefined();
    }
  });
});
