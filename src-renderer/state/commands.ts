/** Everything the palette can do, as data: what it is called, by which keys it is reached, what it does. */
import { texts } from '../texts.ts';
import { clusterCommands } from './clusters/clusters-commands.ts';
import type { Command } from './command.ts';
import { isInForeignUse } from './in-use.ts';
import { writesToNode } from './operations.svelte.ts';
import { addressOf, VIEWS } from './places.svelte.ts';
import { startPlan } from './plan.ts';
import { showStart } from './start-check.ts';
import type { Workbench } from './workbench.svelte.ts';

/** Views with a key of their own. */
const NUMBERED_VIEWS = 9;

export function commandsOf(workbench: Workbench): Command[] {
  const { places, nodes, operations, database, appearance } = workbench;
  const { choosesPaths, writes } = workbench.capabilities;
  const node = nodes.find(places.current.nodeId);
  const names = texts.palette.actionsList;
  const commands: Command[] = [];
  const action = (id: keyof typeof names, run: () => void, keys?: string): void => {
    commands.push({ id, group: 'actions', name: names[id], run, ...(keys === undefined ? {} : { keys }) });
  };

  if (node) {
    VIEWS.forEach((view, index) => {
      commands.push({
        id: `view.${view}`,
        group: 'views',
        name: texts.views[view],
        ...(index < NUMBERED_VIEWS ? { keys: `Ctrl ${index + 1}` } : {}),
        run: () => places.go({ view })
      });
    });
    if (!operations.isWriting(node.id)) {
      action('plan', () => {
        places.go({ view: 'scavenge' });
        void workbench.attempt(() => startPlan(workbench, node));
      });
      action('verify', () => {
        places.go({ view: 'verify' });
        void workbench.attempt(() => operations.start(node.id, 'verifyDatabase', {}));
      });
      action('doctor', () => void workbench.attempt(() => showStart(workbench, node)));
    }
    if (writes && node.backupTarget !== undefined && !operations.isOccupied(node.id)) {
      action('backup', () => {
        places.go({ view: 'backups' });
        void workbench.attempt(() => operations.start(node.id, 'planBackup', {}));
      });
    }
    action('refresh', () => void database.refresh(), 'F5');
    action('copyPath', () => workbench.copy(node.dataDirectory));
    action('copyAddress', () => workbench.copy(addressOf(places.current)));
  }
  const running = operations.running[0];
  if (running && (writes || !writesToNode(running)))
    action('stop', () => void workbench.attempt(() => operations.stop(running.id)));
  if (choosesPaths) {
    action('openDirectory', () => openWith(workbench, () => nodes.openDirectory()));
    action('openConfiguration', () => openWith(workbench, () => nodes.openConfiguration()));
    action('createSample', () => void workbench.attempt(() => operations.createSample()));
  }
  if (choosesPaths) {
    action('settings', () => places.go({ application: 'settings' }), 'Ctrl ,');
    action('activity', () => places.go({ application: 'activity' }));
    action('about', () => places.go({ application: 'about' }));
    action('zoomIn', () => void workbench.attempt(() => appearance.zoom('in')), 'Ctrl +');
    action('zoomOut', () => void workbench.attempt(() => appearance.zoom('out')), 'Ctrl -');
    action('zoomReset', () => void workbench.attempt(() => appearance.zoom('reset')), 'Ctrl 0');
  }
  action('theme', () => appearance.nextTheme());
  action('sideBar', () => appearance.toggleSideBar(), 'Ctrl B');
  if (places.canGoBack) action('back', () => places.back(), 'Alt Left');
  if (places.canGoForward) action('forward', () => places.forward(), 'Alt Right');

  if (choosesPaths) commands.push(...clusterCommands(workbench));
  for (const other of nodes.list) {
    commands.push({
      id: `node.${other.id}`,
      group: 'nodes',
      name: other.name,
      note: isCurrentInUse(workbench, other.id) ? texts.inUse.badge : other.dataDirectory,
      run: () => places.go({ nodeId: other.id })
    });
  }
  return commands;
}

function isCurrentInUse(workbench: Workbench, nodeId: string): boolean {
  return nodeId === workbench.places.current.nodeId && isInForeignUse(workbench);
}

function openWith(workbench: Workbench, choose: () => Promise<{ id: string } | null>): void {
  void workbench.attempt(async () => {
    const node = await choose();
    if (node) workbench.places.go({ nodeId: node.id });
  });
}

/** What a typed number or address could mean: a chunk, a position in the log, a place. */
export function commandsForText(workbench: Workbench, text: string): Command[] {
  const { places, database } = workbench;
  const chunks = database.chunks?.chunks ?? [];
  const typed = text.trim().replaceAll(/[ ,_']/g, '');
  if (!/^\d+$/.test(typed) || places.current.nodeId === null) return [];
  const number = Number(typed);
  const commands: Command[] = [];
  const byNumber = chunks.find((chunk) => chunk.chunkStart <= number && number <= chunk.chunkEnd);
  if (byNumber) {
    commands.push({
      id: 'go.chunk',
      group: 'go',
      name: texts.palette.chunk(typed),
      note: byNumber.file,
      run: () => places.go({ view: 'chunks', item: typed })
    });
  }
  const byPosition = chunks.find((chunk) => chunk.logicalStart <= number && number < chunk.logicalEnd);
  if (byPosition) {
    commands.push({
      id: 'go.record',
      group: 'go',
      name: texts.palette.record(typed),
      note: byPosition.file,
      run: () =>
        places.go({ view: 'chunks', item: String(byPosition.chunkStart), hasRecords: true, record: number })
    });
  }
  return commands;
}

const RECENT_KEY = 'winnow.recentCommands';
const RECENT_KEPT = 5;

/** Ids of the commands used last, newest first. */
export function recentCommandIds(): string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(RECENT_KEY) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

export function rememberCommand(id: string): void {
  const ids = [id, ...recentCommandIds().filter((known) => known !== id)].slice(0, RECENT_KEPT);
  localStorage.setItem(RECENT_KEY, JSON.stringify(ids));
}
