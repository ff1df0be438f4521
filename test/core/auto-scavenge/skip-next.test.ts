/** A cycle of the schedule that a person leaves out: once, kept over a restart, over with the schedule it belonged to. */
import { describe, expect, it } from 'vitest';
import { Coordinator } from '../../../src-core/auto-scavenge/coordinator.ts';
import type { StoredEvent } from '../../../src-core/auto-scavenge/coordinator-event.ts';
import type { GossipMember } from '../../../src-core/auto-scavenge/cluster-view.ts';
import { parseWallTime } from '../../../src-core/auto-scavenge/wall-time.ts';

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

class World {
  now = '2026-08-01T10:00:00+02:00';
  events: StoredEvent[] = [];
  coordinator = this.#start();

  #start(): Coordinator {
    const isConfiguration = ({ type }: StoredEvent): boolean => type === '$configuration-updated';
    return new Coordinator(
      { clusterSize: 1, order: 'lagging', self: NODE, afterStoreFailure: 'recover' },
      {
        now: () => parseWallTime(this.now)!,
        newId: () => `cycle-${this.events.length}`,
        log: () => undefined,
        store: {
          load: () =>
            Promise.resolve({
              configuration: this.events.findLast(isConfiguration),
              history: this.events.filter((event) => !isConfiguration(event))
            }),
          append: (event: StoredEvent) => {
            this.events.push(event);
            return Promise.resolve('stored' as const);
          },
          probe: () => Promise.resolve()
        },
        scavenger: () => Promise.resolve({ kind: 'started', scavengeId: 'run-1' } as const)
      }
    );
  }

  async restart(): Promise<void> {
    this.coordinator = this.#start();
    await this.coordinator.receiveGossip(GOSSIP);
  }

  /** Whether a cycle is open at that time of the day. */
  async runsAt(time: string): Promise<boolean> {
    this.now = time;
    await this.coordinator.receiveGossip(GOSSIP);
    await this.coordinator.idle();
    const { body } = await this.coordinator.readStatus();
    return (body as { state: string }).state === 'InProgress';
  }
}

async function daily(): Promise<World> {
  const world = new World();
  await world.coordinator.receiveGossip(GOSSIP);
  await world.coordinator.configure('0 12 * * *');
  return world;
}

describe('a skipped cycle', () => {
  it('does not begin, the one after it does', async () => {
    const world = await daily();
    const answer = await world.coordinator.skipNext();
    expect(answer).toEqual({ status: 200, body: { skipped: '2026-08-01T12:00:00+02:00' } });
    expect(await world.runsAt('2026-08-01T12:00:30+02:00')).toBe(false);
    expect(await world.runsAt('2026-08-02T12:00:30+02:00')).toBe(true);
  });

  it('is told with the state as long as it is ahead', async () => {
    const world = await daily();
    await world.coordinator.skipNext();
    const status = await world.coordinator.readStatus();
    expect(status.body).toMatchObject({
      skipped: '2026-08-01T12:00:00+02:00',
      timeUntilNextCycle: '1.02:00:00'
    });
    await world.runsAt('2026-08-01T12:00:30+02:00');
    expect((await world.coordinator.readStatus()).body).not.toHaveProperty('skipped');
  });

  it('asked for twice is two', async () => {
    const world = await daily();
    await world.coordinator.skipNext();
    expect((await world.coordinator.skipNext()).body).toEqual({ skipped: '2026-08-02T12:00:00+02:00' });
    expect(await world.runsAt('2026-08-02T12:00:30+02:00')).toBe(false);
    expect(await world.runsAt('2026-08-03T12:00:30+02:00')).toBe(true);
  });

  it('is skipped after a restart too', async () => {
    const world = await daily();
    await world.coordinator.skipNext();
    await world.restart();
    expect(await world.runsAt('2026-08-01T12:00:30+02:00')).toBe(false);
    expect(await world.runsAt('2026-08-02T12:00:30+02:00')).toBe(true);
  });

  it('belongs to its schedule: another one is not held up by it, after a restart neither', async () => {
    const world = await daily();
    await world.coordinator.skipNext();
    world.now = '2026-08-01T10:30:00+02:00';
    await world.coordinator.configure('0 11 * * *');
    await world.restart();
    expect(await world.runsAt('2026-08-01T11:00:30+02:00')).toBe(true);
  });

  it('is refused without a schedule, and while a cycle is open', async () => {
    const world = new World();
    await world.coordinator.receiveGossip(GOSSIP);
    expect(await world.coordinator.skipNext()).toEqual({ status: 400, body: 'There is no next cycle' });
    await world.coordinator.configure('0 12 * * *');
    await world.coordinator.startCycle({});
    expect(await world.coordinator.skipNext()).toEqual({
      status: 400,
      body: 'A cluster scavenge is in progress'
    });
  });
});
