/** The dialogs for choosing a certificate or a licence file. The page itself never names a path. */
import type { BrowserWindow, Dialog } from 'electron';
import { windowTexts } from './texts/window-texts.ts';

export function chooseCertificate(dialog: Dialog, window: BrowserWindow): Promise<string | undefined> {
  return chooseFile(dialog, window, windowTexts().choose.authority, ['pem', 'crt', 'cer', 'ca']);
}

export function chooseLicence(dialog: Dialog, window: BrowserWindow): Promise<string | undefined> {
  return chooseFile(dialog, window, windowTexts().choose.licence, ['jwt', 'txt', 'lic', 'license']);
}

async function chooseFile(
  dialog: Dialog,
  window: BrowserWindow,
  title: string,
  extensions: string[]
): Promise<string | undefined> {
  const chosen = await dialog.showOpenDialog(window, {
    title,
    properties: ['openFile', 'showHiddenFiles'],
    filters: [
      { name: title, extensions },
      { name: windowTexts().choose.allFiles, extensions: ['*'] }
    ]
  });
  return chosen.canceled ? undefined : chosen.filePaths[0];
}
