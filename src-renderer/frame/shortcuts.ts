/** The keys that work everywhere. Views have their own on top; keys of text fields stay theirs. */
import { runCommand } from '../state/commands/commands.ts';
import { viewOfKey } from '../state/commands/view-keys.ts';
import type { Workbench } from '../state/workbench.svelte.ts';

/** By the sign on the key, with and without Shift. */
const ZOOM_KEYS: Readonly<Record<string, 'in' | 'out' | 'reset'>> = {
  '+': 'in',
  '=': 'in',
  '-': 'out',
  _: 'out',
  '0': 'reset'
};

export function handleShortcut(event: KeyboardEvent, workbench: Workbench): void {
  const { places, database, appearance } = workbench;
  const hasCommand = event.ctrlKey || event.metaKey;
  if (event.altKey && !hasCommand && event.key === 'ArrowLeft') places.back();
  else if (event.altKey && !hasCommand && event.key === 'ArrowRight') places.forward();
  else if (hasCommand && !event.shiftKey && event.key.toLowerCase() === 'k') workbench.isPaletteOpen = true;
  else if (hasCommand && !event.shiftKey && event.key.toLowerCase() === 'o')
    runCommand(workbench, 'openDirectory');
  else if (event.key === 'F1' && event.shiftKey && !hasCommand) runCommand(workbench, 'documentationAbout');
  else if (event.key === 'F1' && !hasCommand) workbench.isShowingShortcuts = true;
  else if (hasCommand && event.key.toLowerCase() === 'b') appearance.toggleSideBar();
  else if (hasCommand && event.key === ',') {
    places.go({ application: 'settings' });
  } else if (hasCommand && !event.altKey && ZOOM_KEYS[event.key] !== undefined) {
    // In a browser these keys are the browser's own.
    const step = ZOOM_KEYS[event.key];
    if (!workbench.capabilities.isWindow || step === undefined) return;
    void workbench.attempt(() => appearance.zoom(step));
  } else if (event.key === 'F5' && !hasCommand) void database.refresh();
  else if (hasCommand && !event.altKey && /^[1-9]$/.test(event.key) && places.current.nodeId !== null) {
    const view = viewOfKey(Number(event.key));
    if (view === undefined) return;
    places.go({ view });
  } else return;
  event.preventDefault();
}
