/** The file dialogues of the system, which a driver cannot reach: answered before they are opened, until the next answer. */
import type { ElectronApplication } from 'playwright-core';

/** The dialogue that opens a file or a directory gives this one. */
export function answerOpenDialog(app: ElectronApplication, chosen: string): Promise<void> {
  return app.evaluate(({ dialog }, file) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [file] });
  }, chosen);
}

/** The dialogue that asks where to save gives this place. */
export function answerSaveDialog(app: ElectronApplication, filePath: string): Promise<void> {
  return app.evaluate(({ dialog }, file) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: file });
  }, filePath);
}
