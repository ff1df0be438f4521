/**
 * The node that a service hosts, as the only entry of the page's list. It is in the person's own list too, which
 * keeps its name, kind and backup target; a browser does not see other entries of that list.
 */
import { invalidRequest } from '../../../src-core/index.ts';
import type { Nodes } from '../../verbs/verb-handlers.ts';
import type { DatabaseLocation } from '../../contract/operations/operation-contract.ts';
import { NodeRegistry, type RegisteredNode } from '../../settings/node-registry.ts';

export interface HostedNodeParts {
  winnowHome: string;
  clock: () => number;
  location: DatabaseLocation;
  /** The option `--single-node`: cannot be changed while the service runs. */
  saidSingleNode: boolean;
  /** What configuration and registrations said at the start. */
  clusterSize: number | undefined;
}

export interface HostedNodeEntry extends Nodes {
  id: string;
}

export function hostedNode(parts: HostedNodeParts): HostedNodeEntry {
  const { winnowHome, clock, location, saidSingleNode, clusterSize } = parts;
  const registry = new NodeRegistry(winnowHome, clock);
  const { dataDirectory, indexDirectory } = location;
  const opened = { dataDirectory, ...(indexDirectory === undefined ? {} : { indexDirectory }) };
  const { id } = registry.open(opened);

  const entry = (): RegisteredNode => {
    // Another program may have removed it from the list meanwhile.
    const node = registry.find(id) ?? registry.open(opened);
    return {
      ...node,
      ...(saidSingleNode ? { isSingleNode: true } : {}),
      ...(clusterSize === undefined ? {} : { clusterSize })
    };
  };
  return {
    id,
    list: () => [entry()],
    find: (asked) => (asked === id ? entry() : undefined),
    edit: (asked, edit) => {
      if (saidSingleNode && edit.isSingleNode === false) {
        throw invalidRequest(
          'The service was started for a single node.',
          'isSingleNode',
          'Start it without --single-node.'
        );
      }
      return asked === id && registry.edit(id, edit) ? entry() : undefined;
    },
    open: () => {
      throw invalidRequest('This service hosts one node.', 'db', 'Start another service for another node.');
    },
    forget: () => undefined,
    recall: () => undefined
  };
}
