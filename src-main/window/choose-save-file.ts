/** The dialog for choosing where to save a file. The page itself never names a path. */
import type { BrowserWindow, Dialog } from 'electron';
import { windowTexts } from './texts/window-texts.ts';

export interface SaveFileProposal {
  title: string;
  name: string;
  extension: string;
}

export async function chooseSaveFile(
  dialog: Dialog,
  window: BrowserWindow,
  { title, name, extension }: SaveFileProposal
): Promise<string | undefined> {
  const chosen = await dialog.showSaveDialog(window, {
    title: windowTexts().saves[title] ?? title,
    defaultPath: name,
    filters: [{ name: extension.toUpperCase(), extensions: [extension] }]
  });
  return chosen.canceled || chosen.filePath === '' ? undefined : chosen.filePath;
}
