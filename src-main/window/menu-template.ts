/**
 * The application menu, in the order that people know from other programs. Its items are commands of the page by their
 * ids: what they do, and why one cannot be carried out now, is decided there.
 */
import type { MenuItemConstructorOptions } from 'electron';

export interface MenuParts extends MenuState {
  platform: NodeJS.Platform;
  isPackaged: boolean;
  /** Carries out a command of the page. */
  run: (id: string) => void;
}

export interface MenuState {
  /** Nodes opened before, newest first. */
  recent: readonly { id: string; name: string }[];
  /** Ids of the commands that cannot be carried out now. */
  obstructed?: ReadonlySet<string>;
}

/** Of those opened before; the side bar has them all. */
const RECENT_SHOWN = 10;

export function menuTemplate({
  platform,
  isPackaged,
  recent,
  obstructed = new Set(),
  run
}: MenuParts): MenuItemConstructorOptions[] {
  const isMac = platform === 'darwin';
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  const item = (
    label: string,
    id: string,
    accelerator?: string,
    more: MenuItemConstructorOptions = {}
  ): MenuItemConstructorOptions => ({
    label,
    id,
    enabled: !obstructed.has(id),
    click: () => run(id),
    ...(accelerator === undefined ? {} : { accelerator }),
    ...more
  });
  /** The page hears this key itself, whatever its text fields do with it; the menu only shows it. */
  const shown = { registerAccelerator: false };
  const hidden = { visible: false, acceleratorWorksWhenHidden: true };
  const settings = item('Settings…', 'settings', 'CmdOrCtrl+,', shown);
  const about = item('About Winnow', 'about');
  const views: [label: string, view: string][] = [
    ['Overview', 'overview'],
    ['Chunks', 'chunks'],
    ['Records', 'records'],
    ['Streams', 'streams'],
    ['Index', 'index'],
    ['Usage', 'usage']
  ];
  const viewItems = views.map(([label, view], index) =>
    item(label, `view.${view}`, `CmdOrCtrl+${index + 1}`, shown)
  );

  return [
    ...(isMac
      ? [
          {
            label: 'Winnow',
            submenu: [
              about,
              separator,
              settings,
              separator,
              { role: 'services' } as const,
              separator,
              { role: 'hide' } as const,
              { role: 'hideOthers' } as const,
              { role: 'unhide' } as const,
              separator,
              { role: 'quit' } as const
            ]
          }
        ]
      : []),
    {
      label: '&File',
      submenu: [
        item('&Open…', 'openDirectory', 'CmdOrCtrl+O', shown),
        item('Open server &configuration…', 'openConfiguration'),
        {
          label: 'Open &Recent',
          enabled: recent.length > 0,
          submenu: recent
            .slice(0, RECENT_SHOWN)
            .map(({ id, name }) => item(name.replaceAll('&', '&&'), `node.${id}`))
        },
        item('Create the sample database', 'createSample'),
        separator,
        item('New cluster…', 'clusters.new'),
        item('Add a running cluster…', 'clusters.newRemote'),
        separator,
        item('Restore…', 'restore'),
        ...(isMac ? [] : [separator, settings]),
        separator,
        { role: 'close', label: isMac ? 'Close Window' : '&Close' },
        ...(isMac ? [] : [{ role: 'quit' } as const])
      ]
    },
    { role: 'editMenu' },
    {
      label: '&Node',
      submenu: [
        item('What would a scavenge free?', 'plan'),
        item('Scavenge…', 'view.scavenge', 'CmdOrCtrl+7', shown),
        item('Schedule…', 'schedule'),
        separator,
        item('Back up…', 'backup'),
        item('Restore…', 'restore'),
        separator,
        item('Will a server start here?', 'doctor'),
        item('Verify', 'verify'),
        item('Repair…', 'repair'),
        item('Rebuild the index…', 'rebuildIndex'),
        separator,
        item('Erasure report…', 'erasure'),
        item('Rescue a full disk…', 'rescue'),
        separator,
        item('Show in file manager', 'showInFolder'),
        item('Copy the path', 'copyPath'),
        item('Rename…', 'clusters.renameNode'),
        item('Remove from the list', 'clusters.forgetNode'),
        separator,
        item('Stop the running operation', 'stop')
      ]
    },
    {
      label: '&View',
      submenu: [
        ...viewItems,
        separator,
        item('Back', 'back', 'Alt+Left', shown),
        item('Forward', 'forward', 'Alt+Right', shown),
        item('Refresh', 'refresh', 'F5', shown),
        separator,
        item('Side bar', 'sideBar', 'CmdOrCtrl+B', shown),
        item('Change theme', 'theme'),
        separator,
        // Not the platform's roles: those forget the zoom, and exceed what the page has room for.
        item('Actual size', 'zoomReset', 'CmdOrCtrl+0'),
        item('Zoom in', 'zoomIn', 'CmdOrCtrl+Plus'),
        // The same key without Shift, and the one on the numeric keypad.
        item('Zoom in', 'zoomIn', 'CmdOrCtrl+=', hidden),
        item('Zoom in', 'zoomIn', 'CmdOrCtrl+numadd', hidden),
        item('Zoom out', 'zoomOut', 'CmdOrCtrl+-'),
        item('Zoom out', 'zoomOut', 'CmdOrCtrl+numsub', hidden),
        separator,
        { role: 'togglefullscreen' },
        ...(isPackaged ? [] : [{ role: 'reload' } as const, { role: 'toggleDevTools' } as const])
      ]
    },
    { role: 'windowMenu' },
    {
      label: '&Help',
      role: 'help',
      submenu: [
        item('&Documentation', 'documentation'),
        item('Documentation of this view', 'documentationAbout', 'Shift+F1', shown),
        item('Keyboard shortcuts', 'shortcuts', 'F1', shown),
        item('Tour of the sample database', 'tour'),
        item('Search or run…', 'palette', 'CmdOrCtrl+K', shown),
        ...(isMac ? [] : [separator, about])
      ]
    }
  ];
}
