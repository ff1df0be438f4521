/** Another size of a window that is there: it hears of it late or not at all, and believes then that it has it already. */
import { expect } from '@playwright/test';
import type { ElectronWindow } from './electron-window.ts';

/** Of the content; resolves when the page has it. */
export async function resizeWindow(
  { app, page }: Pick<ElectronWindow, 'app' | 'page'>,
  width: number,
  height: number
): Promise<void> {
  const ask = (extra: number): Promise<void> =>
    app.evaluate(
      ({ BrowserWindow }, size) => {
        const [own] = BrowserWindow.getAllWindows();
        // A window does nothing about a size that it believes to have.
        if (size.extra > 0) own?.setContentSize(size.width + size.extra, size.height + size.extra);
        own?.setContentSize(size.width, size.height);
      },
      { width, height, extra }
    );
  let asked = 0;
  const missing = async (): Promise<number> => {
    await ask(asked++ === 0 ? 0 : 8);
    const [is, tall] = await page.evaluate(() => [innerWidth, innerHeight] as const);
    return Math.max(Math.abs(is - width), Math.abs(tall - height));
  };
  // A frame around the window may take a pixel.
  await expect.poll(missing).toBeLessThan(3);
}
