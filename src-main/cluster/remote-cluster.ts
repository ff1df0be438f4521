/**
 * A cluster of running nodes, driven over their own HTTP API from outside of it: gossip from whoever answers, the
 * requests of the coordinator to each member. Before a start every member is asked what it runs: somebody else's
 * scavenge makes us wait, and so does a member that does not answer.
 */
import { readFileSync } from 'node:fs';
import {
  findLeader,
  memberKey,
  type CallAnswer,
  type GossipMember,
  type MemberId,
  type NodeReply,
  type NodeRequest
} from '../../src-core/index.ts';
import type { AutoScavengeCall } from '../http/auto-scavenge.ts';
import type { RemoteCluster } from '../settings/cluster-registry.ts';
import { httpCaller, type HttpAnswer, type HttpCall } from './http-call.ts';
import { parseGossip } from './parse-gossip.ts';
import { askRemoteMember, currentScavenge, type RemoteMember } from './remote-scavenger.ts';

export interface RemoteClusterParts {
  cluster: RemoteCluster;
  authorization: string | undefined;
  log: (level: 'info' | 'warning', message: string) => void;
  /** For tests. */
  call?: HttpCall;
}

const TIMEOUT_MS = 2000;
const NONE = '00000000-0000-0000-0000-000000000000';

export class RemoteClusterAccess {
  readonly #parts: RemoteClusterParts;
  readonly #call: HttpCall;
  readonly #scheme: string;
  /** Who answered last is asked first. */
  #urls: string[];

  constructor(parts: RemoteClusterParts) {
    this.#parts = parts;
    const { certificateAuthorityFile, urls } = parts.cluster;
    const authority =
      certificateAuthorityFile === undefined ? undefined : readFileSync(certificateAuthorityFile, 'utf8');
    this.#call = parts.call ?? httpCaller(authority);
    this.#urls = urls.map((url) => url.replace(/\/+$/, ''));
    this.#scheme = new URL(this.#urls[0]!).protocol;
  }

  /** undefined: nobody answers. Placeholders of addresses nobody was seen at are marked as such. */
  async gossip(): Promise<GossipMember[] | undefined> {
    for (const url of this.#urls) {
      const answer = await this.#asked(url, 'GET', '/gossip');
      const members = answer?.status === 200 ? parseGossip(answer.body) : undefined;
      if (members === undefined) continue;
      this.#remember(url, members);
      return members;
    }
    return undefined;
  }

  /** Carries out a request of the coordinator; `threshold`: of a start, else the server's own. Never throws. */
  async ask(request: NodeRequest, threshold?: number): Promise<NodeReply> {
    if (request.kind === 'start') {
      const foreign = await this.#foreignRun(request.member);
      if (foreign !== undefined) {
        this.#parts.log('info', `Waiting before ${memberKey(request.member)} is started: ${foreign}.`);
        return { kind: 'failed' };
      }
    }
    return askRemoteMember(this.memberAt(request.member), request, threshold);
  }

  memberAt(member: MemberId): RemoteMember {
    const { authorization, log } = this.#parts;
    return { baseUrl: this.#urlOf(member), authorization, call: this.#call, log };
  }

  /** Whether the cluster schedules its scavenges itself; undefined when its leader does not say. */
  async hasOwnSchedule(): Promise<boolean | undefined> {
    const answer = await this.#askedLeader('GET', '/auto-scavenge/enabled');
    if (answer?.status === 404) return false;
    if (answer?.status !== 200) return undefined;
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
    const answer = await this.#askedLeader(method, `/auto-scavenge/${name}`, body);
    if (answer === undefined) return { status: 503, detail: 'No leader of the cluster answers' };
    if (answer.body === '') return { status: answer.status, body: null };
    try {
      return { status: answer.status, body: JSON.parse(answer.body) as unknown };
    } catch {
      return { status: 502, detail: 'The leader of the cluster gave an answer that is no JSON' };
    }
  }

  /** The same for whoever has a call of ours. A server knows no quiet hours. */
  askOwnSchedule(call: AutoScavengeCall): Promise<CallAnswer> {
    if (typeof call === 'string') return this.callOwnSchedule(call);
    if ('configure' in call && call.timeZone === undefined)
      return this.callOwnSchedule('configure', JSON.stringify({ schedule: call.configure }));
    const what = 'configure' in call ? 'time zone' : 'quiet hours';
    return Promise.resolve({
      status: 400,
      body: `The cluster runs its own auto-scavenge, which has no ${what} to set`
    });
  }

  /** What stands in the way of a start, in words; undefined: nothing does. */
  async #foreignRun(member: MemberId): Promise<string | undefined> {
    const members = await this.gossip();
    if (members === undefined) return 'no member answers with its gossip';
    const alive = members.filter(({ isAlive, hasInstance }) => isAlive && hasInstance).map(({ id }) => id);
    const asked = await Promise.all(
      (alive.length > 0 ? alive : [member]).map(async (id) => ({
        id,
        running: await currentScavenge(this.memberAt(id))
      }))
    );
    for (const { id, running } of asked) {
      if (running === undefined) return `${memberKey(id)} does not say what it runs`;
      if (running !== null && running !== NONE) return `${memberKey(id)} runs the scavenge ${running}`;
    }
    return undefined;
  }

  async #askedLeader(method: 'GET' | 'POST', path: string, body?: string): Promise<HttpAnswer | undefined> {
    const leader = findLeader((await this.gossip()) ?? []);
    return leader === undefined ? undefined : this.#asked(this.#urlOf(leader.id), method, path, body);
  }

  async #asked(
    url: string,
    method: 'GET' | 'POST',
    path: string,
    body?: string
  ): Promise<HttpAnswer | undefined> {
    const { authorization } = this.#parts;
    try {
      return await this.#call({ method, url: `${url}${path}`, authorization, body, timeoutMs: TIMEOUT_MS });
    } catch {
      return undefined;
    }
  }

  #urlOf({ address, port }: MemberId): string {
    return `${this.#scheme}//${address.includes(':') ? `[${address}]` : address}:${port}`;
  }

  /** Members that were learnt are asked too when those that were named are gone. */
  #remember(url: string, members: readonly GossipMember[]): void {
    const learnt = members
      .filter(({ isAlive, hasInstance }) => isAlive && hasInstance)
      .map(({ id }) => this.#urlOf(id));
    const named = this.#parts.cluster.urls.map((known) => known.replace(/\/+$/, ''));
    this.#urls = [...new Set([url, ...named, ...learnt])];
  }
}
