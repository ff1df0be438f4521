/** What can be done with the window itself: open, look, go back. */
import { texts } from '../../texts.ts';
import { pageAbout } from '../documentation/contents.ts';
import { writesToNode } from '../operations.svelte.ts';
import type { Workbench } from '../workbench.svelte.ts';
import { actionsInto, type Command } from './command.ts';

const { obstacles, actionsList: names } = texts.palette;

export function windowCommands(workbench: Workbench): Command[] {
  const { places, nodes, operations, appearance } = workbench;
  const { isWindow, writes } = workbench.capabilities;
  const commands: Command[] = [];
  const action = actionsInto(commands);
  const unless = [!isWindow && obstacles.onlyInWindow];
  const mayNotWrite = !writes && obstacles.mayNotWrite;
  const open = (choose: () => Promise<{ id: string } | null>) => () =>
    void workbench.attempt(async () => {
      const node = await choose();
      if (node) places.go({ nodeId: node.id });
    });

  const running = operations.running[0];
  const isForeign = running !== undefined && !writes && writesToNode(running);
  action(
    'stop',
    names.stop,
    () => {
      if (running) void workbench.attempt(() => operations.stop(running.id));
    },
    { unless: [!running && obstacles.nothingRuns, isForeign && obstacles.mayNotWrite] }
  );
  const openDirectory = open(() => nodes.openDirectory());
  action('openDirectory', names.openDirectory, openDirectory, { keys: 'Ctrl O', unless: [mayNotWrite] });
  const openConfiguration = open(() => nodes.openConfiguration());
  action('openConfiguration', names.openConfiguration, openConfiguration, { unless });
  const createSample = () => void workbench.attempt(() => operations.createSample());
  action('createSample', names.createSample, createSample, { unless: [mayNotWrite] });
  const settings = () => places.go({ application: 'settings' });
  action('settings', names.settings, settings, { keys: 'Ctrl ,' });
  action('activity', names.activity, () => places.go({ application: 'activity' }));
  const hasNodes = nodes.list.length > 0;
  const fleet = () => places.go({ application: 'fleet' });
  action('fleet', names.fleet, fleet, { unless: [!hasNodes && obstacles.noNodes] });
  const documentation = () => places.go({ application: 'documentation' });
  action('documentation', names.documentation, documentation);
  const aboutThis = () => places.go({ application: 'documentation', item: pageAbout(places.current) });
  action('documentationAbout', names.documentationAbout, aboutThis, { keys: 'Shift F1' });
  action('about', names.about, () => places.go({ application: 'about' }));
  const zoom = (step: 'in' | 'out' | 'reset') => () => void workbench.attempt(() => appearance.zoom(step));
  action('zoomIn', names.zoomIn, zoom('in'), { keys: 'Ctrl +', unless });
  action('zoomOut', names.zoomOut, zoom('out'), { keys: 'Ctrl -', unless });
  action('zoomReset', names.zoomReset, zoom('reset'), { keys: 'Ctrl 0', unless });
  action('theme', names.theme, () => appearance.nextTheme());
  action('sideBar', names.sideBar, () => appearance.toggleSideBar(), { keys: 'Ctrl B' });
  const sample = nodes.list.find(({ isSample }) => isSample);
  action(
    'tour',
    names.tour,
    () => {
      workbench.tour.again();
      if (sample) places.go({ nodeId: sample.id });
    },
    { unless: [...unless, !sample && obstacles.noSample] }
  );
  action('palette', names.palette, () => (workbench.isPaletteOpen = true), { keys: 'Ctrl K' });
  action('shortcuts', names.shortcuts, () => (workbench.isShowingShortcuts = true), { keys: 'F1' });
  action('back', names.back, () => places.back(), {
    keys: 'Alt Left',
    unless: [!places.canGoBack && obstacles.noBack]
  });
  action('forward', names.forward, () => places.forward(), {
    keys: 'Alt Right',
    unless: [!places.canGoForward && obstacles.noForward]
  });
  return commands;
}
