/**
 * The clusters as the window shows and changes them: registered ones, and single nodes. Paths and addresses come
 * from the registries; the window names nodes by their ids and members by theirs.
 */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { invalidRequest, type EngineError } from '../../src-core/index.ts';
import {
  forgetPassword,
  passwordPlace,
  storePassword,
  type PasswordCipher
} from '../cluster/cluster-credentials.ts';
import { clusterOfOne } from '../cluster/cluster-of-one.ts';
import type { ClusterEntry, ClusterMember } from '../contract/verbs/cluster-contract.ts';
import type {
  ClusterRegistry,
  LocalCluster,
  RegisteredCluster,
  RemoteCluster
} from '../settings/cluster-registry.ts';
import type { NodeRegistry, RegisteredNode } from '../settings/node-registry.ts';

export interface ClusterListParts {
  registry: ClusterRegistry;
  nodes: Pick<NodeRegistry, 'list' | 'get'>;
  environment: Readonly<Record<string, string | undefined>>;
  /** undefined: the system has no key chain. */
  cipher: PasswordCipher | undefined;
  /** The others are not there, as far as the caller is concerned; not given: all are shown. */
  isShown?: ((cluster: RegisteredCluster) => boolean) | undefined;
}

export class ClusterList {
  readonly #parts: ClusterListParts;

  constructor(parts: ClusterListParts) {
    this.#parts = parts;
  }

  /** Registered clusters only. */
  list(): ClusterEntry[] {
    return this.#registered().map((cluster) => this.#entryOf(cluster, false));
  }

  /** A registered cluster, or a single node by the name of its schedule. Throws InvalidRequest. */
  find(name: string): { cluster: RegisteredCluster; entry: ClusterEntry } {
    const registered = this.#registered().find((cluster) => cluster.name === name);
    if (registered) return { cluster: registered, entry: this.#entryOf(registered, false) };
    const alone = this.#parts.nodes
      .list()
      .map(clusterOfOne)
      .find((cluster) => cluster.name === name);
    if (alone) return { cluster: alone, entry: this.#entryOf(alone, true) };
    throw invalidRequest('This cluster is no longer in the list.', 'cluster', 'Choose another one.');
  }

  ofNode(nodeId: string): ClusterEntry {
    const node = this.#parts.nodes.get(nodeId);
    const cluster = this.#parts.registry.memberOf(node.dataDirectory);
    if (cluster && this.#parts.isShown?.(cluster) === false) throw notShown(node.name);
    return cluster ? this.#entryOf(cluster, false) : this.#entryOf(clusterOfOne(node), true);
  }

  /** Every possible schedule: registered clusters, and nodes that are in none. */
  all(): RegisteredCluster[] {
    const { registry, nodes } = this.#parts;
    const alone = nodes.list().filter((node) => !registry.memberOf(node.dataDirectory));
    return [...this.#registered(), ...alone.map(clusterOfOne)];
  }

  create(request: { name: string; nodeIds?: string[]; urls?: string[]; clusterSize?: number }): ClusterEntry {
    const { name, nodeIds, urls, clusterSize } = request;
    if (this.#parts.registry.list().some((cluster) => cluster.name === name)) {
      throw invalidRequest(`There is already a cluster "${name}".`, 'name', 'Choose another name.');
    }
    if ((nodeIds === undefined) === (urls === undefined)) {
      throw invalidRequest(
        'The members of a cluster are either nodes of the list or addresses of running nodes, not both.',
        'nodeIds',
        'Choose one kind.'
      );
    }
    if (nodeIds !== undefined) {
      const members = nodeIds.map((nodeId) => this.#freeMember(nodeId));
      return this.#register({ kind: 'local', name, members });
    }
    if (clusterSize === undefined) {
      throw invalidRequest(
        'The size of the cluster is not given.',
        'clusterSize',
        'Give the ClusterSize of its nodes.'
      );
    }
    return this.#register({ kind: 'remote', name, urls: (urls ?? []).map(plainAddress), clusterSize });
  }

  rename(name: string, newName: string): ClusterEntry {
    this.requireRegistered(name);
    this.#parts.registry.rename(name, newName);
    return this.find(newName).entry;
  }

  /** Keeps the history of its schedule, but not its password. */
  forget(name: string): void {
    this.requireRegistered(name);
    this.#parts.registry.remove(name);
    forgetPassword(name, this.#parts.registry);
  }

  addNode(name: string, nodeId: string): ClusterEntry {
    const cluster = this.#local(name);
    return this.#register({ ...cluster, members: [...cluster.members, this.#freeMember(nodeId)] });
  }

  addAddress(name: string, url: string, clusterSize: number | undefined): ClusterEntry {
    const cluster = this.#remote(name);
    const urls = [...new Set([...cluster.urls, plainAddress(url)])];
    return this.#register({ ...cluster, urls, clusterSize: clusterSize ?? cluster.clusterSize });
  }

  removeMember(name: string, memberId: string): ClusterEntry {
    const cluster = this.#get(name);
    const isOther = (place: string): boolean => idOfPlace(place) !== memberId;
    const changed =
      cluster.kind === 'local'
        ? { ...cluster, members: cluster.members.filter(({ dataDirectory }) => isOther(dataDirectory)) }
        : { ...cluster, urls: cluster.urls.filter(isOther) };
    if ((changed.kind === 'local' ? changed.members : changed.urls).length === 0) {
      throw invalidRequest(
        'This is the last member of the cluster.',
        'memberId',
        'Remove the whole cluster instead.'
      );
    }
    return this.#register(changed);
  }

  setAccess(name: string, user: string | null, password: string | undefined): ClusterEntry {
    const { registry, cipher } = this.#parts;
    const { user: earlier, ...cluster } = this.#remote(name);
    const changed = user === null ? cluster : { ...cluster, user };
    // The password belongs to the previous user.
    if (user !== earlier && password === undefined) forgetPassword(name, registry);
    if (user !== null && password !== undefined) storePassword(changed, registry, password, cipher);
    return this.#register(changed);
  }

  /** undefined: the system's authorities. */
  setAuthority(name: string, certificateAuthorityFile: string | undefined): ClusterEntry {
    const { certificateAuthorityFile: _earlier, ...cluster } = this.#remote(name);
    return this.#register({
      ...cluster,
      ...(certificateAuthorityFile !== undefined && { certificateAuthorityFile })
    });
  }

  /** Throws InvalidRequest for a single node, or an unknown name. */
  requireRegistered(name: string): void {
    this.#get(name);
  }

  /** Throws InvalidRequest for a cluster of the other kind. */
  requireRemote(name: string): void {
    this.#remote(name);
  }

  /** The node of the list that a member's directory belongs to. */
  nodeAt(dataDirectory: string): RegisteredNode | undefined {
    const wanted = realPath(dataDirectory);
    return this.#parts.nodes.list().find((node) => realPath(node.dataDirectory) === wanted);
  }

  #registered(): RegisteredCluster[] {
    const { registry, isShown } = this.#parts;
    return registry.list().filter((cluster) => isShown?.(cluster) ?? true);
  }

  /** Throws InvalidRequest if there is none with that name, or it is not shown. */
  #get(name: string): RegisteredCluster {
    const found = this.#registered().find((cluster) => cluster.name === name);
    if (found) return found;
    throw invalidRequest(`There is no cluster "${name}".`, 'cluster', 'Choose another one.');
  }

  #register(cluster: RegisteredCluster): ClusterEntry {
    this.#parts.registry.register(cluster);
    return this.#entryOf(cluster, false);
  }

  #local(name: string): LocalCluster {
    const cluster = this.#get(name);
    if (cluster.kind === 'local') return cluster;
    throw invalidRequest(
      `"${name}" is a cluster of running nodes, reached by their addresses.`,
      'cluster',
      'Create a separate cluster for stopped nodes.'
    );
  }

  #remote(name: string): RemoteCluster {
    const cluster = this.#get(name);
    if (cluster.kind === 'remote') return cluster;
    throw invalidRequest(
      `"${name}" is a cluster of stopped nodes, which has no addresses.`,
      'cluster',
      'Create a separate cluster for running nodes.'
    );
  }

  #freeMember(nodeId: string): LocalCluster['members'][number] {
    const { dataDirectory, indexDirectory, name } = this.#parts.nodes.get(nodeId);
    const other = this.#parts.registry.memberOf(dataDirectory);
    if (other) {
      throw invalidRequest(
        `${name} is a member of the cluster "${other.name}".`,
        'nodeId',
        'Remove it from that cluster first.'
      );
    }
    return { dataDirectory, ...(indexDirectory !== undefined && { indexDirectory }) };
  }

  #entryOf(cluster: RegisteredCluster, isImplied: boolean): ClusterEntry {
    const { registry, environment } = this.#parts;
    const members =
      cluster.kind === 'local'
        ? cluster.members.map(({ dataDirectory }) => this.#localMember(dataDirectory))
        : cluster.urls.map(remoteMember);
    const common = {
      name: cluster.name,
      title: isImplied ? (members[0]?.name ?? cluster.name) : cluster.name,
      isImplied,
      members
    };
    if (cluster.kind === 'local') {
      const none = { user: null, password: 'none', certificateAuthority: null } as const;
      return { ...common, kind: 'local', clusterSize: members.length, ...none };
    }
    const { clusterSize, user, certificateAuthorityFile: file } = cluster;
    return {
      ...common,
      kind: 'remote',
      clusterSize,
      user: user ?? null,
      password: passwordPlace(cluster, registry, environment),
      certificateAuthority: file === undefined ? null : path.basename(file)
    };
  }

  #localMember(dataDirectory: string): ClusterMember {
    const node = this.nodeAt(dataDirectory);
    return {
      id: idOfPlace(dataDirectory),
      kind: 'local',
      place: dataDirectory,
      name: node?.name ?? path.basename(dataDirectory),
      nodeId: node?.id ?? null
    };
  }
}

/** On a served page, whose folders do not hold all members. */
function notShown(node: string): EngineError {
  return invalidRequest(
    `${node} belongs to a cluster with members that this service does not show.`,
    'nodeId',
    'Start the service with --allow-path DIR for a folder around all of them.'
  );
}

/** The same place has the same id. */
export function idOfPlace(place: string): string {
  return createHash('sha256').update(place).digest('hex').slice(0, 16);
}

function remoteMember(url: string): ClusterMember {
  return { id: idOfPlace(url), kind: 'remote', place: url, name: new URL(url).host, nodeId: null };
}

/** `https://node-1:2113`: already checked at the gate; drops everything after the port. */
function plainAddress(url: string): string {
  return new URL(url).origin;
}

function realPath(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    return path.resolve(directory); // opening it reports that nothing is there
  }
}
