/** What the palette can do about clusters and about the node's place in one. */
import { texts } from '../../texts.ts';
import type { Command } from '../command.ts';
import type { Workbench } from '../workbench.svelte.ts';

export function clusterCommands(workbench: Workbench): Command[] {
  const { places, nodes, clusters } = workbench;
  const words = texts.clusters.palette;
  const node = nodes.find(places.current.nodeId);
  const shown = clusters.find(places.current.cluster);
  const commands: Command[] = [];
  const action = (id: string, name: string, run: () => void): void => {
    commands.push({ id: `clusters.${id}`, group: 'actions', name, run });
  };

  action('new', words.newCluster, () => clusters.put({ kind: 'newCluster', nodeIds: [] }));
  action('newRemote', words.newRemote, () => clusters.put({ kind: 'newRemote' }));
  if (shown) {
    const cluster = shown.name;
    action('rename', words.renameCluster, () => clusters.put({ kind: 'renameCluster', cluster }));
    action('forget', words.forgetCluster, () => clusters.put({ kind: 'forgetCluster', cluster }));
  }
  if (node) {
    const nodeId = node.id;
    const present = clusters.ofNode(nodeId);
    action('thisNode', words.thisNode, () => places.go({ view: 'node' }));
    action('renameNode', words.renameNode, () => clusters.put({ kind: 'renameNode', nodeId }));
    for (const { name } of clusters.local.filter((cluster) => cluster.name !== present?.name)) {
      action(`move.${name}`, words.moveTo(name), () => {
        void workbench.attempt(() => clusters.move(nodeId, name));
      });
    }
    if (present)
      action('takeOut', words.takeOut, () => void workbench.attempt(() => clusters.takeOut(nodeId)));
    action('forgetNode', words.forgetNode, () => clusters.put({ kind: 'forgetNode', nodeId }));
  }
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
