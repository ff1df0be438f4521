/**
 * The admin API of nodes, hosted by the window: the same service as `winnow serve`, with the window's engine,
 * schedules and scavenges. One service for one node.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { EngineError } from '../../src-core/index.ts';
import type { EngineHost } from '../engine/engine-host.ts';
import type { RunningServer } from '../http/admin-server.ts';
import { errorReportOf } from '../contract/error-report.ts';
import type { NodeServiceState } from '../contract/verbs/cluster-contract.ts';
import type { WindowEvent } from '../contract/verbs/workbench-contract.ts';
import type { NodeRegistry, RegisteredNode } from '../settings/node-registry.ts';
import { loadSettings } from '../settings/settings.ts';
import { UserStore } from '../access/user-store.ts';
import type { RunHosted } from '../verbs/hosted-work.ts';
import type { ClusterSchedules } from './cluster-schedules.ts';
import type { ClusterSchedule } from './cluster-schedule.ts';
import { doorOf } from './schedule-door.ts';

export interface HostedNodesParts {
  home: string;
  engine: EngineHost;
  /** Shows what callers start as work of the window. */
  runWork: RunHosted;
  nodes: Pick<NodeRegistry, 'get' | 'list'>;
  schedules: ClusterSchedules;
  clock: () => number;
  environment: Readonly<Record<string, string | undefined>>;
  send: (event: WindowEvent) => void;
}

interface Hosted {
  state: NodeServiceState;
  server: RunningServer | undefined;
  schedule: ClusterSchedule | undefined;
}

const THIS_MACHINE = '127.0.0.1';

export class HostedNodes {
  readonly #parts: HostedNodesParts;
  readonly #hosted = new Map<string, Hosted>();

  constructor(parts: HostedNodesParts) {
    this.#parts = parts;
  }

  state(nodeId: string): NodeServiceState {
    const { userCount } = this.#users();
    const known = this.#hosted.get(nodeId)?.state;
    if (!known) return { ...stopped(nodeId), userCount };
    // Removed at the first log-in.
    const passwordFile =
      known.passwordFile !== null && existsSync(known.passwordFile) ? known.passwordFile : null;
    return { ...known, userCount, passwordFile };
  }

  /** A service that could not start has a state with the reason; the caller gets the error too. */
  async start(request: { nodeId: string; host?: string; port?: number }): Promise<NodeServiceState> {
    const { nodeId, host = THIS_MACHINE, port = 0 } = request;
    const node = this.#parts.nodes.get(nodeId);
    const known = this.#hosted.get(nodeId);
    if (known && known.state.state !== 'stopped' && known.state.state !== 'failed') return this.state(nodeId);
    const hosted: Hosted = { state: stopped(nodeId), server: undefined, schedule: undefined };
    this.#hosted.set(nodeId, hosted);
    this.#enter(hosted, { state: 'starting', host, port });
    try {
      const passwordFile = await this.#ensureUsers();
      const { cluster } = this.#parts.schedules.list.find(this.#parts.schedules.list.ofNode(nodeId).name);
      hosted.schedule = await this.#parts.schedules.schedule(cluster.name);
      hosted.server = await this.#serve(node, hosted.schedule, { host, port });
      const url = new URL(hosted.server.url);
      this.#enter(hosted, {
        state: 'running',
        port: Number(url.port),
        url: hosted.server.url,
        passwordFile,
        startedMs: this.#parts.clock()
      });
    } catch (error) {
      this.#enter(hosted, { state: 'failed', error: errorReportOf(error).message });
      throw error;
    }
    return this.state(nodeId);
  }

  /** Open calls are answered first; a running node scavenge continues. */
  async stop(nodeId: string): Promise<NodeServiceState> {
    const hosted = this.#hosted.get(nodeId);
    if (hosted?.state.state !== 'running') return this.state(nodeId);
    this.#enter(hosted, { state: 'stopping' });
    hosted.schedule?.publish(undefined);
    await hosted.server?.close();
    hosted.server = undefined;
    this.#enter(hosted, { state: 'stopped', url: null, startedMs: null });
    return this.state(nodeId);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#hosted.keys()].map((nodeId) => this.stop(nodeId)));
  }

  async #serve(
    node: RegisteredNode,
    schedule: ClusterSchedule,
    { host, port }: { host: string; port: number }
  ): Promise<RunningServer> {
    const { engine, runWork, clock, home, environment } = this.#parts;
    // Loaded only here: a window that serves nothing needs no HTTP.
    const [{ serve }, { serviceLogger }] = await Promise.all([
      import('../http/serve.ts'),
      import('../http/visible-log.ts')
    ]);
    const commandLine = new Map([['db', node.dataDirectory]]);
    if (node.indexDirectory !== undefined) commandLine.set('index', node.indexDirectory);
    const settings = loadSettings({
      file: node.configurationFile,
      environment,
      commandLine,
      unknownNames: 'ignore'
    });
    const scavenges = schedule.scavengesOf(node.dataDirectory);
    if (!scavenges) throw notInCluster(node);
    return serve(
      {
        settings,
        host,
        port,
        publicNames: [],
        usersFile: this.#usersFile(),
        certificateFile: undefined,
        keyFile: undefined,
        saidSingleNode: false,
        trustedKeyFile: undefined,
        clusterName: undefined,
        environment,
        winnowHome: home,
        pageDirectory: undefined,
        allowedPaths: []
      },
      {
        engine,
        clock,
        logger: serviceLogger('warn'),
        shared: {
          autoScavenge: doorOf(schedule),
          scavenges,
          runWork,
          onListening: (at) => schedule.publish(at),
          onNodesChange: () => this.#parts.send({ kind: 'nodes', nodes: this.#parts.nodes.list() })
        }
      }
    );
  }

  #usersFile(): string {
    return path.join(this.#parts.home, 'users.json');
  }

  #users(): { userCount: number } {
    try {
      return { userCount: new UserStore(this.#usersFile()).list().length };
    } catch {
      return { userCount: 0 }; // starting the service reports what is wrong with the file
    }
  }

  /** Makes sure that there is a user. Returns the file with the password of a new one; null: there were users. */
  async #ensureUsers(): Promise<string | null> {
    const users = new UserStore(this.#usersFile());
    if (users.list().length > 0) return null;
    return (await users.createAdministrator()).passwordFile;
  }

  #enter(hosted: Hosted, change: Partial<NodeServiceState>): void {
    hosted.state = { ...hosted.state, error: null, ...change };
    this.#parts.send({ kind: 'nodeService', service: this.state(hosted.state.nodeId) });
  }
}

function stopped(nodeId: string): NodeServiceState {
  return {
    nodeId,
    state: 'stopped',
    host: THIS_MACHINE,
    port: 0,
    url: null,
    userCount: 0,
    passwordFile: null,
    startedMs: null,
    error: null
  };
}

function notInCluster({ name }: RegisteredNode): EngineError {
  return new EngineError({
    code: 'InvalidRequest',
    message: `${name} is no longer a member of its cluster.`,
    remedy: 'Open its directory again.',
    details: { field: 'nodeId' }
  });
}
