/** The dialogs for choosing a path. The page itself never names one. */
import type { BrowserWindow, Dialog } from 'electron';
import type { PathPurpose } from '../contract/verbs/path-contract.ts';
import { windowTexts } from './texts/window-texts.ts';

export async function chooseDirectory(dialog: Dialog, window: BrowserWindow): Promise<string | undefined> {
  const chosen = await dialog.showOpenDialog(window, {
    title: windowTexts().choose.database,
    message: windowTexts().choose.databaseHint,
    properties: ['openDirectory', 'showHiddenFiles']
  });
  return chosen.canceled ? undefined : chosen.filePaths[0];
}

export async function chooseConfiguration(
  dialog: Dialog,
  window: BrowserWindow
): Promise<string | undefined> {
  const chosen = await dialog.showOpenDialog(window, {
    title: windowTexts().choose.serverConfiguration,
    properties: ['openFile', 'showHiddenFiles'],
    filters: [
      { name: windowTexts().choose.configurations, extensions: ['conf', 'yaml', 'yml'] },
      { name: windowTexts().choose.allFiles, extensions: ['*'] }
    ]
  });
  return chosen.canceled ? undefined : chosen.filePaths[0];
}

export async function chooseBackupTarget(dialog: Dialog, window: BrowserWindow): Promise<string | undefined> {
  const chosen = await dialog.showOpenDialog(window, {
    title: windowTexts().choose.backupTarget,
    message: windowTexts().choose.backupTargetHint,
    properties: ['openDirectory', 'createDirectory', 'showHiddenFiles']
  });
  return chosen.canceled ? undefined : chosen.filePaths[0];
}

type Properties = ('openFile' | 'openDirectory' | 'createDirectory' | 'showHiddenFiles')[];
const existing: Properties = ['openDirectory', 'showHiddenFiles'];
const directory: Properties = ['openDirectory', 'createDirectory', 'showHiddenFiles'];
const file: Properties = ['openFile', 'showHiddenFiles'];

const ASKED: Record<PathPurpose, Properties> = {
  backups: existing,
  restoreTo: directory,
  index: directory,
  keyFile: file,
  scratch: directory,
  rescueScratch: directory,
  output: directory,
  bundleKey: file,
  configuration: file,
  authority: file
};

export async function choosePath(
  dialog: Dialog,
  window: BrowserWindow,
  purpose: PathPurpose
): Promise<string | undefined> {
  const chosen = await dialog.showOpenDialog(window, {
    title: windowTexts().choose[purpose],
    properties: ASKED[purpose]
  });
  return chosen.canceled ? undefined : chosen.filePaths[0];
}
