/** What the coordinator does where the server's would be dead until its next start. */
import { describe, expect, it } from 'vitest';
import { Coordinator } from '../../../src-core/auto-scavenge/coordinator.ts';
import type { StoredEvent } from '../../../src-core/auto-scavenge/coordinator-event.ts';
import type { CoordinatorStatus } from '../../../src-core/auto-scavenge/coordinator-state.ts';
import type { GossipMember } from '../../../src-core/auto-scavenge/cluster-view.ts';
import { parseWallTime } from '../../../src-core/auto-scavenge/wall-time.ts';

const AT = '2026-08-01T10:17:25.5+02:00';
const NODE = { address: '192.0.2.1', port: 2113 };
const GOSSIP: GossipMember[] = [
  {
    id: NODE,
    state: 'Leader',
    isAlive: true,
    isReadOnlyReplica: false,
    writerCheckpoint: 50,
    hasInstance: true
  }
];

class FlakyStore {
  events: StoredEvent[] = [];
  isDown = false;
  /** Refuses what this coordinator writes. */
  isLedByAnother = false;

  load(): Promise<{ configuration: StoredEvent | undefined; history: StoredEvent[] }> {
    this.#check();
    const isConfiguration = ({ type }: StoredEvent): boolean => type === '$configuration-updated';
    return Promise.resolve({
      configuration: this.events.findLast(isConfiguration),
      history: this.events.filter((event) => !isConfiguration(event))
    });
  }

  append(event: StoredEvent): Promise<'stored' | 'notLeader'> {
    this.#check();
    if (this.isLedByAnother) return Promise.resolve('notLeader');
    this.events.push(event);
    return Promise.resolve('stored');
  }

  probe(): Promise<void> {
    this.#check();
    return Promise.resolve();
  }

  #check(): void {
    if (this.isDown) throw new Error('disk full');
  }
}

function coordinatorOn(
  store: FlakyStore,
  warnings: string[] = []
): { coordinator: Coordinator; start: () => Promise<CoordinatorStatus | 'dead' | null> } {
  const coordinator = new Coordinator(
    { clusterSize: 1, order: 'lagging', self: undefined, afterStoreFailure: 'recover' },
    {
      // The port promises a rejected promise, not an exception.
      store: {
        load: async () => store.load(),
        append: async (event) => store.append(event),
        probe: async () => store.probe()
      },
      scavenger: ({ kind }) =>
        Promise.resolve(kind === 'start' ? { kind: 'started', scavengeId: 's1' } : { kind: 'inProgress' }),
      now: () => parseWallTime(AT)!,
      newId: () => 'c1',
      log: (level, message) => {
        if (level === 'warning') warnings.push(message);
      }
    }
  );
  const start = async (): Promise<CoordinatorStatus | 'dead' | null> => {
    await coordinator.receiveGossip(GOSSIP);
    return coordinator.status;
  };
  return { coordinator, start };
}

describe('a store that fails', () => {
  it('fails the call that needed it, and each one until writing works again', async () => {
    const store = new FlakyStore();
    const { coordinator, start } = coordinatorOn(store);
    expect(await start()).toBe('NotConfigured');

    store.isDown = true;
    // The caller gets the answer of a server; the reason is in the log.
    expect(await coordinator.configure('0 * * * *')).toEqual({
      status: 500,
      detail: 'AutoScavenge is no longer running'
    });
    expect(coordinator.status).toBe('dead');
    expect(await coordinator.readStatus()).toEqual({
      status: 500,
      detail: 'AutoScavenge is no longer running'
    });

    store.isDown = false;
    expect(await coordinator.configure('0 * * * *')).toEqual({ status: 200, body: {} });
    expect(coordinator.status).toBe('Waiting');
    expect(store.events.map(({ type }) => type)).toEqual(['$configuration-updated']);
  });

  it('is read again afterwards, so that an event that was stored after all is not done twice', async () => {
    const store = new FlakyStore();
    const { coordinator, start } = coordinatorOn(store);
    await start();
    store.isDown = true;
    await coordinator.pause();
    // The write reached the disk although the call said it failed.
    store.events.push({ type: '$paused', data: { pausedAt: AT } });
    store.isDown = false;
    expect((await coordinator.readStatus()).body).toMatchObject({ state: 'Paused' });
    await coordinator.pause();
    expect(store.events).toHaveLength(1);
  });
});

describe('a store that another one leads by now', () => {
  it('refuses the call that needed it with that reason, and leaves what was decided as it was', async () => {
    const store = new FlakyStore();
    const { coordinator, start } = coordinatorOn(store);
    await start();
    await coordinator.configure('0 3 * * *');
    store.isLedByAnother = true;
    expect(await coordinator.configure('0 5 * * *')).toEqual({ status: 500, detail: 'Not leader' });
    expect(await coordinator.pause()).toEqual({ status: 500, detail: 'Not leader' });
    expect((await coordinator.readStatus()).body).toMatchObject({ state: 'Waiting', schedule: '0 3 * * *' });
    expect(store.events.map(({ type }) => type)).toEqual(['$configuration-updated']);
    store.isLedByAnother = false;
    expect((await coordinator.pause()).status).toBe(200);
    expect(coordinator.status).toBe('PausedWhileIdle');
  });
});

describe('a history that contradicts itself', () => {
  it.each([
    ['a pause asked for outside a cycle', '$pause-requested', { requestedAt: AT }],
    ['a member worked on outside a cycle', '$node-designated', { designatedAt: AT, nodeId: NODE }],
    ['an event without its time', '$paused', {}],
    ['an event of a newer version', '$something-new', {}]
  ])('%s is passed over with a warning', async (_name, type, data) => {
    const store = new FlakyStore();
    store.events.push({ type, data });
    const warnings: string[] = [];
    expect(await coordinatorOn(store, warnings).start()).toBe('NotConfigured');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(type);
  });

  it('the text of a schedule is kept as it was entered', async () => {
    const store = new FlakyStore();
    const { coordinator, start } = coordinatorOn(store);
    await start();
    await coordinator.configure('0 3 * * SUN');
    const entered = { schedule: '0 3 * * 0', configuredSchedule: '0 3 * * SUN' };
    expect((await coordinator.readStatus()).body).toMatchObject(entered);
    const later = coordinatorOn(store);
    await later.start();
    expect((await later.coordinator.readStatus()).body).toMatchObject(entered);
  });

  it('a cycle that ends without any schedule leaves it not configured', async () => {
    const store = new FlakyStore();
    const members = [NODE];
    store.events.push(
      { type: '$cluster-scavenge-started', data: { clusterScavengeId: 'h1', members, startedAt: AT } },
      { type: '$cluster-scavenge-completed', data: { clusterScavengeId: 'h1', members, completedAt: AT } }
    );
    expect(await coordinatorOn(store).start()).toBe('NotConfigured');
  });

  it('a stored schedule that is none is passed over', async () => {
    const store = new FlakyStore();
    store.events.push({ type: '$configuration-updated', data: { schedule: null, updatedAt: AT } });
    expect(await coordinatorOn(store).start()).toBe('NotConfigured');
  });
});

describe('the queue', () => {
  it('refuses the call behind thirty-two that wait, and goes on', async () => {
    const store = new FlakyStore();
    const { coordinator, start } = coordinatorOn(store);
    await start();
    const answers = await Promise.all(Array.from({ length: 40 }, () => coordinator.readStatus()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(32);
    expect(answers[39]).toEqual({ status: 500, detail: 'AutoScavenge queue is full' });
    expect((await coordinator.readStatus()).status).toBe(200);
  });
});
