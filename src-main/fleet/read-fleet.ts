/**
 * How all nodes and clusters stand that are known here: the nodes of the list, the members of local clusters, and the
 * clusters' own answers. Reads no log; a cluster that does not answer is told as such and does not keep the others away.
 */
import path from 'node:path';
import { parseTimeSpan, requireFault } from '../../src-core/index.ts';
import { OpenCluster, type ClusterDoor } from '../cluster/open-cluster.ts';
import type { BackupsReport } from '../contract/operations/backup-reports.ts';
import type { FleetCluster, FleetNode, FleetReport } from '../contract/operations/fleet-reports.ts';
import { ClusterRegistry, type RegisteredCluster } from '../settings/cluster-registry.ts';
import { NodeRegistry } from '../settings/node-registry.ts';
import { nodeStanding, type StandingNode } from './node-standing.ts';

export interface FleetQuestion {
  /** WINNOW_HOME, whose lists of nodes and clusters are meant. */
  home: string;
  /** Data directories besides those of the lists. */
  directories: readonly string[];
  /** Only the clusters, and the nodes that are members of one. */
  onlyClusters?: boolean;
  door: ClusterDoor;
  nowMs: number;
}

export async function readFleet({
  home,
  directories,
  onlyClusters,
  door,
  nowMs
}: FleetQuestion): Promise<FleetReport> {
  const registry = new ClusterRegistry(home);
  const clusters = registry.list();
  const all = nodesOf(new NodeRegistry(home, () => nowMs), clusters, directories);
  const nodes = onlyClusters === true ? all.filter(({ cluster }) => cluster !== null) : all;
  const engine = await door.engine();
  const listed = new Map<string, Promise<BackupsReport>>();
  const backupsIn = (target: string, endpoint: string | undefined): Promise<BackupsReport> => {
    const key = JSON.stringify([target, endpoint]);
    const s3 = endpoint === undefined ? {} : { s3Endpoint: endpoint };
    const backups = listed.get(key) ?? engine.call('listBackups', { target, ...s3 }, { signal: door.signal });
    listed.set(key, backups);
    return backups;
  };
  const standings: FleetNode[] = [];
  for (const { node, cluster } of nodes) {
    const parts = { engine, backupsIn, winnowHome: home, nowMs, cluster, signal: door.signal };
    standings.push(await nodeStanding(node, parts));
  }
  const asked: FleetCluster[] = [];
  for (const cluster of clusters)
    asked.push(await clusterStanding(cluster, standings, { registry, door, nowMs }));
  return { at: new Date(nowMs).toISOString(), nodes: standings, clusters: asked };
}

interface Listed {
  node: StandingNode;
  cluster: string | null;
}

/** Those of the list, members of local clusters that are not in it, and those that were named; each directory once. */
function nodesOf(
  registry: NodeRegistry,
  clusters: readonly RegisteredCluster[],
  directories: readonly string[]
): Listed[] {
  const clusterOf = new Map<string, string>();
  const listed = new Map<string, Listed>();
  const add = (node: StandingNode): void => {
    const key = path.resolve(node.dataDirectory);
    if (!listed.has(key)) listed.set(key, { node, cluster: clusterOf.get(key) ?? null });
  };
  for (const cluster of clusters) {
    if (cluster.kind !== 'local') continue;
    for (const { dataDirectory } of cluster.members) clusterOf.set(path.resolve(dataDirectory), cluster.name);
  }
  for (const node of registry.list()) add(node);
  for (const cluster of clusters) {
    if (cluster.kind !== 'local') continue;
    for (const member of cluster.members) add({ name: path.basename(member.dataDirectory), ...member });
  }
  for (const directory of directories) {
    add({ name: path.basename(path.resolve(directory)), dataDirectory: path.resolve(directory) });
  }
  return [...listed.values()];
}

interface ClusterParts {
  registry: ClusterRegistry;
  door: ClusterDoor;
  nowMs: number;
}

async function clusterStanding(
  { name, kind }: RegisteredCluster,
  standings: readonly FleetNode[],
  { registry, door, nowMs }: ClusterParts
): Promise<FleetCluster> {
  try {
    const open = new OpenCluster(door, registry, name, { quiet: true });
    const members =
      kind === 'local'
        ? standings.filter(({ cluster }) => cluster === name).map(memberOf)
        : (await open.members()).map(({ node, state, isAlive, writerCheckpoint, error }) => ({
            node,
            state,
            isAlive,
            writerCheckpoint,
            error: error ?? null
          }));
    return {
      name,
      kind,
      error: null,
      members,
      nextScavenge: nextScavengeOf(await open.schedule('status'), nowMs)
    };
  } catch (error) {
    requireFault(error);
    const { code, message, remedy } = error;
    return { name, kind, error: { code, message, remedy }, members: [], nextScavenge: null };
  }
}

/** A member that is a directory, as its node stands. */
function memberOf({
  dataDirectory,
  error,
  inUse,
  writerCheckpoint
}: FleetNode): FleetCluster['members'][number] {
  return {
    node: dataDirectory,
    state: error ? 'Unreadable' : inUse === null ? 'Stopped' : 'InUse',
    isAlive: !error,
    writerCheckpoint,
    error: error?.message ?? null
  };
}

/** From the span until the next cycle, `[d.]hh:mm:ss`, which servers and our coordinator answer with. */
function nextScavengeOf(status: unknown, nowMs: number): string | null {
  const { timeUntilNextCycle: span } = (status ?? {}) as Record<string, unknown>;
  const ticks = typeof span === 'string' ? parseTimeSpan(span) : undefined;
  return ticks === undefined ? null : new Date(nowMs + Number(ticks / 10_000n)).toISOString();
}
