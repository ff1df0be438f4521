/**
 * The main process as the page sees it, with a small database behind it: every verb of the contract, answers that
 * a test can replace, and events it can send. Counts what was asked.
 */
import { vi } from 'vitest';
import type {
  Capabilities,
  ErrorReport,
  NodeEntry,
  Reply,
  AutoScavengeSnapshot,
  ClusterEntry,
  FleetNode,
  FolderListing,
  LicenceState,
  RemoteMemberState,
  StartState,
  VerbName,
  Verbs,
  WindowEvent,
  Workbench,
  WorkReply,
  WorkSnapshot
} from '../../src-main/contract/verbs/workbench-contract.ts';
import { applicationAnswers, preferences } from './fake-application.ts';
import { backupsReport } from './fake-backups.ts';
import {
  autoScavenge,
  implied,
  localCluster,
  memberSnapshot,
  noLicence,
  remoteState,
  service,
  evaluation
} from './fake-clusters.ts';
import { readingAnswers } from './fake-reading.ts';
import {
  chunkDescription,
  chunksReport,
  eventsPage,
  historyReport,
  indexReport,
  inspection,
  node,
  recordDescription,
  recordRows,
  scheduleReport,
  streamRows
} from './fake-database.ts';

/** Thrown by an answer: the engine refuses with this report. */
const noFolders: FolderListing = {
  path: null,
  trail: [],
  kind: null,
  obstacle: null,
  entries: [],
  isCut: false,
  separator: '/'
};

export class Refusal extends Error {
  readonly report: ErrorReport;

  constructor(code: string, message: string, remedy = '') {
    super(message);
    this.report = { code, message, remedy, details: {} };
  }
}

type Answers = Record<string, (request: Record<string, unknown>) => unknown>;

export class FakeWorkbench {
  readonly asked: { verb: VerbName; request: unknown }[] = [];
  /** Ids of the questions that the page stopped, in order. */
  readonly stopped: string[] = [];
  nodes: NodeEntry[] = [node];
  forgotten: NodeEntry[] = [];
  work: WorkSnapshot[] = [];
  results = new Map<string, WorkReply>();
  /** Why no result can be fetched; undefined: they can. */
  resultRefusal: Refusal | undefined;
  clusters: ClusterEntry[] = [];
  /** How nodes stand, by their ids; others cannot be asked. */
  readonly standings = new Map<string, FleetNode>();
  licence: LicenceState = noLicence;
  /** How schedules are, by the names of their clusters; others are not configured. */
  readonly schedules = new Map<string, Partial<AutoScavengeSnapshot>>();
  /** What running nodes answer. */
  remote = {
    look: (id: string): RemoteMemberState => remoteState(id),
    start: (id: string): RemoteMemberState => remoteState(id, { currentScavengeId: 'abcdef0123' })
  };
  /** Whether the look that the window takes by itself is begun, and counted among what was asked. */
  looksByItself = false;
  /** The same for the weights of chunks. */
  weighsByItself = false;
  openNodeId: string | null = node.id;
  capabilities: Capabilities = {
    choosesPaths: true,
    isWindow: true,
    writes: true,
    administers: true,
    user: null
  };
  /** Answers of the engine by operation; a thrown Refusal becomes an error reply. */
  readonly answers: Answers = {
    inspectDatabase: () => inspection,
    listChunks: () => chunksReport,
    inspectIndex: () => indexReport,
    listHistory: () => historyReport,
    describeSchedule: (request) => ({ ...scheduleReport, expression: request['expression'] }),
    readChunkPage: (request) => pageOf(recordRows, request),
    describeChunk: () => chunkDescription,
    describeRecord: () => recordDescription,
    explainRecords: () => ({ kind: 'records', known: false, records: [], scavenge: null }),
    readStreamsPage: (request) => ({
      ...pageOf(
        streamRows.filter((row) => row.stream.includes((request['search'] as string | undefined) ?? '')),
        request
      ),
      totalBytes: 10_000
    }),
    readStreamCategories: () => ({
      categories: [{ name: 'order', streams: 2, events: 5, bytes: 6000 }],
      totalBytes: 10_000
    }),
    usageOfStreams: () => ({ known: false, streams: [], categories: [] }),
    readEventsPage: () => eventsPage,
    ...readingAnswers,
    listBackups: () => backupsReport
  };
  /** What the folder chooser sees. */
  folders: (request: Verbs['listFolder']['request']) => FolderListing = () => noFolders;
  readonly #listeners = new Set<(event: WindowEvent) => void>();
  #lastWork = 0;

  /** Puts the fake into the page. */
  install(): this {
    const workbench = new Proxy({} as Workbench, {
      get: (_target, name: string) => {
        if (name === 'stopCall') return (callId: string) => this.#stopCall(callId);
        return name === 'follow'
          ? (listener: (event: WindowEvent) => void) => {
              this.#listeners.add(listener);
              return () => this.#listeners.delete(listener);
            }
          : (request: unknown) => this.#reply(name as VerbName, request);
      }
    });
    vi.stubGlobal('workbench', workbench);
    return this;
  }

  send(event: WindowEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** Changes running work as the main process would, and tells the page. */
  change(id: string, changes: Partial<WorkSnapshot>): void {
    const snapshot = { ...this.work.find((work) => work.id === id)!, ...changes };
    this.work = this.work.map((work) => (work.id === id ? snapshot : work));
    this.send({ kind: 'work', snapshot });
  }

  /** Ends work well, with its result. */
  finish(id: string, result: WorkReply): void {
    this.results.set(id, result);
    this.change(id, { state: 'done', endedMs: Date.now() });
  }

  requestsOf(verb: VerbName): unknown[] {
    return this.asked.filter((asked) => asked.verb === verb).map(({ request }) => request);
  }

  /** Requests that went to one operation of the engine. */
  callsOf(operation: string): Record<string, unknown>[] {
    return this.requestsOf('call')
      .map((request) => request as { name: string; request: Record<string, unknown> })
      .filter(({ name }) => name === operation)
      .map(({ request }) => request);
  }

  #doesByItself(name: string | undefined): boolean {
    return name === 'planScavenge' ? this.weighsByItself : this.looksByItself;
  }

  #stopCall(callId: string): Promise<Reply<null>> {
    this.stopped.push(callId);
    return Promise.resolve({ ok: true, value: null });
  }

  async #reply(verb: VerbName, request: unknown): Promise<Reply<unknown>> {
    const { unasked } = (request as { request?: { unasked?: boolean } } | null)?.request ?? {};
    const { name } = (request ?? {}) as { name?: string };
    if (!unasked || this.#doesByItself(name)) this.asked.push({ verb, request });
    await Promise.resolve();
    try {
      return { ok: true, value: structuredClone(this.#verbs[verb](request as never)) };
    } catch (error) {
      if (error instanceof Refusal) return { ok: false, error: error.report };
      throw error;
    }
  }

  readonly #verbs: { [V in VerbName]: (request: Verbs[V]['request']) => unknown } = {
    start: (): StartState => ({
      version: '0.1.0',
      platform: 'linux',
      theme: 'system',
      preferences,
      nodes: this.nodes,
      work: this.work,
      openNodeId: this.openNodeId,
      engine: { isAlive: true, reason: null },
      capabilities: this.capabilities,
      pathQuestions: []
    }),
    call: ({ name, request }) => this.answers[name]!((request ?? {}) as Record<string, unknown>),
    lookUpIndex: () => [{ hash: '00000000000000ff', eventNumber: 0, position: 4096, table: 'table-1' }],
    nodeStanding: ({ nodeId }) => {
      const standing = this.standings.get(nodeId);
      if (!standing) throw new Refusal('DatabaseNotFound', 'There is no database any more.');
      return standing;
    },
    startWork: ({ name, nodeId, request }) => {
      const { unasked } = request as { unasked?: boolean };
      if (unasked && !this.#doesByItself(name)) throw new Refusal('DatabaseInUse', 'This test does without.');
      return this.#begin(name, nodeId, request as Record<string, unknown>);
    },
    createSample: () => this.#begin('writeSample', null, {}),
    stopWork: () => null,
    forgetWork: ({ id }) => {
      this.work = this.work.filter((work) => work.id !== id);
      this.send({ kind: 'workForgotten', id });
      return null;
    },
    workResult: ({ id }) => {
      if (this.resultRefusal) throw this.resultRefusal;
      return this.results.get(id) ?? null;
    },
    openDirectory: () => this.nodes[0] ?? null,
    openConfiguration: () => null,
    openDropped: () => this.nodes[0],
    chooseBackupTarget: ({ nodeId }) => {
      const chosen = this.nodes.find((known) => known.id === nodeId)!;
      const changed = { ...chosen, backupTarget: '/backups' };
      this.nodes = this.nodes.map((known) => (known === chosen ? changed : known));
      this.send({ kind: 'nodes', nodes: this.nodes });
      return changed;
    },
    nameBackupStore: ({ nodeId, location, endpoint }) => {
      const chosen = this.nodes.find((known) => known.id === nodeId)!;
      const store = {
        backupTarget: location,
        ...(endpoint === undefined ? {} : { backupEndpoint: endpoint })
      };
      const changed = { ...chosen, ...store };
      this.nodes = this.nodes.map((known) => (known === chosen ? changed : known));
      this.send({ kind: 'nodes', nodes: this.nodes });
      return changed;
    },
    choosePath: ({ purpose }) => ({ id: `chosen-${purpose}`, path: `/chosen/${purpose}`, nodeId: null }),
    nameStore: ({ location }) => ({ id: 'chosen-store', path: location, nodeId: null }),
    openChosen: () => this.nodes[0],
    keepPassword: () => ({ id: 'password-1' }),
    setBackupKey: ({ nodeId, key }) => {
      const chosen = this.nodes.find((known) => known.id === nodeId)!;
      const { backupKey: _earlier, ...plain } = chosen;
      const kind = key === 'password' ? 'password' : 'file';
      const changed =
        key === 'none' ? plain : { ...plain, backupKey: { kind, file: '/keys/orders.key' } as const };
      this.nodes = this.nodes.map((known) => (known === chosen ? changed : known));
      this.send({ kind: 'nodes', nodes: this.nodes });
      return changed;
    },
    setBackupSchedule: ({ nodeId, schedule }) => {
      const chosen = this.nodes.find((known) => known.id === nodeId)!;
      const { backupSchedule: _earlier, ...plain } = chosen;
      const changed =
        schedule === null ? plain : { ...plain, backupSchedule: { ...schedule, handledMs: 0, last: null } };
      this.nodes = this.nodes.map((known) => (known === chosen ? changed : known));
      this.send({ kind: 'nodes', nodes: this.nodes });
      return changed;
    },
    forgetBackupTarget: ({ nodeId }) => {
      this.forgotten.push(...this.nodes.filter((known) => known.id === nodeId));
      this.nodes = this.nodes.map(({ backupTarget, ...known }) =>
        known.id === nodeId || backupTarget === undefined ? known : { ...known, backupTarget }
      );
      this.send({ kind: 'nodes', nodes: this.nodes });
      return this.nodes.find((known) => known.id === nodeId);
    },
    recallBackupTarget: ({ nodeId }) => {
      const before = this.forgotten.find((known) => known.id === nodeId);
      this.nodes = this.nodes.map((known) => (known.id === nodeId && before ? before : known));
      this.send({ kind: 'nodes', nodes: this.nodes });
      return before;
    },
    changeNode: ({ id, ...edit }) => {
      this.nodes = this.nodes.map((known) => (known.id === id ? { ...known, ...edit } : known));
      this.send({ kind: 'nodes', nodes: this.nodes });
      return this.nodes.find((known) => known.id === id);
    },
    forgetNode: ({ id }) => {
      this.forgotten.push(...this.nodes.filter((known) => known.id === id));
      this.nodes = this.nodes.filter((known) => known.id !== id);
      this.send({ kind: 'nodes', nodes: this.nodes });
      return null;
    },
    recallNode: ({ id }) => {
      const node = this.forgotten.find((known) => known.id === id);
      this.nodes = [...this.nodes, node!];
      this.send({ kind: 'nodes', nodes: this.nodes });
      return node;
    },
    showInFolder: () => null,
    watchNode: () => null,
    setTheme: () => null,
    restartEngine: () => {
      this.send({ kind: 'engine', engine: { isAlive: true, reason: null } });
      return null;
    },
    listClusters: () => this.clusters,
    clusterOfNode: ({ nodeId }) =>
      this.clusters.find(({ members }) => members.some((member) => member.nodeId === nodeId)) ??
      implied(this.nodes.find(({ id }) => id === nodeId)!),
    createCluster: ({ name, nodeIds, urls, clusterSize }) => {
      const members = this.nodes.filter(({ id }) => nodeIds?.includes(id));
      const local = localCluster(name, members);
      const made: ClusterEntry = urls
        ? {
            ...local,
            kind: 'remote',
            clusterSize: clusterSize ?? 1,
            members: urls.map((url) => ({ id: url, kind: 'remote', place: url, name: url, nodeId: null }))
          }
        : local;
      return this.#changeClusters([...this.clusters, made], name);
    },
    renameCluster: ({ cluster, name }) =>
      this.#changeClusters(
        this.clusters.map((known) => (known.name === cluster ? { ...known, name, title: name } : known)),
        name
      ),
    forgetCluster: ({ cluster }) => {
      this.#changeClusters(
        this.clusters.filter(({ name }) => name !== cluster),
        cluster
      );
      return null;
    },
    addClusterNode: ({ cluster, nodeId }) =>
      this.#changeMembers(cluster, (members) => [
        ...members,
        ...localCluster(
          '',
          this.nodes.filter(({ id }) => id === nodeId)
        ).members
      ]),
    addClusterAddress: ({ cluster, url }) =>
      this.#changeMembers(cluster, (members) => [
        ...members,
        { id: url, kind: 'remote', place: url, name: url, nodeId: null }
      ]),
    removeClusterMember: ({ cluster, memberId }) =>
      this.#changeMembers(cluster, (members) => members.filter(({ id }) => id !== memberId)),
    setClusterAccess: ({ cluster, user }) => {
      const changed = this.clusters.map((known) => (known.name === cluster ? { ...known, user } : known));
      return this.#changeClusters(changed, cluster);
    },
    chooseClusterAuthority: () => null,
    forgetClusterAuthority: ({ cluster }) => this.clusters.find(({ name }) => name === cluster),
    remoteMember: ({ memberId }) => this.remote.look(memberId),
    startRemoteScavenge: ({ memberId }) => this.remote.start(memberId),
    stopRemoteScavenge: ({ memberId }) => this.remote.look(memberId),
    autoScavengeStatus: ({ cluster }) => this.schedule(cluster),
    followCluster: () => null,
    configureAutoScavenge: ({ cluster, schedule, timeZone }) =>
      this.schedule(cluster, { schedule, state: 'Waiting', ...(timeZone && { timeZone }) }),
    pauseAutoScavenge: ({ cluster }) => this.schedule(cluster, { state: 'Paused', pausedBy: 'person' }),
    runAutoScavengeNow: ({ cluster }) => this.schedule(cluster, { state: 'InProgress' }),
    skipAutoScavenge: ({ cluster }) =>
      this.schedule(cluster, { skipped: '2026-08-08T06:00:00+02:00', nextTimes: [] }),
    resumeAutoScavenge: ({ cluster }) => this.schedule(cluster, { state: 'Waiting', pausedBy: null }),
    setQuietHours: ({ cluster, quietHours }) => {
      if (quietHours === null || !('window' in quietHours)) {
        return this.schedule(cluster, { quietHours, maintenanceWindow: null });
      }
      const [to = '', from = ''] = quietHours.window.split('-');
      const hours = { from, to, days: [0, 1, 2, 3, 4, 5, 6] };
      return this.schedule(cluster, { quietHours: hours, maintenanceWindow: quietHours.window });
    },
    licenceState: () => this.licence,
    chooseLicence: ({ choice }) => (this.licence = choice === 'none' ? noLicence : evaluation),
    nodeServiceState: ({ nodeId }) => service(nodeId),
    startNodeService: ({ nodeId }) =>
      service(nodeId, { state: 'running', url: 'http://127.0.0.1:2999', userCount: 1 }),
    stopNodeService: ({ nodeId }) => service(nodeId),
    listFolder: (request) => this.folders(request),
    openSavedFile: () => ({ id: 'file-1' }),
    writeSavedFile: () => null,
    endSavedFile: () => ({ file: 'rows.csv' }),
    saveErasure: ({ form }) => ({ file: `/reports/erasure-report.${form}` }),
    copyText: () => null,
    ...applicationAnswers((changed) => this.send({ kind: 'preferences', preferences: changed }))
  };

  /** Of a cluster, after a change of it. */
  schedule(cluster: string, change: Partial<AutoScavengeSnapshot> = {}): AutoScavengeSnapshot {
    const all = { ...this.schedules.get(cluster), ...change };
    this.schedules.set(cluster, all);
    const known = this.clusters.find(({ name }) => name === cluster);
    const members = known?.members ?? implied(this.nodes[0]!).members;
    return autoScavenge(
      cluster,
      members.map(({ id, name }) => memberSnapshot(id, name)),
      all
    );
  }

  #changeClusters(clusters: ClusterEntry[], answered: string): ClusterEntry | undefined {
    this.clusters = clusters;
    this.send({ kind: 'clusters', clusters });
    return clusters.find(({ name }) => name === answered);
  }

  #changeMembers(
    cluster: string,
    change: (members: ClusterEntry['members']) => ClusterEntry['members']
  ): ClusterEntry | undefined {
    const changed = this.clusters.map((known) =>
      known.name === cluster ? { ...known, members: change(known.members) } : known
    );
    return this.#changeClusters(changed, cluster);
  }

  #begin(name: WorkSnapshot['name'], nodeId: string | null, request: Record<string, unknown>): WorkSnapshot {
    const snapshot: WorkSnapshot = {
      id: `work-${++this.#lastWork}`,
      name,
      nodeId,
      title: name,
      state: 'running',
      startedMs: Date.now() + this.#lastWork,
      endedMs: null,
      progress: null,
      ratePerSecond: null,
      remainingMs: null,
      phases: [],
      log: [],
      error: null,
      request,
      writerCheckpoint: inspection.checkpoints.writer,
      directory: inspection.health.directory,
      backupTarget: this.nodes.find((known) => known.id === nodeId)?.backupTarget ?? null
    };
    this.work = [...this.work, snapshot];
    this.send({ kind: 'work', snapshot });
    return snapshot;
  }
}

function pageOf<Row>(
  rows: Row[],
  request: Record<string, unknown>
): { rows: Row[]; offset: number; total: number } {
  const offset = (request['offset'] as number | undefined) ?? 0;
  const limit = (request['limit'] as number | undefined) ?? 200;
  return { rows: rows.slice(offset, offset + limit), offset, total: rows.length };
}
