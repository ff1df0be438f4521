/**
 * A cluster of running nodes, driven over their own HTTP API from outside: gossip from any member that answers, the
 * requests of the coordinator to each member. Before a start every member is asked what it runs: another caller's
 * scavenge makes us wait, and so does a member that does not answer.
 */
import {
  findLeader,
  memberKey,
  type CallAnswer,
  type GossipMember,
  type MemberId,
  type NodeFault,
  type NodeReply,
  type NodeRequest
} from '../../src-core/index.ts';
import { readCertificateAuthority } from '../settings/certificate-file.ts';
import type { AutoScavengeCall } from './auto-scavenge.ts';
import type { RemoteCluster } from '../settings/cluster-registry.ts';
import { httpCaller, type HttpCall } from './http-call.ts';
import {
  NO_GOSSIP,
  askNode,
  missingRole,
  wrongPassword,
  type Asked,
  type AskedFault
} from './node-answer.ts';
import { MembersDetails, type MemberDetails } from './member-details.ts';
import { parseGossip } from './parse-gossip.ts';
import { askCurrent, askRemoteMember, startOnRemoteMember, type RemoteMember } from './remote-scavenger.ts';
import { NODE_PAUSES, RareWords, RetryPauses, type PauseLengths } from './retry-pauses.ts';

export interface RemoteClusterParts {
  cluster: RemoteCluster;
  authorization: string | undefined;
  log: (level: 'info' | 'warning', message: string) => void;
  /** The caller no longer waits: questions are abandoned, requests that change something are not. */
  signal?: AbortSignal | undefined;
  /** For tests. */
  call?: HttpCall;
  pauses?: PauseLengths;
  /** Monotonic milliseconds. */
  clock?: () => number;
}

/** Why a node cannot be driven, as found by trying it; undefined: it can. */
export interface TriedNode {
  /** Its address as it was registered. */
  node: string;
  fault: NodeFault | undefined;
}

const TIMEOUT_MS = 2000;
/** A pause waits a second for a run that has really ended. */
const STOP_LOOKS = 10;
const STOP_LOOK_MS = 100;
/** A leader that still leads after this time did not resign: it is asked once more. */
const RESIGNATION_MS = 60_000;

export class RemoteClusterAccess {
  readonly #parts: RemoteClusterParts;
  readonly #call: HttpCall;
  readonly #scheme: string;
  readonly #clock: () => number;
  readonly #pauses: RetryPauses;
  readonly #words: RareWords;
  /** The member that answered last is asked first. */
  #urls: string[];
  #gossipFault: NodeFault | undefined;
  /** Leaders that were asked to resign, and when; cleared as soon as gossip shows another leader. */
  readonly #resigning = new Map<string, { epochNumber: number | undefined; atMs: number }>();
  #epochs = new Map<string, number | undefined>();
  /** Members on which nothing of ours can run: a scavenge there belongs to another caller. */
  readonly #notOurs = new Set<string>();
  /** Members of which a request to start was never answered: it may begin at any time. */
  readonly #unanswered = new Set<string>();
  #refusal: string | undefined;
  readonly #details: MembersDetails;

  constructor(parts: RemoteClusterParts) {
    this.#parts = parts;
    const { certificateAuthorityFile, urls } = parts.cluster;
    const authority =
      certificateAuthorityFile === undefined
        ? undefined
        : readCertificateAuthority(certificateAuthorityFile, '--ca');
    const call = parts.call ?? httpCaller(authority);
    const { signal } = parts;
    this.#call = (request) => call(request.method === 'GET' && signal ? { ...request, signal } : request);
    this.#urls = urls.map((url) => url.replace(/\/+$/, ''));
    this.#scheme = new URL(this.#urls[0]!).protocol;
    this.#clock = parts.clock ?? (() => performance.now());
    this.#pauses = new RetryPauses(parts.pauses ?? NODE_PAUSES, this.#clock);
    this.#words = new RareWords(this.#clock);
    this.#details = new MembersDetails((id) => this.memberAt(id), this.#clock);
  }

  get cluster(): RemoteCluster {
    return this.#parts.cluster;
  }

  /** Why this cluster cannot be driven before a person changes something, as of the last request. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  /** undefined: no member answers; `gossipFault` says why. Placeholders for addresses without a known node are marked as such. */
  async gossip(): Promise<GossipMember[] | undefined> {
    const faults: { url: string; fault: NodeFault }[] = [];
    for (const url of this.#urls) {
      const { members, fault } = await this.#gossipOf(url);
      if (fault) {
        faults.push({ url, fault: await this.#explained(fault, url) });
        continue;
      }
      this.#gossipFault = undefined;
      this.#remember(url, members);
      return members;
    }
    this.#gossipFault = joinedFault(faults);
    return undefined;
  }

  /** What the members tell besides, kept for a while. Never rejects. */
  detailsOf(gossip: readonly GossipMember[]): Promise<ReadonlyMap<string, MemberDetails>> {
    return this.#details.of(gossip);
  }

  /** Of the last gossip request; undefined: it was answered. */
  get gossipFault(): NodeFault | undefined {
    return this.#gossipFault;
  }

  /** Sends every registered address the requests that a scavenge needs. Starts nothing. */
  tryAccess(): Promise<TriedNode[]> {
    const { cluster } = this.#parts;
    return Promise.all(
      cluster.urls.map(async (node) => {
        const baseUrl = node.replace(/\/+$/, '');
        const { fault: noGossip } = await this.#gossipOf(baseUrl);
        if (noGossip) return { node, fault: await this.#explained(noGossip, baseUrl) };
        const { fault } = await askCurrent(this.#memberOf(baseUrl));
        return { node, fault: fault && (await this.#explained(fault, baseUrl)) };
      })
    );
  }

  /** Carries out a request of the coordinator; `threshold`: of a start, else the server's own. Never throws. */
  async ask(request: NodeRequest, threshold?: number): Promise<NodeReply> {
    const what = `${request.kind} ${memberKey(request.member)}`;
    const isStop = request.kind === 'stop';
    // A person waits for a stop; everything else waits its turn.
    if (!isStop && !this.#pauses.isOver(what))
      return { kind: request.kind === 'poll' ? 'unknown' : 'failed' };
    return this.#askedAndExplained(request, { threshold, exceptLeader: true });
  }

  /** Without a pause: a person is waiting. Who chose the leader sees that it leads. */
  askNow(request: NodeRequest, threshold?: number): Promise<NodeReply> {
    return this.#askedAndExplained(request, { threshold, exceptLeader: false });
  }

  async #askedAndExplained(request: NodeRequest, start: StartChoice): Promise<NodeReply> {
    const name = memberKey(request.member);
    const what = `${request.kind} ${name}`;
    const reply = await this.#asked(request, start);
    const fault = 'fault' in reply ? reply.fault : undefined;
    if (fault === undefined) {
      this.#pauses.succeeded(what);
      this.#refusal = undefined;
      return reply;
    }
    this.#pauses.failed(what);
    const explained = await this.#explained(fault, this.memberAt(request.member).baseUrl);
    if (explained.kind === 'never') this.#refusal = `${name} ${explained.reason}.`;
    return { kind: request.kind === 'poll' ? 'unknown' : 'failed', fault: explained };
  }

  #asked(request: NodeRequest, start: StartChoice): Promise<NodeReply> {
    switch (request.kind) {
      case 'start':
        return this.#start(request.member, start);
      case 'poll':
        return this.#poll(request);
      case 'stop':
        return this.#stop(request);
      case 'resign':
        return this.#resign(request);
    }
  }

  async #start(id: MemberId, { threshold, exceptLeader }: StartChoice): Promise<NodeReply> {
    const name = memberKey(id);
    const obstacle = await this.#obstacle(id, exceptLeader);
    if (obstacle !== undefined) {
      if (obstacle.node === name && obstacle.isRunning) this.#unanswered.delete(name);
      // Another one in the way says nothing of what this one was asked before.
      if (!this.#unanswered.has(name)) this.#notOurs.add(name);
      this.#say('info', `Waiting before ${name} is started: ${obstacle.node} ${obstacle.fault.reason}.`);
      return { kind: 'failed', fault: obstacle.node === name ? obstacle.fault : named(obstacle) };
    }
    this.#say('info', `Starting node scavenge on node ${name}.`);
    this.#notOurs.delete(name);
    const reply = await startOnRemoteMember(this.memberAt(id), threshold);
    if (reply.kind === 'started') {
      this.#unanswered.delete(name);
      this.#parts.log('info', `Started node scavenge on node ${name}: ${reply.scavengeId}.`);
      return reply;
    }
    const { fault } = reply;
    // An explicit refusal: nothing was started. After a time-out or an internal failure this is not known.
    if (fault.status !== undefined && fault.status < 500 && fault.status !== 408) {
      this.#notOurs.add(name);
      this.#unanswered.delete(name);
    } else this.#unanswered.add(name);
    this.#say('info', `Failed to start scavenge on node ${name}: it ${fault.reason}.`);
    return reply;
  }

  async #poll(request: Extract<NodeRequest, { kind: 'poll' }>): Promise<NodeReply> {
    const reply = await askRemoteMember(this.memberAt(request.member), request);
    if (reply.kind === 'unknown') {
      const why = reply.fault ? `: it ${reply.fault.reason}` : '';
      this.#say('info', `Node ${memberKey(request.member)} has Unknown status. Will retry${why}.`);
    }
    return reply;
  }

  /** Only a run that has really ended counts as stopped. */
  async #stop(request: Extract<NodeRequest, { kind: 'stop' }>): Promise<NodeReply> {
    const { member: id, scavengeId } = request;
    const name = memberKey(id);
    // What runs there was not started here, and "current" would stop it.
    if (scavengeId === undefined && this.#notOurs.has(name)) return { kind: 'notFound' };
    const member = this.memberAt(id);
    const reply = await askRemoteMember(member, request);
    if ('fault' in reply && reply.fault) {
      this.#say('info', `Failed to stop scavenge on node ${name}: it ${reply.fault.reason}.`);
      return reply;
    }
    if (scavengeId === undefined) return reply;
    for (let look = 0; look < STOP_LOOKS; look++) {
      if ((await askCurrent(member)).running !== scavengeId) return reply;
      await new Promise((resolve) => setTimeout(resolve, STOP_LOOK_MS));
    }
    return { kind: 'failed', fault: STILL_STOPPING };
  }

  /** Once for each term of a leader: the election that follows takes time. */
  async #resign(request: Extract<NodeRequest, { kind: 'resign' }>): Promise<NodeReply> {
    const name = memberKey(request.member);
    const asked = this.#resigning.get(name);
    if (asked && this.#clock() - asked.atMs < RESIGNATION_MS) return { kind: 'resigning' };
    const words = asked
      ? `${name} still leads a minute after the request to resign; asking again.`
      : `${name} is the last node to scavenge. Asking it to resign from leadership.`;
    this.#say(asked ? 'warning' : 'info', words);
    const reply = await askRemoteMember(this.memberAt(request.member), request);
    if (reply.kind === 'resigning') {
      this.#resigning.set(name, { epochNumber: this.#epochs.get(name), atMs: this.#clock() });
    }
    return reply;
  }

  memberAt(member: MemberId): RemoteMember {
    return this.#memberOf(this.#urlOf(member));
  }

  #memberOf(baseUrl: string): RemoteMember {
    const { authorization, log } = this.#parts;
    return { baseUrl, authorization, call: this.#call, log };
  }

  /** Whether the cluster schedules its scavenges itself; undefined if its leader does not report it. */
  async hasOwnSchedule(): Promise<boolean | undefined> {
    const asked = await this.#askedLeader('GET', '/auto-scavenge/enabled');
    if (asked === undefined) return undefined;
    const { answer, fault, url } = asked;
    if (fault?.status === 404) return false;
    if (fault) {
      const explained = await this.#explained(fault, url);
      if (explained.kind === 'never') this.#refusal = `${new URL(url).host} ${explained.reason}.`;
      return undefined;
    }
    this.#refusal = undefined;
    try {
      return (JSON.parse(answer.body) as { enabled?: unknown }).enabled === true;
    } catch {
      return undefined;
    }
  }

  /** A call to the cluster's own auto-scavenge, at its leader. */
  async callOwnSchedule(
    name: 'status' | 'pause' | 'resume' | 'configure',
    body?: string
  ): Promise<CallAnswer> {
    const method = name === 'status' ? 'GET' : 'POST';
    const asked = await this.#askedLeader(method, `/auto-scavenge/${name}`, body);
    const { answer, fault, url } = asked ?? {};
    if (answer === undefined) {
      const why = fault === undefined || url === undefined ? '' : `: ${new URL(url).host} ${fault.reason}`;
      return { status: 503, detail: `No leader of the cluster answers${why}` };
    }
    if (answer.body === '') return { status: answer.status, body: null };
    try {
      return { status: answer.status, body: JSON.parse(answer.body) as unknown };
    } catch {
      return { status: 502, detail: "The answer of the cluster's leader is not JSON" };
    }
  }

  /** The same for one of our own calls. A server has no quiet hours. */
  askOwnSchedule(call: AutoScavengeCall): Promise<CallAnswer> {
    if (typeof call === 'string' && call !== 'skip') return this.callOwnSchedule(call);
    if (typeof call === 'object' && 'schedule' in call && call.timeZone === undefined)
      return this.callOwnSchedule('configure', JSON.stringify({ schedule: call.schedule }));
    const what =
      call === 'skip'
        ? 'way to skip a cycle'
        : 'scavenge' in call
          ? 'way to start a cycle now'
          : 'schedule' in call
            ? 'time zone'
            : 'quiet hours';
    return Promise.resolve({
      status: 400,
      body: `The cluster runs its own auto-scavenge, which has no ${what}`
    });
  }

  /** What prevents a start; undefined: nothing. */
  async #obstacle(member: MemberId, exceptLeader: boolean): Promise<Obstacle | undefined> {
    const members = await this.gossip();
    if (members === undefined) {
      return { node: 'the cluster', fault: this.#gossipFault ?? { ...NO_GOSSIP, kind: 'gone' } };
    }
    const alive = members.filter(({ isAlive, hasInstance }) => isAlive && hasInstance).map(({ id }) => id);
    const asked = await Promise.all(
      (alive.length > 0 ? alive : [member]).map(async (id) => ({
        node: memberKey(id),
        ...(await askCurrent(this.memberAt(id)))
      }))
    );
    for (const { node, running, fault } of asked) {
      if (fault) return { node, fault: await this.#explained(fault, `${this.#scheme}//${node}`) };
      if (typeof running === 'string') return { node, fault: runsAnother(running), isRunning: true };
    }
    if (!exceptLeader || this.cluster.clusterSize === 1) return undefined;
    // The coordinator decided by what it was shown before; with this gossip it would have asked for a resignation.
    const leader = findLeader(members);
    const leadsByNow = leader !== undefined && memberKey(leader.id) === memberKey(member);
    return leadsByNow ? { node: memberKey(member), fault: LEADS } : undefined;
  }

  async #gossipOf(
    url: string
  ): Promise<{ members: GossipMember[]; fault?: never } | { members?: never; fault: AskedFault }> {
    const { answer, fault } = await this.#askedAt(url, 'GET', '/gossip');
    if (fault) return { fault: fault.status === 404 ? NO_GOSSIP : fault };
    const members = parseGossip(answer.body);
    return members === undefined ? { fault: NO_GOSSIP } : { members };
  }

  /** The fault of a member, refined by a second request. */
  explained(fault: NodeFault, member: MemberId): Promise<NodeFault> {
    return this.#explained(fault, this.#urlOf(member));
  }

  /** A server refuses a wrong password and a missing role alike; a request about the user tells them apart. */
  async #explained(fault: NodeFault, baseUrl: string): Promise<NodeFault> {
    const { status } = fault as AskedFault;
    const { authorization, cluster } = { ...this.#parts };
    if (status !== 401 || authorization === undefined) return fault;
    const user = cluster.user ?? '';
    const { answer, fault: refused } = await this.#askedAt(baseUrl, 'GET', '/admin/login');
    if (refused?.status === 401) return wrongPassword(user);
    return answer !== undefined && !refused && namesUser(answer.body) ? missingRole(user) : fault;
  }

  #say(level: 'info' | 'warning', sentence: string): void {
    if (this.#parts.signal?.aborted !== true && this.#words.isNews(sentence))
      this.#parts.log(level, sentence);
  }

  async #askedLeader(
    method: 'GET' | 'POST',
    path: string,
    body?: string
  ): Promise<(Asked & { url: string }) | undefined> {
    const leader = findLeader((await this.gossip()) ?? []);
    if (leader === undefined) return undefined;
    const url = this.#urlOf(leader.id);
    return { ...(await this.#askedAt(url, method, path, body)), url };
  }

  #askedAt(url: string, method: 'GET' | 'POST', path: string, body?: string): Promise<Asked> {
    const { authorization } = this.#parts;
    return askNode(this.#call, { method, url: `${url}${path}`, authorization, body, timeoutMs: TIMEOUT_MS });
  }

  #urlOf({ address, port }: MemberId): string {
    return `${this.#scheme}//${address.includes(':') ? `[${address}]` : address}:${port}`;
  }

  /** Members learnt from gossip are asked too if the registered ones are gone. */
  #remember(url: string, members: readonly GossipMember[]): void {
    this.#epochs = new Map(members.map(({ id, epochNumber }) => [memberKey(id), epochNumber]));
    const leader = findLeader(members);
    for (const [name, { epochNumber }] of this.#resigning) {
      const isSameReign = leader && memberKey(leader.id) === name && leader.epochNumber === epochNumber;
      if (!isSameReign) this.#resigning.delete(name);
    }
    const learnt = members
      .filter(({ isAlive, hasInstance }) => isAlive && hasInstance)
      .map(({ id }) => this.#urlOf(id));
    const named = this.#parts.cluster.urls.map((known) => known.replace(/\/+$/, ''));
    this.#urls = [...new Set([url, ...named, ...learnt])];
  }
}

const STILL_STOPPING: NodeFault = {
  kind: 'later',
  reason: 'is still stopping its scavenge',
  remedy: 'Wait: a node stops at the end of the current chunk.'
};

/** What stands in the way of a start. */
interface Obstacle {
  node: string;
  fault: NodeFault;
  /** A scavenge runs there. */
  isRunning?: boolean;
}

interface StartChoice {
  /** Undefined: the server's own. */
  threshold: number | undefined;
  /** By the newest gossip. */
  exceptLeader: boolean;
}

const LEADS: NodeFault = {
  kind: 'later',
  reason: 'has become the leader, which is scavenged last',
  remedy: 'Nothing to do: it is asked to resign first.'
};

function runsAnother(scavengeId: string): NodeFault {
  return {
    kind: 'later',
    reason: `runs the scavenge ${scavengeId}`,
    remedy: 'Wait until it ends, or stop it.'
  };
}

/** About a member other than the requested one. */
function named({ node, fault }: { node: string; fault: NodeFault }): NodeFault {
  return { ...fault, reason: `has to wait: ${node} ${fault.reason}` };
}

/** `never` only if no address is worth asking again. */
function joinedFault(faults: readonly { url: string; fault: NodeFault }[]): NodeFault {
  const worst = faults.find(({ fault }) => fault.kind !== 'never') ?? faults[0];
  const telling = faults.find(({ fault }) => fault.kind === 'never') ?? faults[0];
  const reason = faults.map(({ url, fault }) => `${new URL(url).host} ${fault.reason}`).join('; ');
  return {
    kind: worst?.fault.kind ?? 'gone',
    reason: `cannot be reached: ${reason}`,
    remedy: telling?.fault.remedy ?? ''
  };
}

function namesUser(body: string): boolean {
  try {
    const { success, data } = JSON.parse(body) as { success?: unknown; data?: unknown };
    return success === true || (typeof data === 'object' && data !== null);
  } catch {
    return false;
  }
}
