/**
 * The clusters in the list and what was last seen of those that run elsewhere.
 *
 * Invariant: a password goes out and is not kept here.
 */
import { SvelteMap } from 'svelte/reactivity';
import type {
  AutoScavengeSnapshot,
  ClusterEntry,
  ClusterHealth,
  ClusterMember,
  MemberSnapshot,
  RemoteMemberState
} from '../../../src-main/contract/verbs/workbench-contract.ts';
import { ask } from '../../api/engine-client.ts';

/** What a person is asked for by the side bar, one at a time. */
export type ClusterQuestion =
  | { kind: 'newCluster'; nodeIds: string[] }
  | { kind: 'newRemote' }
  | { kind: 'renameCluster'; cluster: string }
  | { kind: 'forgetCluster'; cluster: string }
  | { kind: 'renameNode'; nodeId: string };

/** What is seen of a cluster at a glance. */
export type ClusterSight = ClusterHealth | 'unknown';

/** Clusters that run elsewhere are looked at again after this long. */
const LOOK_MS = 20_000;

export class Clusters {
  #list = $state.raw<ClusterEntry[]>([]);
  #question = $state.raw<ClusterQuestion | null>(null);
  readonly #seen = new SvelteMap<string, AutoScavengeSnapshot>();

  get list(): ClusterEntry[] {
    return this.#list;
  }
  get question(): ClusterQuestion | null {
    return this.#question;
  }
  /** Local ones: nodes of the list can be put into them. */
  get local(): ClusterEntry[] {
    return this.#list.filter(({ kind }) => kind === 'local');
  }

  take(clusters: ClusterEntry[]): void {
    this.#list = clusters;
    const names = clusters.map(({ name }) => name);
    for (const name of this.#seen.keys()) if (!names.includes(name)) this.#seen.delete(name);
  }

  /** What a look at a cluster showed. */
  learn(snapshot: AutoScavengeSnapshot): void {
    this.#seen.set(snapshot.cluster, snapshot);
  }

  find(name: string | null): ClusterEntry | undefined {
    return this.#list.find((cluster) => cluster.name === name);
  }

  /** The registered cluster that a node is in. */
  ofNode(nodeId: string): ClusterEntry | undefined {
    return this.#list.find(({ members }) => members.some((member) => member.nodeId === nodeId));
  }

  sightOf(name: string): ClusterSight {
    return this.#seen.get(name)?.health ?? 'unknown';
  }

  /** All that are known of a cluster: those named, and those learnt from them. */
  membersOf(cluster: ClusterEntry): { member: ClusterMember; seen: MemberSnapshot | undefined }[] {
    const seen = this.#seen.get(cluster.name)?.members ?? [];
    const named = cluster.members.map((member) => ({
      member,
      seen: seen.find(({ id }) => id === member.id)
    }));
    if (cluster.kind === 'local') return named;
    const learnt = seen.filter(({ id }) => !cluster.members.some((member) => member.id === id));
    return [
      ...named,
      ...learnt.map((member) => ({
        member: {
          id: member.id,
          kind: 'remote',
          place: member.name,
          name: member.name,
          nodeId: null
        } as const,
        seen: member
      }))
    ];
  }

  async load(): Promise<void> {
    this.take(await ask('listClusters', {}));
  }

  /** Looks at the clusters that run elsewhere now and again; returns how to end it. */
  keepLooking(): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const look = async (): Promise<void> => {
      await this.lookAround(() => isOver || document.hidden);
      if (!isOver) timer = setTimeout(() => void look(), LOOK_MS);
    };
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }

  /** Looks at each cluster that runs elsewhere, unless nobody wants to know any more. */
  async lookAround(isUnwanted: () => boolean = () => false): Promise<void> {
    for (const { name, kind } of this.#list) {
      if (kind === 'local' || isUnwanted()) continue;
      // The cluster's own view says why it cannot be reached; here it stays unknown.
      await this.look(name).catch(() => undefined);
    }
  }

  /** Asks its members now. */
  async look(name: string): Promise<AutoScavengeSnapshot> {
    const snapshot = await ask('autoScavengeStatus', { cluster: name });
    this.learn(snapshot);
    return snapshot;
  }

  put(question: ClusterQuestion | null): void {
    this.#question = question;
  }

  /** Also of a node that is in no cluster: then it alone. */
  scheduleOf(nodeId: string): Promise<ClusterEntry> {
    return ask('clusterOfNode', { nodeId });
  }

  create(name: string, nodeIds: string[]): Promise<ClusterEntry> {
    return ask('createCluster', { name, nodeIds: [...nodeIds] });
  }

  createRemote(name: string, url: string, clusterSize: number): Promise<ClusterEntry> {
    return ask('createCluster', { name, urls: [url], clusterSize });
  }

  rename(cluster: string, name: string): Promise<ClusterEntry> {
    return ask('renameCluster', { cluster, name });
  }

  async forget(cluster: string): Promise<void> {
    await ask('forgetCluster', { cluster });
  }

  /** Moves a node of the list: out of the cluster it is in, if it is in one. */
  async move(nodeId: string, cluster: string): Promise<void> {
    const present = this.ofNode(nodeId);
    if (present?.name === cluster) return;
    if (present) await this.takeOut(nodeId);
    await ask('addClusterNode', { cluster, nodeId });
  }

  /** The last member takes its cluster along: one without members cannot be. */
  async takeOut(nodeId: string): Promise<void> {
    const cluster = this.ofNode(nodeId);
    const member = cluster?.members.find((candidate) => candidate.nodeId === nodeId);
    if (!cluster || !member) return;
    if (cluster.members.length === 1) await this.forget(cluster.name);
    else await this.removeMember(cluster.name, member.id);
  }

  addAddress(cluster: string, url: string): Promise<ClusterEntry> {
    return ask('addClusterAddress', { cluster, url });
  }

  removeMember(cluster: string, memberId: string): Promise<ClusterEntry> {
    return ask('removeClusterMember', { cluster, memberId });
  }

  /** No password: the one that is there stays. */
  setAccess(cluster: string, user: string, password: string): Promise<ClusterEntry> {
    return ask('setClusterAccess', {
      cluster,
      user: user === '' ? null : user,
      ...(user === '' || password === '' ? {} : { password })
    });
  }

  async chooseAuthority(cluster: string): Promise<void> {
    await ask('chooseClusterAuthority', { cluster });
  }

  async forgetAuthority(cluster: string): Promise<void> {
    await ask('forgetClusterAuthority', { cluster });
  }

  remoteMember(cluster: string, memberId: string): Promise<RemoteMemberState> {
    return ask('remoteMember', { cluster, memberId });
  }

  startScavenge(cluster: string, memberId: string): Promise<RemoteMemberState> {
    return ask('startRemoteScavenge', { cluster, memberId });
  }

  stopScavenge(cluster: string, memberId: string): Promise<RemoteMemberState> {
    return ask('stopRemoteScavenge', { cluster, memberId });
  }
}
