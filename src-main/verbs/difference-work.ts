/** What the main process adds to work about several nodes that the window starts: the directories and backups that its ids stand for. */
import { invalidRequest } from '../../src-core/index.ts';
import type { ComparesWith, NodeEntry } from '../contract/verbs/workbench-contract.ts';
import { unknownNode } from '../settings/node-registry.ts';
import { keysOf, targetAt, targetOf, type Choices } from './restore-work.ts';

interface Location {
  dataDirectory: string;
  indexDirectory?: string;
}

interface Side extends Location {
  name?: string;
}

export interface ComparedSides {
  name: string;
  others: Side[];
  s3Endpoint?: string;
  keyFile?: string;
  password?: string;
}

/** The node comes first; each of the others is compared with it. Throws InvalidRequest without any other. */
export function comparedSides(node: NodeEntry, asked: ComparesWith, choices: Choices): ComparedSides {
  const backup = asked.usesBackups === true ? targetOf(node) : undefined;
  const place = asked.fromPlace === undefined ? undefined : targetAt(asked.fromPlace, choices);
  const others: Side[] = [
    ...nodeIdsOf(asked).map((id) => sideOf(id, choices)),
    ...[backup, place].flatMap((one) => (one ? [{ dataDirectory: one.target }] : []))
  ];
  if (others.length === 0) {
    throw invalidRequest(
      'There is nothing to compare with.',
      'others',
      'Choose a node, a backup or a directory.'
    );
  }
  const s3Endpoint = place?.s3Endpoint ?? backup?.s3Endpoint;
  return {
    name: node.name,
    others,
    ...(s3Endpoint === undefined ? {} : { s3Endpoint }),
    ...keysOf(node, asked, choices)
  };
}

/** Of the other members of a cluster. */
export function memberLocations(asked: Pick<ComparesWith, 'otherNodes'>, choices: Choices): Location[] {
  return nodeIdsOf(asked).map((id) => {
    const { dataDirectory, indexDirectory } = sideOf(id, choices);
    return indexDirectory === undefined ? { dataDirectory } : { dataDirectory, indexDirectory };
  });
}

/** Not checked at the gate: the window's own members are any values. */
function nodeIdsOf({ otherNodes = [] }: Pick<ComparesWith, 'otherNodes'>): string[] {
  const ids: unknown = otherNodes;
  if (Array.isArray(ids) && ids.every((id) => typeof id === 'string')) return ids;
  throw invalidRequest('The other nodes are not a list of nodes.', 'otherNodes', 'Choose them again.');
}

function sideOf(id: string, { nodeNamed }: Choices): Side {
  const node = nodeNamed(id);
  if (!node) throw unknownNode(id);
  const { dataDirectory, indexDirectory, name } = node;
  return indexDirectory === undefined ? { dataDirectory, name } : { dataDirectory, indexDirectory, name };
}
