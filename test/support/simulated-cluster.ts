/**
 * A cluster of running nodes as their HTTP API shows it: gossip, scavenges, resignation, log-in. Written from the
 * description of that API, for tests only. Faults are set from outside: slow or no answers, lost nodes, another
 * leader, servers of other versions.
 *
 * Invariant checked at every start: no two scavenges that the driver started run at once in the cluster.
 */
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SimulatedRun {
  scavengeId: string;
  /** Requests for its state until it has ended. */
  pollsLeft: number;
  result: 'Success' | 'Stopped' | 'Errored';
  /** Started by a person, not by the driver of the cluster. */
  isForeign: boolean;
}

/** The part of a response that a node writes to. */
export interface AnswerWriter {
  writeHead(status: number, headers?: Record<string, string>): { end(body?: string): unknown };
}

export interface SimulatedFaults {
  /** Every answer takes so long, in ms. */
  delayMs: number;
  /** The connection is closed instead of answered. */
  isDown: boolean;
  /** The other nodes do not see it, though it runs. */
  isSeenDead: boolean;
  /** The server gives up: 408 with an empty body. */
  timesOut: boolean;
  /** A page to log in instead of an answer. */
  redirects: boolean;
  /** An older server, which has no `last`. */
  hasNoLast: boolean;
  /** Answers the start with an empty body. */
  hidesIds: boolean;
}

const NO_FAULTS: SimulatedFaults = {
  delayMs: 0,
  isDown: false,
  isSeenDead: false,
  timesOut: false,
  redirects: false,
  hasNoLast: false,
  hidesIds: false
};

export class SimulatedNode {
  readonly #server: http.Server;
  readonly #cluster: SimulatedCluster;
  instanceId = randomUUID();
  readonly isReadOnlyReplica: boolean;
  faults: SimulatedFaults = { ...NO_FAULTS };
  writerCheckpoint: number;
  runs: SimulatedRun[] = [];
  /** How many requests a run lasts. */
  polls = 2;
  result: SimulatedRun['result'] = 'Success';
  port = 0;
  /** As gossip names it. */
  host = '127.0.0.1';
  version = '26.2.0';
  epochNumber = 1;
  /** Of the volume of its data; undefined: it does not say. */
  drive: { freeBytes: number; totalBytes: number } | undefined;

  constructor(cluster: SimulatedCluster, writerCheckpoint: number, isReadOnlyReplica: boolean) {
    this.#cluster = cluster;
    this.writerCheckpoint = writerCheckpoint;
    this.isReadOnlyReplica = isReadOnlyReplica;
    this.#server = http.createServer((request, response) => void this.#receive(request, response));
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get running(): SimulatedRun | undefined {
    const last = this.runs.at(-1);
    return last && last.pollsLeft > 0 ? last : undefined;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** The process ends and begins again: what it ran is cut, and it remembers nothing. */
  crash(): void {
    this.runs = [];
  }

  /** Another machine at the same address, with the same log and nothing else. */
  replace(): void {
    this.crash();
    this.instanceId = randomUUID();
  }

  startForeignRun(polls: number): void {
    this.runs.push({ scavengeId: randomUUID(), pollsLeft: polls, result: 'Success', isForeign: true });
  }

  async #receive(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { faults } = this;
    request.resume();
    if (faults.isDown) {
      request.socket.destroy();
      return;
    }
    if (faults.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, faults.delayMs));
    if (faults.timesOut) {
      response.writeHead(408).end();
    } else if (faults.redirects) {
      response.writeHead(302, { Location: '/web/login' }).end();
    } else {
      const { pathname, search } = new URL(request.url ?? '/', this.url);
      if (request.method === 'POST' && pathname === '/admin/scavenge') this.#cluster.queries.push(search);
      this.answer(`${request.method} ${pathname}`, request.headers.authorization, response);
    }
  }

  /** What the node does and says, without the network. `what`: method and path. */
  answer(what: string, authorization: string | undefined, response: AnswerWriter): void {
    const isKnown = authorization === this.#cluster.authorization;
    if (what === 'GET /gossip') {
      json(response, this.#cluster.gossip(this));
    } else if (!isKnown) {
      response.writeHead(401, { 'WWW-Authenticate': 'X-Basic realm="ESDB"' }).end();
    } else if (what === 'POST /admin/scavenge') {
      this.#start(response);
    } else if (what === 'GET /admin/scavenge/current') {
      const { running } = this;
      const scavengeId = running?.scavengeId ?? '';
      if (running && this.faults.hasNoLast) running.pollsLeft--;
      json(response, { scavengeId, scavengeLink: scavengeId === '' ? '' : `/admin/scavenge/${scavengeId}` });
    } else if (what === 'GET /admin/scavenge/last') {
      if (this.faults.hasNoLast) response.writeHead(405).end();
      else this.#last(response);
    } else if (what.startsWith('DELETE /admin/scavenge/')) {
      this.#stop(what.slice('DELETE /admin/scavenge/'.length), response);
    } else if (what === 'GET /stats' && this.drive) {
      json(response, {
        'proc-id': 7,
        'sys-drive-/mnt/es-data-availableBytes': this.drive.freeBytes,
        'sys-drive-/mnt/es-data-totalBytes': this.drive.totalBytes,
        'sys-drive-/mnt/es-data-usage': '53%'
      });
    } else if (what === 'GET /streams/%24scavenges' && this.#cluster.history.length > 0) {
      json(response, { entries: this.#cluster.history });
    } else if (what === 'POST /admin/node/resign') {
      this.#cluster.resign(this);
      response.writeHead(200).end();
    } else if (what === 'GET /auto-scavenge/enabled' && this.#cluster.ownSchedule !== undefined) {
      json(response, { enabled: true });
    } else if (what === 'GET /auto-scavenge/status' && this.#cluster.ownSchedule !== undefined) {
      json(response, {
        state: 'Waiting',
        schedule: this.#cluster.ownSchedule,
        timeUntilNextCycle: '01:00:00'
      });
    } else if (what === 'POST /auto-scavenge/pause' && this.#cluster.ownSchedule !== undefined) {
      response.writeHead(202).end();
    } else {
      response.writeHead(404).end();
    }
  }

  #start(response: AnswerWriter): void {
    if (this.running) {
      response.writeHead(400, { 'Content-Type': 'text/plain' }).end('Scavenge is already running');
      return;
    }
    this.#cluster.beforeStart(this);
    const scavengeId = randomUUID();
    this.runs.push({ scavengeId, pollsLeft: this.polls, result: this.result, isForeign: false });
    if (this.faults.hidesIds) response.writeHead(200).end();
    else json(response, { scavengeId });
  }

  #last(response: AnswerWriter): void {
    const run = this.runs.at(-1);
    const scavengeResult = run === undefined ? 'Unknown' : run.pollsLeft > 0 ? 'InProgress' : run.result;
    json(response, {
      scavengeId: run?.scavengeId ?? '00000000-0000-0000-0000-000000000000',
      scavengeLink: '',
      scavengeResult
    });
    if (run && run.pollsLeft > 0) run.pollsLeft--;
  }

  #stop(wanted: string, response: AnswerWriter): void {
    const run = this.running;
    if (!run || (wanted !== 'current' && wanted !== run.scavengeId)) {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Scavenge Id does not exist');
      return;
    }
    run.pollsLeft = 0;
    run.result = 'Stopped';
    json(response, run.scavengeId);
  }
}

export class SimulatedCluster {
  readonly authorization = `Basic ${Buffer.from('ops:changeit').toString('base64')}`;
  nodes: SimulatedNode[] = [];
  leader: SimulatedNode | undefined;
  /** A schedule of its own; undefined: it has no such feature. */
  ownSchedule: string | undefined;
  /** In order: `start 2`, `resign 0`; numbers are places in `nodes`. */
  readonly asked: string[] = [];
  /** Of each start, as they came over the network. */
  readonly queries: string[] = [];
  /** Entries of the stream of scavenges, newest first. */
  readonly history: { eventType: string; data: string; updated: string }[] = [];
  /** Nodes that the others cannot reach, nor they the others: two parts of a network. Empty: it is one. */
  readonly apart = new Set<SimulatedNode>();
  /** What must never be. */
  readonly violations: string[] = [];
  /** Gossip until a resignation shows. */
  resignAfter = 1;
  #resigning: { node: SimulatedNode; gossipsLeft: number } | undefined;

  async start(size: number, replicas = 0): Promise<void> {
    for (let index = 0; index < size + replicas; index++) {
      await this.add(1000 - 100 * index, index >= size);
    }
    this.leader = this.nodes[0];
  }

  async add(writerCheckpoint: number, isReadOnlyReplica = false): Promise<SimulatedNode> {
    const node = new SimulatedNode(this, writerCheckpoint, isReadOnlyReplica);
    await node.listen();
    this.nodes.push(node);
    return node;
  }

  /** Nodes that are asked by `answer` and listen nowhere. */
  addSilent(writerCheckpoint: number, isReadOnlyReplica = false): SimulatedNode {
    const node = new SimulatedNode(this, writerCheckpoint, isReadOnlyReplica);
    node.port = this.nodes.push(node);
    return node;
  }

  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.close()));
  }

  beforeStart(node: SimulatedNode): void {
    const index = this.nodes.indexOf(node);
    this.asked.push(`start ${index}`);
    // A person's scavenge on a node that nobody sees cannot be waited for.
    const isHidden = ({ faults, running }: SimulatedNode): boolean =>
      faults.isDown || ((faults.isSeenDead || this.apart.size > 0) && running?.isForeign === true);
    const others = this.nodes.filter((other) => other !== node && other.running && !isHidden(other));
    if (others.length > 0) {
      const names = others.map((other) => this.nodes.indexOf(other)).join(', ');
      this.violations.push(`node ${index} was started while ${names} scavenged`);
    }
  }

  /** Writes the end of a scavenge to the history. */
  recordEnd(node: SimulatedNode, updated: string, result = 'Success'): void {
    const data = JSON.stringify({ scavengeId: randomUUID(), nodeEndpoint: `127.0.0.1:${node.port}`, result });
    this.history.unshift({ eventType: '$scavengeCompleted', data, updated });
  }

  resign(node: SimulatedNode): void {
    this.asked.push(`resign ${this.nodes.indexOf(node)}`);
    if (node === this.leader) this.#resigning = { node, gossipsLeft: this.resignAfter };
  }

  /** As `node` sees it. */
  gossip(node: SimulatedNode): object {
    this.#elect();
    return {
      members: this.nodes.map((member) => ({
        instanceId: member.instanceId,
        timeStamp: '2026-08-01T08:17:24.9934121Z',
        state: member.isReadOnlyReplica ? 'ReadOnlyReplica' : member === this.leader ? 'Leader' : 'Follower',
        isAlive: member === node || this.#isSeen(member, node),
        internalHttpEndPointIp: member.host,
        internalHttpEndPointPort: member.port,
        httpEndPointIp: member.host,
        httpEndPointPort: member.port,
        writerCheckpoint: member.writerCheckpoint,
        chaserCheckpoint: member.writerCheckpoint,
        epochNumber: member.epochNumber,
        epochId: '0d7a5b0e-9a51-4c55-8d0f-2f6f6a0c9b77',
        esVersion: member.version,
        isReadOnlyReplica: member.isReadOnlyReplica
      })),
      serverIp: '127.0.0.1',
      serverPort: node.port
    };
  }

  #isSeen(member: SimulatedNode, by: SimulatedNode): boolean {
    const { isDown, isSeenDead } = member.faults;
    return !isDown && !isSeenDead && this.apart.has(member) === this.apart.has(by);
  }

  #elect(): void {
    const resigning = this.#resigning;
    const canLead = (node: SimulatedNode): boolean => !node.isReadOnlyReplica && !node.faults.isDown;
    if (resigning && --resigning.gossipsLeft <= 0) {
      this.#resigning = undefined;
      this.leader = this.nodes.find((node) => node !== resigning.node && canLead(node)) ?? this.leader;
    }
    if (this.leader && !canLead(this.leader)) this.leader = this.nodes.find(canLead);
  }
}

/** As the server writes it. */
function json(response: AnswerWriter, value: unknown): void {
  response
    .writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' })
    .end(JSON.stringify(value, undefined, 2));
}
