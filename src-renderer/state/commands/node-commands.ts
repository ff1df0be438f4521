/** What can be done with the node that is shown, and the ways to its views and to other nodes. */
import { texts } from '../../texts.ts';
import { isInForeignUse } from '../in-use.ts';
import { addressOf, VIEWS } from '../places.svelte.ts';
import { startPlan } from '../scavenge/plan.ts';
import { planRepair } from '../repair-work.ts';
import { showStart } from '../start/start-check.ts';
import type { Workbench } from '../workbench.svelte.ts';
import { actionsInto, type Command } from './command.ts';
import { keysOfView } from './view-keys.ts';

const { obstacles, actionsList: names } = texts.palette;

/** The views of the node shown. */
export function viewCommands({ places }: Workbench): Command[] {
  const isNodeShown = places.current.nodeId !== null;
  return VIEWS.map((view) => {
    const keys = keysOfView(view);
    return {
      id: `view.${view}`,
      group: 'views',
      name: texts.views[view],
      run: () => places.go({ view }),
      ...(keys === undefined ? {} : { keys }),
      ...(isNodeShown ? {} : { obstacle: obstacles.noNode })
    };
  });
}

export function nodeCommands(workbench: Workbench): Command[] {
  const { places, nodes, operations, database } = workbench;
  const { isWindow, writes } = workbench.capabilities;
  const node = nodes.find(places.current.nodeId);
  const commands: Command[] = [];
  const action = actionsInto(commands);
  const withNode = (run: (shown: NonNullable<typeof node>) => unknown) => () => {
    if (node) void workbench.attempt(async () => run(node));
  };
  const noNode = !node && obstacles.noNode;
  const writing = node && operations.isWriting(node.id) && obstacles.writing;
  const occupied = node && operations.isOccupied(node.id) && obstacles.writing;
  const mayNotWrite = !writes && obstacles.mayNotWrite;
  const inUse = isInForeignUse(workbench) && obstacles.inUse;
  const noTarget = node?.backupTarget === undefined && obstacles.noTarget;

  action(
    'plan',
    names.plan,
    withNode(async (shown) => {
      places.go({ view: 'scavenge' });
      await startPlan(workbench, shown);
    }),
    { unless: [noNode, writing] }
  );
  action('scavenge', names.scavenge, () => places.go({ view: 'scavenge' }), {
    unless: [noNode, mayNotWrite, inUse]
  });
  action('rescue', names.rescue, () => places.go({ view: 'rescue' }), {
    unless: [noNode, mayNotWrite, inUse]
  });
  action(
    'verify',
    names.verify,
    withNode(async (shown) => {
      places.go({ view: 'verify' });
      await operations.start(shown.id, 'verifyDatabase', {});
    }),
    { unless: [noNode, writing] }
  );
  action(
    'doctor',
    names.doctor,
    withNode((shown) => showStart(workbench, shown)),
    { unless: [noNode, writing] }
  );
  action(
    'repair',
    names.repair,
    withNode(async (shown) => {
      places.go({ view: 'verify' });
      await planRepair(operations, shown, {
        usesBackups: shown.backupTarget !== undefined,
        acceptLoss: false,
        assumeStopped: false
      });
    }),
    { unless: [noNode, mayNotWrite, occupied, inUse] }
  );
  action(
    'rebuildIndex',
    names.rebuildIndex,
    withNode(async (shown) => {
      places.go({ view: 'verify' });
      await operations.start(shown.id, 'planIndexRebuild', {});
    }),
    { unless: [noNode, mayNotWrite, occupied, inUse] }
  );
  action(
    'backup',
    names.backup,
    withNode(async (shown) => {
      places.go({ view: 'backups' });
      await operations.start(shown.id, 'planBackup', {});
    }),
    { unless: [noNode, mayNotWrite, occupied, noTarget] }
  );
  const eraseInBackup = () => {
    const { view, item } = places.current;
    places.go({ view: 'backups', item: view === 'backups' ? item : null, options: { erase: 'form' } });
  };
  action('eraseInBackup', names.eraseInBackup, eraseInBackup, {
    unless: [noNode, mayNotWrite, occupied, noTarget]
  });
  const rekeyBackups = () => places.go({ view: 'backups', options: { rekey: 'form' } });
  action('rekeyBackups', names.rekeyBackups, rekeyBackups, {
    unless: [noNode, mayNotWrite, occupied, noTarget]
  });
  const toRestore = () => places.go(node ? { view: 'restore' } : { application: 'restore' });
  action('restore', names.restore, toRestore, {
    unless: [mayNotWrite]
  });
  action('erasure', names.erasure, () => places.go({ view: 'erasure' }), { unless: [noNode] });
  const extract = () => places.go({ view: 'extract' });
  action('extract', names.extract, extract, { unless: [noNode, mayNotWrite] });
  action('export', names.export, extract, { unless: [noNode, mayNotWrite] });
  action('bundle', names.bundle, extract, { unless: [noNode, mayNotWrite] });
  action('schedule', names.schedule, () => places.go({ view: 'schedule' }), {
    unless: [noNode]
  });
  action('refresh', names.refresh, () => void database.refresh(), { keys: 'F5', unless: [noNode] });
  action(
    'showInFolder',
    names.showInFolder,
    withNode((shown) => nodes.showInFolder(shown.id)),
    { unless: [!isWindow && obstacles.onlyInWindow, noNode] }
  );
  action(
    'copyPath',
    names.copyPath,
    withNode((shown) => workbench.copy(shown.dataDirectory)),
    { unless: [noNode] }
  );
  action('copyAddress', names.copyAddress, () => workbench.copy(addressOf(places.current)), {
    unless: [noNode]
  });
  return commands;
}

export function nodesToGoTo(workbench: Workbench): Command[] {
  const { nodes, places } = workbench;
  return nodes.list.map(({ id, name, dataDirectory }) => ({
    id: `node.${id}`,
    group: 'nodes',
    name,
    note: id === places.current.nodeId && isInForeignUse(workbench) ? texts.inUse.badge : dataDirectory,
    run: () => places.go({ nodeId: id })
  }));
}
