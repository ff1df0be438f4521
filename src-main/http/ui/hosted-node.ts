/**
 * The node that a service hosts, as the one entry of the page's list. It stands in the person's own list as well, which
 * keeps its name, its nature and its backup target; other entries of that list are not shown to a browser.
 */
import { invalidRequest } from '../../../src-core/index.ts';
import type { Nodes } from '../../ipc/verb-handlers.ts';
import type { DatabaseLocation } from '../../operations/operation-contract.ts';
import type { Membership } from '../../settings/cluster-membership.ts';
import { NodeRegistry, type RegisteredNode } from '../../settings/node-registry.ts';

export interface HostedNodeParts {
  winnowHome: string;
  clock: () => number;
  location: DatabaseLocation;
  /** What options, configuration and registrations say of it; read at each question. */
  membership: () => Membership;
}

export interface HostedNodeEntry extends Nodes {
  id: string;
}

export function hostedNode({ winnowHome, clock, location, membership }: HostedNodeParts): HostedNodeEntry {
  const registry = new NodeRegistry(winnowHome, clock);
  const { dataDirectory, indexDirectory } = location;
  const opened = { dataDirectory, ...(indexDirectory === undefined ? {} : { indexDirectory }) };
  const { id } = registry.open(opened);

  const entry = (): RegisteredNode => {
    // Another program may have taken it off the list meanwhile.
    const node = registry.find(id) ?? registry.open(opened);
    const { singleNode, clusterSize } = membership();
    return {
      ...node,
      ...(singleNode ? { isSingleNode: true } : {}),
      ...(clusterSize === undefined ? {} : { clusterSize })
    };
  };
  return {
    id,
    list: () => [entry()],
    find: (asked) => (asked === id ? entry() : undefined),
    edit: (asked, edit) => (asked === id && registry.edit(id, edit) ? entry() : undefined),
    open: () => {
      throw invalidRequest('This service hosts one node.', 'db', 'Start another service for another node.');
    },
    forget: () => undefined
  };
}
