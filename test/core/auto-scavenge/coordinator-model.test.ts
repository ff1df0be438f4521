/**
 * Random inputs against a simulated cluster: whatever gossip, nodes, people and restarts do, no two node
 * scavenges that the coordinator started run at once, a paused one starts none, nor does one in its quiet hours
 * (which never undo the pause of a person), every member of a cycle that stays is done exactly once, the leader last.
 */
import { expect, it } from 'vitest';
import {
  findLeader,
  memberKey,
  type GossipMember,
  type MemberId
} from '../../../src-core/auto-scavenge/cluster-view.ts';
import { Coordinator } from '../../../src-core/auto-scavenge/coordinator.ts';
import type { StoredEvent } from '../../../src-core/auto-scavenge/coordinator-event.ts';
import type { NodeReply, NodeRequest } from '../../../src-core/auto-scavenge/coordinator-rules.ts';
import { TimeZone } from '../../../src-core/auto-scavenge/local-time.ts';
import type { QuietHours } from '../../../src-core/auto-scavenge/quiet-hours.ts';
import { Prng } from '../../support/prng.ts';
import { seedCount } from '../../support/seeds.ts';

const RUNS = seedCount(300);
const STEPS = 160;
const MINUTE = 600_000_000n;
/** In minutes. */
const DAY = 1440n;
/** Two hours east of UTC, as the times of the walks. */
const ZONE = new TimeZone('Etc/GMT-2');

interface SimulatedNode {
  id: MemberId;
  isAlive: boolean;
  isReplica: boolean;
  checkpoint: number;
  runs: { scavengeId: string; stepsLeft: number; result: 'success' | 'stopped' | 'errored' | undefined }[];
}

class Cluster {
  readonly prng: Prng;
  readonly size: number;
  nodes: SimulatedNode[];
  leader = 0;
  events: StoredEvent[] = [];
  now = 638_896_896_000_000_000n;
  /** By a person, who has not resumed it since. */
  isPausedForSure = false;
  quietHours: QuietHours | null = null;
  /** When a person last resumed what was paused, if nothing has ended that since. */
  resumedAt: bigint | undefined;
  /** What the coordinator knows: it cannot be blamed for what happened since. */
  shown: GossipMember[] = [];
  #ids = 0;
  #addresses = 0;

  constructor(seed: number) {
    this.prng = new Prng(seed);
    this.size = 1 + this.prng.below(4);
    this.nodes = Array.from({ length: this.size }, () => this.newNode(false));
    if (this.prng.below(3) === 0) this.nodes.push(this.newNode(true));
  }

  newNode(isReplica: boolean): SimulatedNode {
    const id = { address: `node-${++this.#addresses}`, port: 2113 };
    return { id, isAlive: true, isReplica, checkpoint: this.prng.below(1000), runs: [] };
  }

  gossip(): GossipMember[] {
    this.shown = this.nodes.map((node, index) => ({
      id: node.id,
      state: node.isReplica ? 'ReadOnlyReplica' : index === this.leader ? 'Leader' : 'Follower',
      isAlive: node.isAlive,
      isReadOnlyReplica: node.isReplica,
      writerCheckpoint: node.checkpoint,
      hasInstance: true
    }));
    return this.shown;
  }

  answer(request: NodeRequest): NodeReply {
    const node = this.nodes.find(({ id }) => memberKey(id) === memberKey(request.member));
    if (node === undefined || !node.isAlive || this.prng.below(8) === 0) {
      return { kind: request.kind === 'poll' ? 'unknown' : 'failed' };
    }
    switch (request.kind) {
      case 'start':
        return this.#start(node);
      case 'poll': {
        const run = node.runs.find(({ scavengeId }) => scavengeId === request.scavengeId);
        if (!run) return { kind: 'notRunning' };
        return run.stepsLeft > 0 ? { kind: 'inProgress' } : { kind: run.result ?? 'success' };
      }
      case 'stop': {
        const run = node.runs.findLast(({ stepsLeft }) => stepsLeft > 0);
        if (!run) return { kind: 'notFound' };
        run.stepsLeft = 0;
        run.result = 'stopped';
        return { kind: 'stopped' };
      }
      case 'resign': {
        const others = this.nodes.flatMap((other, index) =>
          !other.isReplica && other !== node ? [index] : []
        );
        if (others.length > 0 && this.prng.below(2) === 0) this.leader = this.prng.pick(others);
        return { kind: 'resigning' };
      }
    }
  }

  #start(node: SimulatedNode): NodeReply {
    expect(this.isPausedForSure, 'a paused coordinator starts nothing').toBe(false);
    expect(this.isQuiet(), 'nothing starts in quiet hours').toBe(false);
    expect(this.running(), 'nothing else runs when a node is started').toEqual([]);
    if (this.size > 1) {
      const leader = findLeader(this.shown);
      expect(leader?.id, 'a leader resigns first').not.toEqual(node.id);
    }
    const results = ['success', 'success', 'errored'] as const;
    const scavengeId = `s${++this.#ids}`;
    node.runs.push({ scavengeId, stepsLeft: this.prng.below(5), result: this.prng.pick([...results]) });
    return { kind: 'started', scavengeId };
  }

  /** Whether the clock is inside quiet hours, and no person wanted it to go on in them. */
  isQuiet(): boolean {
    const { quietHours } = this;
    if (quietHours === null) return false;
    const minutes = (text: string): bigint => BigInt(text.slice(0, 2)) * 60n + BigInt(text.slice(3));
    const from = minutes(quietHours.from);
    const length = (minutes(quietHours.to) - from + DAY) % DAY || DAY;
    const sinceMidnight = (this.now / MINUTE) % DAY;
    const since = (sinceMidnight - from + DAY) % DAY;
    if (since >= length) return false;
    const start = this.now - (this.now % MINUTE) - since * MINUTE;
    // Day 0 was a Monday.
    const weekday = Number((start / MINUTE / DAY + 1n) % 7n);
    return quietHours.days.includes(weekday) && (this.resumedAt === undefined || this.resumedAt < start);
  }

  /** Runs still going on members the cluster has: what left it is out of anybody's reach. */
  running(): string[] {
    return this.nodes.flatMap(({ runs }) =>
      runs.filter(({ stepsLeft }) => stepsLeft > 0).map((r) => r.scavengeId)
    );
  }

  pass(): void {
    this.now += MINUTE * BigInt(this.prng.below(40));
    for (const node of this.nodes) {
      node.checkpoint += this.prng.below(50);
      for (const run of node.runs) if (node.isAlive && run.stepsLeft > 0) run.stepsLeft--;
    }
  }

  newId(): string {
    return `c${++this.#ids}`;
  }
}

function coordinatorOf(cluster: Cluster): Coordinator {
  const isConfiguration = ({ type }: StoredEvent): boolean => type === '$configuration-updated';
  return new Coordinator(
    { clusterSize: cluster.size, order: 'lagging', self: undefined, afterStoreFailure: 'recover' },
    {
      store: {
        load: () =>
          Promise.resolve({
            configuration: cluster.events.findLast(isConfiguration),
            history: cluster.events.filter((event) => !isConfiguration(event))
          }),
        append: (event) => {
          cluster.events.push(event);
          return Promise.resolve('stored');
        },
        probe: () => Promise.resolve()
      },
      scavenger: (request) => Promise.resolve(cluster.answer(request)),
      now: () => ({ ticks: cluster.now, offsetMinutes: 120 }),
      zone: () => ZONE,
      newId: () => cluster.newId(),
      log: () => undefined
    }
  );
}

function randomQuietHours(prng: Prng): QuietHours | null {
  if (prng.below(3) === 0) return null;
  const clock = (): string =>
    `${String(prng.below(24)).padStart(2, '0')}:${String(prng.below(60)).padStart(2, '0')}`;
  const days = [0, 1, 2, 3, 4, 5, 6].filter(() => prng.below(4) > 0);
  return { from: clock(), to: clock(), days: days.length > 0 ? days : [prng.below(7)] };
}

/** What is being paused still cannot be resumed: the pause stays in force then. */
async function resume(cluster: Cluster, coordinator: Coordinator): Promise<void> {
  if (coordinator.state?.publicStatus === 'Pausing') {
    expect((await coordinator.resume()).status).toBe(400);
    return;
  }
  cluster.isPausedForSure = false;
  if (coordinator.state?.publicStatus === 'Paused') cluster.resumedAt = cluster.now;
  await coordinator.resume();
}

async function randomInput(cluster: Cluster, coordinator: Coordinator): Promise<Coordinator> {
  const { prng } = cluster;
  switch (prng.below(16)) {
    case 0: {
      cluster.isPausedForSure = true;
      cluster.resumedAt = undefined;
      await coordinator.pause();
      return coordinator;
    }
    case 1:
    case 2: {
      await resume(cluster, coordinator);
      return coordinator;
    }
    case 14: {
      cluster.quietHours = randomQuietHours(prng);
      cluster.resumedAt = undefined;
      await coordinator.setQuietHours(cluster.quietHours);
      return coordinator;
    }
    case 3:
      await coordinator.configure(prng.pick(['0 * * * *', '*/30 * * * *', '15 */2 * * *']));
      return coordinator;
    case 4: {
      const node = prng.pick(cluster.nodes);
      // A node that dies takes its run with it; one that comes back knows nothing of it.
      node.isAlive = !node.isAlive;
      if (!node.isAlive) node.runs = [];
      return coordinator;
    }
    case 5: {
      const index = prng.below(cluster.nodes.length);
      cluster.nodes[index] = cluster.newNode(cluster.nodes[index]!.isReplica);
      return coordinator;
    }
    case 6: {
      const restarted = coordinatorOf(cluster);
      await restarted.receiveGossip(cluster.gossip());
      return restarted;
    }
    default:
      await coordinator.receiveGossip(cluster.gossip());
      return coordinator;
  }
}

it(`keeps its promises in ${RUNS} random walks`, async () => {
  let cycles = 0;
  for (let seed = 1; seed <= RUNS; seed++) {
    const cluster = new Cluster(seed);
    let coordinator = coordinatorOf(cluster);
    await coordinator.receiveGossip(cluster.gossip());
    await coordinator.configure('0 * * * *');
    for (let step = 0; step < STEPS; step++) {
      coordinator = await randomInput(cluster, coordinator);
      cluster.pass();
    }
    cycles += checkCycles(cluster.events, `seed ${seed}`);
    await endsWhenLeftAlone(cluster, coordinator, `seed ${seed}`);
  }
  expect(cycles).toBeGreaterThan(RUNS);
});

/** In every cycle that ended each member that stayed was done once; one that left and came back, once more. */
function checkCycles(events: readonly StoredEvent[], where: string): number {
  let done = new Map<string, number>();
  let cycles = 0;
  for (const { type, data } of events) {
    if (type === '$cluster-scavenge-started') done = new Map();
    if (type === '$node-scavenge-completed') {
      const key = memberKey(data['nodeId'] as MemberId);
      done.set(key, (done.get(key) ?? 0) + 1);
    }
    if (type === '$cluster-members-changed') {
      for (const member of data['removed'] as MemberId[]) done.delete(memberKey(member));
    }
    if (type !== '$cluster-scavenge-completed') continue;
    cycles++;
    const members = (data['members'] as MemberId[]).map(memberKey);
    expect([...done.keys()].sort(), where).toEqual(members.sort());
    expect(
      [...done.values()].every((count) => count === 1),
      where
    ).toBe(true);
  }
  return cycles;
}

/** With all nodes up and nobody interfering an open cycle comes to its end. */
async function endsWhenLeftAlone(cluster: Cluster, coordinator: Coordinator, where: string): Promise<void> {
  for (const node of cluster.nodes) node.isAlive = true;
  cluster.quietHours = null;
  await coordinator.setQuietHours(null);
  const paused = cluster.nodes.length * 100;
  for (let step = 0; step < paused && coordinator.state?.publicStatus !== 'Waiting'; step++) {
    await resume(cluster, coordinator);
    await coordinator.receiveGossip(cluster.gossip());
    cluster.pass();
  }
  expect(coordinator.state?.publicStatus, where).toBe('Waiting');
}
