/**
 * Whether a node is a single node or a member of a cluster, as far as it was stated: in the server's
 * configuration, by registration in a cluster, in the answer kept in the node registry, by the option. A directory
 * alone never shows it.
 */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { invalidRequest, type EngineError } from '../../src-core/index.ts';
import { ClusterRegistry } from './cluster-registry.ts';
import { NodeRegistry } from './node-registry.ts';

export interface Membership {
  /** false: a member of a cluster, of whatever size. Absent: nobody said. */
  singleNode?: boolean;
  /** The cluster in which it is registered with others. */
  clusterName?: string;
}

export interface MembershipQuestion {
  dataDirectory: string;
  /** The option `--single-node`. */
  saidSingleNode: boolean;
  /** ClusterSize of the server's configuration. */
  configuredSize: number | undefined;
  winnowHome: string;
}

/** Throws InvalidRequest if the option contradicts what is known. */
export function knownMembership(question: MembershipQuestion): Membership {
  const registered = registeredNode(question);
  const size =
    statedSize(question) ?? (registered?.isSingleNode === false ? undefined : registered?.clusterSize);
  // The size that a configuration or a cluster names wins over the answer "member", whose size nobody named.
  const isSingle = size === undefined ? answerOf(registered) : size === 1;
  const clusterName = clusterNameOf(question);
  if (question.saidSingleNode && isSingle === false) throw contradiction(size, clusterName);
  const singleNode = question.saidSingleNode || registered?.isSingleNode === true ? true : isSingle;
  return {
    ...(singleNode === undefined ? {} : { singleNode }),
    ...(clusterName === undefined ? {} : { clusterName })
  };
}

/** Members of its cluster; undefined: nobody said. */
export function knownClusterSize(question: MembershipQuestion): number | undefined {
  return statedSize(question) ?? registeredNode(question)?.clusterSize;
}

/** What a person answered about a node, or the configuration it was opened with says; undefined: neither. */
export function answerOf(
  node: { isSingleNode: boolean | null; clusterSize?: number } | undefined
): boolean | undefined {
  if (typeof node?.isSingleNode === 'boolean') return node.isSingleNode;
  return node?.clusterSize === undefined ? undefined : node.clusterSize === 1;
}

function statedSize({ configuredSize, winnowHome, dataDirectory }: MembershipQuestion): number | undefined {
  return configuredSize ?? new ClusterRegistry(winnowHome).memberOf(dataDirectory)?.members.length;
}

function clusterNameOf({ winnowHome, dataDirectory }: MembershipQuestion): string | undefined {
  const cluster = new ClusterRegistry(winnowHome).memberOf(dataDirectory);
  return cluster && cluster.members.length > 1 ? cluster.name : undefined;
}

function contradiction(size: number | undefined, clusterName: string | undefined): EngineError {
  const which =
    clusterName !== undefined
      ? `the cluster "${clusterName}"`
      : size === undefined
        ? 'a cluster'
        : `a cluster of ${size}`;
  return invalidRequest(
    `"--single-node" contradicts what is known: this node is a member of ${which}.`,
    '--single-node',
    clusterName === undefined
      ? 'Choose "--scavenge-point existing" or "detached", or correct the configuration or the registration.'
      : `Scavenge all its members with "winnow cluster scavenge ${clusterName}", or choose "--scavenge-point existing" or "detached".`
  );
}

function registeredNode({ dataDirectory, winnowHome }: MembershipQuestion) {
  const directory = realPath(dataDirectory);
  return new NodeRegistry(winnowHome, () => 0).list().find((node) => node.dataDirectory === directory);
}

/** The registry knows directories by their real path. */
function realPath(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    return path.resolve(directory); // the engine reports that nothing is there
  }
}
