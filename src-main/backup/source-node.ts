/**
 * The running server that is backed up: its role in the cluster, and whether it scavenges. Stops a
 * scavenge only on request, auto-scavenge first, and starts again what it stopped.
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { EngineError, type NodeFacts } from '../../src-core/index.ts';
import type { NodeClient } from './node-client.ts';

const info = z.object({
  dbVersion: z.string().optional(),
  esVersion: z.string().optional(),
  /** Answer of the node service of a stopped node. */
  winnowVersion: z.string().optional(),
  state: z.string()
});
const member = z.object({
  instanceId: z.string(),
  state: z.string(),
  isAlive: z.boolean(),
  httpEndPointIp: z.string(),
  httpEndPointPort: z.number(),
  writerCheckpoint: z.number().optional()
});
const gossip = z.object({
  members: z.array(member),
  serverIp: z.string().optional(),
  serverPort: z.number().optional()
});
const current = z.object({ scavengeId: z.string().nullable() });

const UNRESOLVED = '00000000-0000-0000-0000-000000000000';
const HOLD_PATH = '/scavenges/current/hold';
/** A quarter of the time that the service waits. */
const RENEW_MS = 15_000;
const POLL_MS = 500;
const LIMIT_MS = 10 * 60 * 1000;

export class SourceNode {
  readonly #client: NodeClient;

  constructor(client: NodeClient) {
    this.#client = client;
  }

  /** Role, version, cluster; DatabaseInUse while a scavenge runs, unless that will be stopped. */
  async facts({ mayScavenge = false } = {}): Promise<NodeFacts> {
    const client = this.#client;
    const about = this.#parsed(info, await client.askJson('/info'), '/info');
    const running = await this.currentScavenge();
    if (running !== undefined && !mayScavenge) throw this.#scavengeRuns(running);
    if (about.winnowVersion !== undefined) return this.#atRest(about.state);
    const { members, self } = await this.#gossip();
    return {
      address: client.address,
      serverVersion: about.dbVersion ?? about.esVersion ?? null,
      role: self?.state ?? about.state,
      writer: self?.writerCheckpoint ?? null,
      cluster:
        members?.map((entry) => ({
          address: `${entry.httpEndPointIp}:${entry.httpEndPointPort}`,
          role: entry.state,
          isAlive: entry.isAlive,
          writer: knownPosition(entry.writerCheckpoint)
        })) ?? null
    };
  }

  /** A node service: no server runs there, so there is no role, lag or cluster. */
  #atRest(role: string): NodeFacts {
    return { address: this.#client.address, serverVersion: null, role, writer: null, cluster: null };
  }

  /** Id of the running scavenge; undefined if there is none. */
  async currentScavenge(): Promise<string | undefined> {
    const path = '/admin/scavenge/current';
    const { scavengeId } = this.#parsed(current, await this.#client.askJson(path, { withUser: true }), path);
    return scavengeId === null || scavengeId === '' ? undefined : scavengeId;
  }

  /**
   * Pauses auto-scavenge, then stops the run of this node. In the opposite order auto-scavenge would consider the node
   * done and start the next one. Returns a function that starts both again.
   */
  async stopScavenge(
    wait: (ms: number) => Promise<void>,
    warn: (message: string) => void
  ): Promise<() => Promise<void>> {
    const release = await this.#hold();
    if (release) return release;
    const isPaused = await this.#pauseAutoScavenge(wait);
    let isStopped = false;
    const resume = async (): Promise<void> => {
      // Auto-scavenge restarts its own runs; one that a person started is restarted here, and resumes.
      if (isStopped) {
        await this.#ask('POST', '/admin/scavenge');
        warn(
          `The scavenge of ${this.#client.address} was started again with one thread and without a throttle: a server ` +
            'does not report the original ones. Its scavenge point, and with it the threshold, is the same.'
        );
      }
      if (isPaused) await this.#ask('POST', '/auto-scavenge/resume');
    };
    try {
      if ((await this.currentScavenge()) !== undefined) {
        isStopped = true;
        await this.#ask('DELETE', '/admin/scavenge/current');
        await this.#until(async () => (await this.currentScavenge()) === undefined, wait);
      }
      return resume;
    } catch (error) {
      await resume();
      throw error;
    }
  }

  /**
   * For our own node service: its scavenge pauses for as long as this requests it, and resumes by itself with the options it
   * was started with, even if the requests just stop. undefined: it is a server, or nothing runs.
   */
  async #hold(): Promise<(() => Promise<void>) | undefined> {
    const about = this.#parsed(info, await this.#client.askJson('/info'), '/info');
    if (about.winnowVersion === undefined) return undefined;
    const path = `${HOLD_PATH}?id=${randomUUID()}`;
    const { status } = await this.#client.ask('POST', path, { withUser: true, isLong: true });
    if (status === 401 || status === 403) throw this.#client.refused(HOLD_PATH);
    if (status !== 200) return undefined;
    const renewal = setInterval(() => {
      // The next request makes up for a lost one; the service waits for several.
      void this.#client.ask('POST', path, { withUser: true }).catch(() => undefined);
    }, RENEW_MS);
    return async () => {
      clearInterval(renewal);
      await this.#ask('DELETE', path);
    };
  }

  async #pauseAutoScavenge(wait: (ms: number) => Promise<void>): Promise<boolean> {
    const status = await this.#autoScavengeState();
    if (status === undefined || status === 'NotConfigured' || status === 'Paused') return false;
    await this.#ask('POST', '/auto-scavenge/pause');
    await this.#until(async () => (await this.#autoScavengeState()) === 'Paused', wait);
    return true;
  }

  /** undefined if the feature is absent or off. */
  async #autoScavengeState(): Promise<string | undefined> {
    const { status, body } = await this.#client.ask('GET', '/auto-scavenge/status', { withUser: true });
    if (status !== 200) return undefined;
    return z.object({ state: z.string() }).safeParse(jsonOf(body)).data?.state;
  }

  async #gossip(): Promise<{
    members: z.infer<typeof member>[] | undefined;
    self: z.infer<typeof member> | undefined;
  }> {
    let answer = await this.#client.ask('GET', '/gossip');
    if (answer.status === 401) answer = await this.#client.ask('GET', '/gossip', { withUser: true });
    if (answer.status === 404) return { members: undefined, self: undefined }; // switched off on this node
    if (answer.status !== 200) throw this.#client.failed(`GET /gossip answered with status ${answer.status}`);
    const { members, serverIp, serverPort } = this.#parsed(gossip, jsonOf(answer.body), '/gossip');
    const known = members.filter(({ instanceId, state }) => instanceId !== UNRESOLVED || state !== 'Manager');
    const self = known.find(
      (entry) => entry.httpEndPointIp === serverIp && entry.httpEndPointPort === serverPort
    );
    return { members: known, self };
  }

  async #until(isDone: () => Promise<boolean>, wait: (ms: number) => Promise<void>): Promise<void> {
    for (let waitedMs = 0; waitedMs < LIMIT_MS; waitedMs += POLL_MS) {
      if (await isDone()) return;
      await wait(POLL_MS);
    }
    throw this.#client.failed(`its scavenge has not stopped within ${LIMIT_MS / 60_000} minutes`);
  }

  async #ask(method: 'POST' | 'DELETE', path: string): Promise<void> {
    const { status } = await this.#client.ask(method, path, { withUser: true, isLong: true });
    if (status === 401 || status === 403) throw this.#client.refused(path);
    // 404: it has ended by itself. 400: it already runs, as wanted.
    if (status >= 300 && status !== 404 && status !== 400) {
      throw this.#client.failed(`${method} ${path} answered with status ${status}`);
    }
  }

  #parsed<T>(schema: z.ZodType<T>, document: unknown, path: string): T {
    const { data } = schema.safeParse(document);
    if (data === undefined) throw this.#client.failed(`GET ${path} answered with a different document`);
    return data;
  }

  #scavengeRuns(id: string): EngineError {
    return new EngineError({
      code: 'DatabaseInUse',
      message: `The scavenge ${id} runs on ${this.#client.address}; files must not be copied meanwhile.`,
      remedy: 'Give --stop-scavenge to stop it and start it again afterwards, or take the backup later.',
      details: { node: this.#client.address, scavengeId: id }
    });
  }
}

/** undefined if it is not JSON: the check that follows reports it. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Gossip has -1 for unknown values. */
function knownPosition(value: number | undefined): number | null {
  return value === undefined || value < 0 ? null : value;
}
