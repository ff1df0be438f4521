/**
 * The nodes that a served page shows: the one that the service hosts, and those of the person's own list that lie in the
 * folders which the service was started with. A browser does not see other entries of that list: everybody who may log in
 * may read every node that is shown here, so the person who starts the service decides, by naming folders.
 */
import { realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { invalidRequest } from '../../../src-core/index.ts';
import type { Nodes } from '../../verbs/verb-handlers.ts';
import type { DatabaseLocation } from '../../contract/operations/operation-contract.ts';
import {
  NodeRegistry,
  unknownNode,
  type OpenedNode,
  type RegisteredNode
} from '../../settings/node-registry.ts';
import { isInside } from './allowed-folders.ts';

export interface ServedNodesParts {
  winnowHome: string;
  clock: () => number;
  location: DatabaseLocation;
  /** The option `--single-node`: cannot be changed while the service runs. */
  saidSingleNode: boolean;
  /** What configuration and registrations said at the start. */
  clusterSize: number | undefined;
  /** Folders whose databases may be opened from a page. Absolute. */
  roots: readonly string[];
}

export interface ServedNodes extends Nodes {
  /** Of the node that the service hosts. */
  id: string;
  /** The hosted node is no member of a cluster, and becomes none while the service runs. */
  isSaidSingle: boolean;
  hosted: () => RegisteredNode;
  /** Throws DatabaseNotFound. */
  get: (id: string) => RegisteredNode;
  /** Whether a directory, all links followed, lies where a page may open databases. */
  isOpenable: (directory: string) => boolean;
  /** Follows the links of the folders again: asked before what is in them is decided. */
  refresh: () => Promise<void>;
}

export function servedNodes(parts: ServedNodesParts): ServedNodes {
  const { winnowHome, clock, location, saidSingleNode, clusterSize } = parts;
  const registry = new NodeRegistry(winnowHome, clock);
  const { dataDirectory, indexDirectory } = location;
  const opened = { dataDirectory, ...(indexDirectory === undefined ? {} : { indexDirectory }) };
  const { id } = registry.open(opened);
  let roots: readonly string[] = [];

  const isOpenable = (directory: string): boolean => roots.some((root) => isInside(root, directory));
  const isShown = (node: RegisteredNode): boolean =>
    node.id === id ||
    (isOpenable(node.dataDirectory) &&
      (node.indexDirectory === undefined || isOpenable(node.indexDirectory)));
  const withNature = (node: RegisteredNode): RegisteredNode =>
    node.id !== id
      ? node
      : {
          ...node,
          ...(saidSingleNode ? { isSingleNode: true } : {}),
          ...(clusterSize === undefined ? {} : { clusterSize })
        };
  // Another program may have removed it from the list meanwhile.
  const hosted = (): RegisteredNode => withNature(registry.find(id) ?? registry.open(opened));
  const find = (asked: string): RegisteredNode | undefined =>
    asked === id ? hosted() : registry.list().find((node) => node.id === asked && isShown(node));

  return {
    id,
    isSaidSingle: saidSingleNode,
    hosted,
    isOpenable,
    list: () => [hosted(), ...registry.list().filter((node) => node.id !== id && isShown(node))],
    find,
    get: (asked) => {
      const node = find(asked);
      if (!node) throw unknownNode(asked);
      return node;
    },
    edit: (asked, edit) => {
      if (asked === id && saidSingleNode && edit.isSingleNode === false) {
        throw invalidRequest(
          'The service was started for a single node.',
          'isSingleNode',
          'Start it without --single-node.'
        );
      }
      if (!find(asked)) return undefined;
      const edited = registry.edit(asked, edit);
      return edited && withNature(edited);
    },
    open: (asked) => {
      refuseOutside(asked, { dataDirectory: hosted().dataDirectory, isOpenable });
      return withNature(registry.open(asked));
    },
    forget: (asked) => {
      if (asked === id) {
        throw invalidRequest(
          'This service hosts the node: it stays in the list.',
          'id',
          'End the service, or start it for another node.'
        );
      }
      if (find(asked)) registry.forget(asked);
    },
    recall: (node) => registry.recall(node),
    refresh: async () => {
      roots = await Promise.all(parts.roots.map((root) => realpath(root).catch(() => root)));
    }
  };
}

/** Before it becomes an entry of the list, which every user of the page sees. */
function refuseOutside(
  { dataDirectory, indexDirectory }: OpenedNode,
  { dataDirectory: own, isOpenable }: { dataDirectory: string; isOpenable: (directory: string) => boolean }
): void {
  const places = [dataDirectory, ...(indexDirectory === undefined ? [] : [indexDirectory])].map(realPath);
  const outside = places.find((place) => place !== own && !isOpenable(place));
  if (outside === undefined) return;
  throw invalidRequest(
    `${outside} is outside the folders whose databases this service shows.`,
    'path',
    'Start the service with --allow-path DIR for a folder around it.'
  );
}

/** What is not there keeps its name: the registry will say the same of it. */
function realPath(place: string): string {
  try {
    return realpathSync(place);
  } catch {
    return place;
  }
}
