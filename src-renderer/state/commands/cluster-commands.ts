/** What can be done about clusters and about the node's place in one. In a browser that is for administrators. */
import { texts } from '../../texts.ts';
import { forgetNode } from './forget-node.ts';
import type { Workbench } from '../workbench.svelte.ts';
import { actionsInto, type Command } from './command.ts';

const { obstacles } = texts.palette;

export function clusterCommands(workbench: Workbench): Command[] {
  const { places, nodes, clusters } = workbench;
  const words = texts.clusters.palette;
  const { writes, administers } = workbench.capabilities;
  const onlyAdministrators = !administers && obstacles.onlyAdministrators;
  const mayNotWrite = !writes && obstacles.mayNotWrite;
  const nodeId = nodes.find(places.current.nodeId)?.id ?? '';
  const noNode = nodeId === '' && obstacles.noNode;
  const cluster = clusters.find(places.current.cluster)?.name ?? '';
  const noCluster = cluster === '' && obstacles.noCluster;
  const present = clusters.ofNode(nodeId);
  const commands: Command[] = [];
  const add = actionsInto(commands);
  const action = (id: string, name: string, run: () => void, ...unless: (string | false)[]): void =>
    add(`clusters.${id}`, name, run, { unless: [onlyAdministrators, ...unless] });

  action('new', words.newCluster, () => clusters.put({ kind: 'newCluster', nodeIds: [] }));
  action('newRemote', words.newRemote, () => clusters.put({ kind: 'newRemote' }));
  const rename = () => clusters.put({ kind: 'renameCluster', cluster });
  action('rename', words.renameCluster, rename, noCluster);
  const forget = () => clusters.put({ kind: 'forgetCluster', cluster });
  action('forget', words.forgetCluster, forget, noCluster);
  const thisNode = () => places.go({ view: 'node' });
  add('clusters.thisNode', words.thisNode, thisNode, { unless: [noNode] });
  const renameNode = () => clusters.put({ kind: 'renameNode', nodeId });
  add('clusters.renameNode', words.renameNode, renameNode, { unless: [mayNotWrite, noNode] });
  for (const { name } of clusters.local.filter((other) => other.name !== present?.name)) {
    const move = () => void workbench.attempt(() => clusters.move(nodeId, name));
    action(`move.${name}`, words.moveTo(name), move, noNode);
  }
  const takeOut = () => void workbench.attempt(() => clusters.takeOut(nodeId));
  action('takeOut', words.takeOut, takeOut, noNode, !present && obstacles.inNoCluster);
  const forgetThis = () => void forgetNode(workbench, nodeId);
  add('clusters.forgetNode', words.forgetNode, forgetThis, { unless: [mayNotWrite, noNode] });
  for (const { name } of clusters.list) {
    commands.push({
      id: `cluster.${name}`,
      group: 'nodes',
      name,
      note: words.cluster,
      run: () => places.go({ cluster: name })
    });
  }
  return commands;
}
