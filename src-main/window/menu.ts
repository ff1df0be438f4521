/** The application menu: only what the platform expects. Everything else is in the page's command palette. */
import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { ZoomStep } from '../settings/zoom.ts';

export interface MenuParts {
  platform: NodeJS.Platform;
  isPackaged: boolean;
  /** Not the platform's roles: those forget the zoom, and exceed what the page has room for. */
  zoom: (step: ZoomStep) => void;
  openSettings: () => void;
  openAbout: () => void;
}

export function setApplicationMenu(parts: MenuParts): void {
  const { platform, isPackaged, zoom } = parts;
  const isMac = platform === 'darwin';
  const settings: MenuItemConstructorOptions = {
    label: 'Settings…',
    accelerator: 'CmdOrCtrl+,',
    click: parts.openSettings
  };
  const about: MenuItemConstructorOptions = { label: 'About Winnow', click: parts.openAbout };
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  const zoomItem = (label: string, step: ZoomStep, accelerator: string, isShown = true) =>
    ({
      label,
      accelerator,
      visible: isShown,
      acceleratorWorksWhenHidden: true,
      click: () => zoom(step)
    }) satisfies MenuItemConstructorOptions;
  const template: MenuItemConstructorOptions[] = [
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
      : [{ label: 'File', submenu: [settings, separator, { role: 'quit' } as const] }]),
    { role: 'editMenu' },
    {
      label: 'View',
      submenu: [
        { role: 'reload' },
        ...(isPackaged ? [] : [{ role: 'toggleDevTools' } as const]),
        separator,
        zoomItem('Actual size', 'reset', 'CmdOrCtrl+0'),
        zoomItem('Zoom in', 'in', 'CmdOrCtrl+Plus'),
        // The same key without Shift, and the one on the numeric keypad.
        zoomItem('Zoom in', 'in', 'CmdOrCtrl+=', false),
        zoomItem('Zoom in', 'in', 'CmdOrCtrl+numadd', false),
        zoomItem('Zoom out', 'out', 'CmdOrCtrl+-'),
        zoomItem('Zoom out', 'out', 'CmdOrCtrl+numsub', false),
        separator,
        { role: 'togglefullscreen' }
      ]
    },
    { role: 'windowMenu' },
    ...(isMac ? [] : [{ label: 'Help', submenu: [about] }])
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
