/** The dialogs for choosing a path. The page itself never names one. */
import type { BrowserWindow, Dialog } from 'electron';
import type { PathPurpose } from '../contract/verbs/path-contract.ts';

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

type Properties = ('openFile' | 'openDirectory' | 'createDirectory' | 'showHiddenFiles')[];
const existing: Properties = ['openDirectory', 'showHiddenFiles'];
const directory: Properties = ['openDirectory', 'createDirectory', 'showHiddenFiles'];
const file: Properties = ['openFile', 'showHiddenFiles'];

const ASKED: Record<PathPurpose, { title: string; properties: Properties }> = {
  backups: { title: 'Choose a directory with backups, one backup, or a copy', properties: existing },
  restoreTo: { title: 'Choose the data directory to restore to', properties: directory },
  index: { title: 'Choose the index directory', properties: directory },
  keyFile: { title: 'Choose a key file', properties: file },
  scratch: { title: 'Choose a scratch directory', properties: directory },
  rescueScratch: { title: 'Choose a directory for the state of the rescue', properties: directory },
  output: { title: 'Choose a directory for what is written', properties: directory },
  bundleKey: { title: 'Choose the key of an earlier bundle', properties: file },
  configuration: { title: 'Choose the configuration file of the server', properties: file },
  authority: { title: 'Choose the certificate of the authority (PEM)', properties: file }
};

export async function choosePath(
  dialog: Dialog,
  window: BrowserWindow,
  purpose: PathPurpose
): Promise<string | undefined> {
  const chosen = await dialog.showOpenDialog(window, ASKED[purpose]);
  return chosen.canceled ? undefined : chosen.filePaths[0];
}
