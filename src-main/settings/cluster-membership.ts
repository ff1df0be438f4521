/**
 * Whether a node is a single node or a member of a cluster, as far as it was stated: in the server's
 * configuration, by registration in a cluster, in the answer kept in the node registry, by the option. A directory
 * alone never shows it.
 */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { invalidRequest } from '../../src-core/index.ts';
import { ClusterRegistry } from './cluster-registry.ts';
import { NodeRegistry } from './node-registry.ts';

/** What "member" in the registry means for a node if the size of its cluster is not known. */
const SMALLEST_CLUSTER = 2;

export interface Membership {
  singleNode: boolean;
  clusterSize?: number;
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
  const registeredSize =
    registered?.isSingleNode === false
      ? Math.max(registered.clusterSize ?? SMALLEST_CLUSTER, SMALLEST_CLUSTER)
      : registered?.clusterSize;
  const cluster = new ClusterRegistry(question.winnowHome).memberOf(question.dataDirectory);
  const clusterSize = question.configuredSize ?? cluster?.members.length ?? registeredSize;
  const clusterName = cluster && cluster.members.length > 1 ? cluster.name : undefined;
  if (question.saidSingleNode && clusterSize !== undefined && clusterSize > 1) {
    const which = clusterName === undefined ? `a cluster of ${clusterSize}` : `the cluster "${clusterName}"`;
    throw invalidRequest(
      `"--single-node" contradicts what is known: this node is a member of ${which}.`,
      '--single-node',
      clusterName === undefined
        ? 'Choose "--scavenge-point existing" or "detached", or correct the configuration or the registration.'
        : `Scavenge all its members with "winnow cluster scavenge ${clusterName}", or choose "--scavenge-point existing" or "detached".`
    );
  }
  return {
    singleNode: question.saidSingleNode || registered?.isSingleNode === true,
    ...(clusterSize === undefined ? {} : { clusterSize }),
    ...(clusterName === undefined ? {} : { clusterName })
  };
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
