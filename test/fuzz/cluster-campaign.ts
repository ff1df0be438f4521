/**
 * Random faults against the coordinator of running nodes, with everything real but the network and the clock: the
 * same access, the same events on disk, the same lease. Faults: answers lost after the node has acted, answers that
 * come late, nodes that stall and then do everything they were asked meanwhile, nodes cut off from the coordinator or
 * from each other, networks in two parts, crashes, members replaced by other machines, changes of the leader, clocks
 * that jump, runs that people start, coordinators killed in the middle of a request, second processes that want the
 * lease. What must hold: no two scavenges that the coordinator started ever run at once, none is started while another's
 * is to be seen, what cluster-checks.ts says, a pause that has come into force leaves none running, and once the
 * faults are over a cycle comes to its end.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Coordinator } from '../../src-core/index.ts';
import { remoteClusterParts } from '../../src-main/cluster/cluster-parts.ts';
import { isLease, takeLease, type Lease } from '../../src-main/cluster/coordinator-lease.ts';
import type { HttpAnswer, HttpRequest } from '../../src-main/cluster/http-call.ts';
import { RemoteClusterAccess } from '../../src-main/cluster/remote-cluster.ts';
import type { CoordinatorParts } from '../../src-main/cluster/auto-scavenge.ts';
import { Prng } from '../support/prng.ts';
import { ClusterChecks } from './cluster-checks.ts';
import { SimulatedCluster, type SimulatedNode } from '../support/simulated-cluster.ts';

export interface CampaignEnd {
  faults: string[];
  /** What happened how often, over all runs. */
  counts: Map<string, number>;
}

const TICKS_OF_FAULTS = 60;
/** More than any healed cluster needs for one cycle. */
const TICKS_TO_END = 400;
const TICK_MS = 30_000;
/** Longest a scavenge of a node lasts, and some more. */
const TICKS_TO_PAUSE = 60;
/** Where flushes cost nothing. */
const MEMORY_DISK = '/dev/shm';
const START_MS = Date.UTC(2026, 7, 1);

export async function runClusterCampaign(runs: number, firstSeed: number): Promise<CampaignEnd> {
  const end: CampaignEnd = { faults: [], counts: new Map() };
  for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
    const run = new CampaignRun(seed, end.counts);
    try {
      await run.go();
    } catch (error) {
      run.violations.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
    } finally {
      run.close();
    }
    end.faults.push(...run.allViolations.map((violation) => `seed ${seed}: ${violation}`));
  }
  return end;
}

/** A cycle of each cluster without other faults, with the coordinator killed at each request in turn. */
export async function runRestarts(seeds: readonly number[]): Promise<CampaignEnd> {
  const end: CampaignEnd = { faults: [], counts: new Map() };
  for (const seed of seeds) {
    for (let killedAt = 1, isReached = true; isReached; killedAt++) {
      const run = new CampaignRun(seed, new Map(), killedAt);
      try {
        await run.go();
      } finally {
        run.close();
      }
      isReached = run.wasKilled;
      if (isReached) end.counts.set('restarts', (end.counts.get('restarts') ?? 0) + 1);
      const at = `seed ${seed}, killed at request ${killedAt}`;
      end.faults.push(...run.allViolations.map((violation) => `${at}: ${violation}`));
    }
  }
  return end;
}

/** A coordinator that can be killed: what it asked for afterwards is never answered and never stored. */
interface RunningCoordinator {
  coordinator: Coordinator;
  parts: CoordinatorParts;
  lease: Lease;
  life: Life;
}

interface Life {
  isKilled: boolean;
}

class CampaignRun {
  readonly #prng: Prng;
  readonly #counts: Map<string, number>;
  readonly #cluster = new SimulatedCluster();
  readonly #directory = fs.mkdtempSync(
    path.join(fs.existsSync(MEMORY_DISK) ? MEMORY_DISK : os.tmpdir(), 'winnow-cluster-fuzz-')
  );
  /** Nodes that do not answer for the time being, with what they were asked. */
  readonly #stalled = new Map<SimulatedNode, (() => void)[]>();
  readonly #cutOff = new Set<SimulatedNode>();
  #running: RunningCoordinator | undefined;
  readonly #checks = new ClusterChecks();
  #lostAnswers = 0;
  #lateAnswers = 0;
  #killAtCall = Number.POSITIVE_INFINITY;
  #calls = 0;
  #clusterSize = 0;
  /** The wall clock, which jumps. */
  #nowMs = START_MS;
  /** The monotonic one, which does not. */
  #steadyMs = 0;

  readonly #killedAt: number | undefined;

  /** `killedAt`: no faults, but the coordinator is killed at this request behind the first, and begun again. */
  constructor(seed: number, counts: Map<string, number>, killedAt?: number) {
    this.#prng = new Prng(seed);
    this.#counts = counts;
    this.#killedAt = killedAt;
  }

  /** The request at which it was to be killed was made. */
  get wasKilled(): boolean {
    return (this.#counts.get('coordinators killed') ?? 0) > 0;
  }

  get violations(): string[] {
    return this.#cluster.violations;
  }

  /** All that must not be, at the end. */
  get allViolations(): string[] {
    return [...this.#cluster.violations, ...this.#checks.violations];
  }

  async go(): Promise<void> {
    const prng = this.#prng;
    const cluster = this.#cluster;
    const size = 1 + prng.below(4);
    this.#clusterSize = size;
    for (let index = 0; index < size; index++) cluster.addSilent(1000 - prng.below(500));
    if (prng.chance(0.3)) cluster.addSilent(prng.below(1000), true);
    cluster.leader = cluster.nodes[0];
    for (const node of cluster.nodes) {
      node.polls = 1 + prng.below(5);
      node.faults.hidesIds = prng.chance(0.3);
      node.faults.hasNoLast = prng.chance(0.15);
    }
    await this.#tick(size);
    await this.#call((coordinator) => coordinator.configure('* * * * *'));
    if (this.#killedAt === undefined) {
      for (let tick = 0; tick < TICKS_OF_FAULTS; tick++) {
        if (prng.chance(0.5)) await this.#disturb(size);
        await this.#tick(size);
      }
      this.#heal();
      if (prng.chance(0.4)) await this.#requireStill(size);
    } else this.#killAtCall = this.#calls + this.#killedAt;
    const endedBefore = this.#endedCycles();
    await this.#resume();
    for (let left = TICKS_TO_END; this.#endedCycles() === endedBefore; left--) {
      if (left === 0) {
        const { status } = this.#running!.coordinator;
        this.violations.push(`no cycle ended after the faults were over: ${status}, ${this.#nodesText()}`);
        return;
      }
      await this.#tick(size);
      // A pause that was asked for in the time of faults has come into force meanwhile.
      if (this.#running?.coordinator.status?.startsWith('Paused') === true) await this.#resume();
    }
    this.#count('cycles ended');
  }

  /** Paused, with nothing in its way any more: what it had started has ended, and it stays so. */
  async #requireStill(size: number): Promise<void> {
    await this.#tick(size);
    await this.#pause();
    const isPaused = (): boolean => this.#running?.coordinator.status?.startsWith('Paused') === true;
    for (let left = TICKS_TO_PAUSE; !isPaused() && left > 0; left--) await this.#tick(size);
    if (!isPaused()) {
      this.violations.push(`a pause does not come into force: ${this.#running?.coordinator.status}`);
      return;
    }
    const isStill = (): boolean =>
      this.#cluster.nodes.every(({ running }) => !running || !this.#checks.isOwn(running.scavengeId));
    if (!isStill()) this.violations.push(`paused, but ${this.#nodesText()}`);
    for (let tick = 0; tick < 5; tick++) await this.#tick(size);
    if (!isStill()) this.violations.push(`started in a pause: ${this.#nodesText()}`);
    this.#count('pauses in force');
  }

  async #pause(): Promise<void> {
    const running = this.#running;
    await this.#call(async (coordinator) => {
      const { status } = await coordinator.pause();
      if (running?.life.isKilled === false && (status === 200 || status === 202)) this.#checks.paused();
    });
  }

  async #resume(): Promise<void> {
    this.#checks.resuming();
    await this.#call((coordinator) => coordinator.resume());
  }

  close(): void {
    this.#running?.lease.release();
    fs.rmSync(this.#directory, { recursive: true, force: true });
  }

  async #tick(size: number): Promise<void> {
    this.#nowMs += TICK_MS;
    this.#steadyMs += TICK_MS;
    // Scavenges end by themselves, whether somebody asks for them or not.
    for (const { running } of this.#cluster.nodes) if (running) running.pollsLeft--;
    if (!this.#running) this.#begin(size);
    const running = this.#running!;
    await this.#untilKilled(running, async () => {
      const gossip = await running.parts.gossip();
      if (running.life.isKilled) return;
      const { coordinator } = running;
      if (gossip || coordinator.state === undefined) await coordinator.receiveGossip(gossip ?? []);
      else await coordinator.tick();
    });
    this.#check();
  }

  async #call(what: (coordinator: Coordinator) => Promise<unknown>): Promise<void> {
    const running = this.#running;
    if (running) await this.#untilKilled(running, async () => void (await what(running.coordinator)));
  }

  /** Work of a killed coordinator stands still for ever; nobody waits for it. */
  async #untilKilled(running: RunningCoordinator, work: () => Promise<void>): Promise<void> {
    let isDone = false;
    const done = work().then(() => (isDone = true));
    while (!isDone && !running.life.isKilled) await Promise.race([done, new Promise(setImmediate)]);
  }

  #begin(size: number): void {
    const taken = takeLease(this.#directory);
    if (!isLease(taken)) throw new Error('the lease of a coordinator that ended is still held');
    const urls = this.#cluster.nodes.map((node) => `http://127.0.0.1:${node.port}`);
    const cluster = { kind: 'remote' as const, name: 'live', urls, clusterSize: size };
    const log = (): void => undefined;
    const life = { isKilled: false };
    const call = (request: HttpRequest): Promise<HttpAnswer> => {
      if (life.isKilled) return new Promise(() => undefined);
      return this.#request(request, life);
    };
    const { authorization } = this.#cluster;
    // Without pauses a pass has more chances to go wrong.
    const pauses = { firstMs: 0, longestMs: 0 };
    const access = new RemoteClusterAccess({
      cluster,
      authorization,
      log,
      call,
      pauses,
      clock: () => this.#steadyMs
    });
    const base = { directory: this.#directory, timeZone: 'UTC', clock: () => this.#nowMs, log };
    const parts = remoteClusterParts({ ...base, cluster, access });
    const { store } = parts;
    const guarded: CoordinatorParts['store'] = {
      load: () => store.load(),
      probe: () => store.probe(),
      append: async (event) => {
        if (life.isKilled) return new Promise(() => undefined);
        const stored = await store.append(event);
        if (stored === 'stored') this.#checks.stored(event);
        return stored;
      }
    };
    const coordinator = new Coordinator(parts.options, { ...parts, store: guarded });
    this.#running = { coordinator, parts, lease: taken, life };
    this.#count('coordinators begun');
  }

  #kill(): void {
    if (!this.#running) return;
    this.#running.life.isKilled = true;
    this.#running.lease.release();
    this.#running = undefined;
    this.#killAtCall = Number.POSITIVE_INFINITY;
    this.#count('coordinators killed');
  }

  /** What the network makes of a request: an answer, none, or one that never comes although the node has acted. */
  #request({ method, url, authorization }: HttpRequest, from: Life): Promise<HttpAnswer> {
    const { port, pathname } = new URL(url);
    const node = this.#cluster.nodes[Number(port) - 1]!;
    const none = Promise.reject<HttpAnswer>(new Error('no answer'));
    none.catch(() => undefined);
    if (node.faults.isDown || this.#cutOff.has(node)) return none;
    if (method === 'POST' && pathname === '/admin/scavenge')
      this.#checks.asksToStart(node, this.#clusterSize);
    const act = (): HttpAnswer => this.#act(node, `${method} ${pathname}`, authorization);
    const waiting = this.#stalled.get(node);
    if (waiting) {
      waiting.push(act);
      this.#count('requests to a stalled node');
      return none;
    }
    if (node.faults.timesOut) return Promise.resolve({ status: 408, body: '' });
    const answer = act();
    if (++this.#calls >= this.#killAtCall && from === this.#running?.life) {
      this.#kill();
      return new Promise(() => undefined);
    }
    const isLost = this.#lostAnswers > 0 && method !== 'GET';
    if (!isLost) {
      if (pathname === '/gossip') this.#checks.sawGossip(answer.body);
      return this.#lateAnswers > 0 ? this.#later(answer) : Promise.resolve(answer);
    }
    this.#lostAnswers--;
    this.#count(`answers lost: ${method}`);
    return none;
  }

  /** The clock goes on meanwhile. */
  async #later(answer: HttpAnswer): Promise<HttpAnswer> {
    this.#lateAnswers--;
    this.#count('answers that came late');
    for (let turns = 1 + this.#prng.below(20); turns > 0; turns--) await new Promise(setImmediate);
    const waitedMs = this.#prng.below(10) * TICK_MS;
    this.#nowMs += waitedMs;
    this.#steadyMs += waitedMs;
    return answer;
  }

  #act(node: SimulatedNode, what: string, authorization: string | undefined): HttpAnswer {
    if (what === 'POST /admin/scavenge' && !node.running) this.#count('node scavenges started');
    const answer = { status: 0, body: '' };
    node.answer(what, authorization, {
      writeHead: (status) => {
        answer.status = status;
        return { end: (body = '') => (answer.body = body) };
      }
    });
    return answer;
  }

  #check(): void {
    const own = this.#cluster.nodes.filter(({ running }) => running?.isForeign === false);
    if (own.length > 1) this.violations.push(`${own.length} scavenges run at once: ${this.#nodesText()}`);
  }

  async #disturb(size: number): Promise<void> {
    const prng = this.#prng;
    const { nodes } = this.#cluster;
    const node = prng.pick(nodes);
    switch (prng.below(19)) {
      case 0:
        this.#lostAnswers = 1 + prng.below(3);
        return;
      case 1:
        if (this.#stalled.has(node)) this.#wake(node);
        else this.#stalled.set(node, []);
        return;
      case 2:
        if (!this.#cutOff.delete(node)) this.#cutOff.add(node);
        return;
      case 3:
        node.faults.isSeenDead = !node.faults.isSeenDead;
        return;
      case 4:
        node.faults.isDown = !node.faults.isDown;
        if (node.faults.isDown) this.#crash(node);
        return;
      case 5:
        this.#cluster.leader = prng.chance(0.2) ? undefined : prng.pick(nodes.slice(0, size));
        return;
      case 6:
        this.#killAtCall = this.#calls + prng.below(8);
        return;
      case 7:
        this.#kill();
        return;
      case 8:
        if (this.#running && isLease(takeLease(this.#directory)))
          this.violations.push('a second process got the lease');
        this.#count('leases refused');
        return;
      case 9:
      case 13:
      case 14:
        // What a stalled node was asked to start may begin at any time, and a person who starts another is to blame.
        if (nodes.every(({ running }) => running === undefined) && this.#stalled.size === 0) {
          node.startForeignRun(3 + prng.below(12));
          this.#count("people's scavenges");
        }
        return;
      case 10:
        node.result = prng.pick(['Success', 'Errored', 'Stopped']);
        return;
      case 11:
        await (prng.chance(0.5) ? this.#pause() : this.#resume());
        return;
      case 15:
        this.#nowMs += prng.chance(0.5) ? -prng.below(1_800_000) : prng.below(21_600_000);
        this.#count('jumps of the clock');
        return;
      case 16:
        if (this.#cluster.apart.size > 0) this.#cluster.apart.clear();
        else for (const one of nodes) if (prng.chance(0.5)) this.#cluster.apart.add(one);
        this.#count('networks in two parts, or one again');
        return;
      case 17:
        node.replace();
        if (this.#stalled.has(node)) this.#stalled.set(node, []);
        this.#count('members replaced');
        return;
      case 18:
        this.#lateAnswers = 1 + prng.below(4);
        return;
      default:
        node.faults.timesOut = !node.faults.timesOut;
    }
  }

  #crash(node: SimulatedNode): void {
    node.crash();
    // What it had not begun is gone with it.
    if (this.#stalled.has(node)) this.#stalled.set(node, []);
  }

  #wake(node: SimulatedNode): void {
    const waiting = this.#stalled.get(node) ?? [];
    this.#stalled.delete(node);
    for (const act of waiting) act();
  }

  #heal(): void {
    for (const node of this.#cluster.nodes) {
      this.#wake(node);
      Object.assign(node.faults, { isDown: false, isSeenDead: false, timesOut: false });
    }
    this.#cutOff.clear();
    this.#cluster.apart.clear();
    this.#lateAnswers = 0;
    this.#lostAnswers = 0;
    this.#killAtCall = Number.POSITIVE_INFINITY;
    this.#cluster.leader ??= this.#cluster.nodes[0];
  }

  /** Counted when the state of the coordinator says so, not by its file: that is replaced at the end of a cycle. */
  #endedCycles(): number {
    const file = path.join(this.#directory, 'auto-scavenge.jsonl');
    if (!fs.existsSync(file)) return 0;
    return fs.readFileSync(file, 'utf8').split('"$cluster-scavenge-completed"').length - 1;
  }

  #nodesText(): string {
    return this.#cluster.nodes
      .map(({ port, running, runs }) => `${port}: ${running ? 'runs' : 'idle'} (${runs.length})`)
      .join(', ');
  }

  #count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }
}
