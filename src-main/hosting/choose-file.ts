/** The dialogs for choosing a certificate or a licence file. The page itself never names a path. */
import type { BrowserWindow, Dialog } from 'electron';

export function chooseCertificate(dialog: Dialog, window: BrowserWindow): Promise<string | undefined> {
  return chooseFile(dialog, window, 'Choose the certificate of the authority (PEM)', [
    'pem',
    'crt',
    'cer',
    'ca'
  ]);
}

export function chooseLicence(dialog: Dialog, window: BrowserWindow): Promise<string | undefined> {
  return chooseFile(dialog, window, 'Choose a licence file', ['jwt', 'txt', 'lic', 'license']);
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
      { name: 'All files', extensions: ['*'] }
    ]
  });
  return chosen.canceled ? undefined : chosen.filePaths[0];
}
