/**
 * The application menu, in the order that people know from other programs. Its items are commands of the page by their
 * ids: what they do, and why one cannot be carried out now, is decided there.
 */
import type { MenuItemConstructorOptions } from 'electron';
import { windowTexts } from './texts/window-texts.ts';

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

type Role = NonNullable<MenuItemConstructorOptions['role']>;
/** What the menus of these roles hold; null: a separator. */
const EDIT: readonly (Role | null)[] = [
  'undo',
  'redo',
  null,
  'cut',
  'copy',
  'paste',
  'delete',
  null,
  'selectAll'
];
const WINDOW: readonly (Role | null)[] = ['minimize', 'zoom', 'close'];

/** Of those opened before; the side bar has them all. */
const RECENT_SHOWN = 10;

export function menuTemplate({
  platform,
  isPackaged,
  recent,
  obstructed = new Set(),
  run
}: MenuParts): MenuItemConstructorOptions[] {
  const { menu: words, roles } = windowTexts();
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
  /** A role of Electron's; a menu of roles has them one by one where they have names of ours. */
  const role = (name: Role): MenuItemConstructorOptions => {
    const label = roles?.[name];
    if (label === undefined) return { role: name };
    const parts = name === 'editMenu' ? EDIT : name === 'windowMenu' ? WINDOW : undefined;
    if (parts === undefined) return { role: name, label };
    return { label, submenu: parts.map((part) => (part === null ? separator : role(part))) };
  };
  /** The page hears this key itself, whatever its text fields do with it; the menu only shows it. */
  const shown = { registerAccelerator: false };
  const hidden = { visible: false, acceleratorWorksWhenHidden: true };
  const settings = item(words.settings, 'settings', 'CmdOrCtrl+,', shown);
  const about = item(words.about, 'about');
  const views: [label: string, view: string][] = [
    [words.overview, 'overview'],
    [words.chunks, 'chunks'],
    [words.records, 'records'],
    [words.streams, 'streams'],
    [words.index, 'index'],
    [words.usage, 'usage']
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
              role('services'),
              separator,
              role('hide'),
              role('hideOthers'),
              role('unhide'),
              separator,
              role('quit')
            ]
          }
        ]
      : []),
    {
      label: words.file,
      submenu: [
        item(words.open, 'openDirectory', 'CmdOrCtrl+O', shown),
        item(words.openConfiguration, 'openConfiguration'),
        {
          label: words.openRecent,
          enabled: recent.length > 0,
          submenu: recent
            .slice(0, RECENT_SHOWN)
            .map(({ id, name }) => item(name.replaceAll('&', '&&'), `node.${id}`))
        },
        item(words.createSample, 'createSample'),
        separator,
        item(words.newCluster, 'clusters.new'),
        item(words.addCluster, 'clusters.newRemote'),
        separator,
        item(words.restore, 'restore'),
        ...(isMac ? [] : [separator, settings]),
        separator,
        { role: 'close', label: isMac ? words.closeWindow : words.close },
        ...(isMac ? [] : [role('quit')])
      ]
    },
    role('editMenu'),
    {
      label: words.node,
      submenu: [
        item(words.plan, 'plan'),
        item(words.scavenge, 'view.scavenge', 'CmdOrCtrl+7', shown),
        item(words.schedule, 'schedule'),
        separator,
        item(words.backup, 'backup'),
        item(words.restore, 'restore'),
        separator,
        item(words.doctor, 'doctor'),
        item(words.verify, 'verify'),
        item(words.repair, 'repair'),
        item(words.rebuildIndex, 'rebuildIndex'),
        separator,
        item(words.erasure, 'erasure'),
        item(words.rescue, 'rescue'),
        separator,
        item(words.showInFolder, 'showInFolder'),
        item(words.copyPath, 'copyPath'),
        item(words.rename, 'clusters.renameNode'),
        item(words.forget, 'clusters.forgetNode'),
        separator,
        item(words.stop, 'stop')
      ]
    },
    {
      label: words.view,
      submenu: [
        ...viewItems,
        separator,
        item(words.back, 'back', 'Alt+Left', shown),
        item(words.forward, 'forward', 'Alt+Right', shown),
        item(words.refresh, 'refresh', 'F5', shown),
        separator,
        item(words.sideBar, 'sideBar', 'CmdOrCtrl+B', shown),
        item(words.theme, 'theme'),
        separator,
        // Not the platform's roles: those forget the zoom, and exceed what the page has room for.
        item(words.actualSize, 'zoomReset', 'CmdOrCtrl+0'),
        item(words.zoomIn, 'zoomIn', 'CmdOrCtrl+Plus'),
        // The same key without Shift, and the one on the numeric keypad.
        item(words.zoomIn, 'zoomIn', 'CmdOrCtrl+=', hidden),
        item(words.zoomIn, 'zoomIn', 'CmdOrCtrl+numadd', hidden),
        item(words.zoomOut, 'zoomOut', 'CmdOrCtrl+-'),
        item(words.zoomOut, 'zoomOut', 'CmdOrCtrl+numsub', hidden),
        separator,
        role('togglefullscreen'),
        ...(isPackaged ? [] : [role('reload'), role('toggleDevTools')])
      ]
    },
    role('windowMenu'),
    {
      label: words.help,
      role: 'help',
      submenu: [
        item(words.documentation, 'documentation'),
        item(words.documentationAbout, 'documentationAbout', 'Shift+F1', shown),
        item(words.shortcuts, 'shortcuts', 'F1', shown),
        item(words.tour, 'tour'),
        item(words.palette, 'palette', 'CmdOrCtrl+K', shown),
        ...(isMac ? [] : [separator, about])
      ]
    }
  ];
}
