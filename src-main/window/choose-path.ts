/** The dialogs for choosing a path. The page itself never names one. */
import type { BrowserWindow, Dialog } from 'electron';

export async function chooseDirectory(dialog: Dialog, window: BrowserWindow): Promise<string | undefined> {
  const chosen = await dialog.showOpenDialog(window, {
    title: 'Open a data directory',
    message: 'The directory that holds the chunk files and writer.chk',
    properties: ['openDirectory', 'showHiddenFiles']
  });
  return chosen.canceled ? undefined : chosen.filePaths[0];
}

export async function chooseConfiguration(
  dialog: Dialog,
  window: BrowserWindow
): Promise<string | undefined> {
  const chosen = await dialog.showOpenDialog(window, {
    title: 'Open a server configuration file',
    properties: ['openFile', 'showHiddenFiles'],
    filters: [
      { name: 'Configuration', extensions: ['conf', 'yaml', 'yml'] },
      { name: 'All files', extensions: ['*'] }
    ]
  });
  return chosen.canceled ? undefined : chosen.filePaths[0];
}

export async function chooseBackupTarget(dialog: Dialog, window: BrowserWindow): Promise<string | undefined> {
  const chosen = await dialog.showOpenDialog(window, {
    title: 'Choose a directory for backups',
    message: 'A directory outside the database, preferably on another disk',
    properties: ['openDirectory', 'createDirectory', 'showHiddenFiles']
  });
  return chosen.canceled ? undefined : chosen.filePaths[0];
}
