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
      ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height),
      { width: width + extra, height: height + extra }
    );
  let asked = 0;
  // Looked at before it is asked again: each asking has the time between two looks to come through.
  const missing = async (): Promise<number> => {
    const [is, tall] = await page.evaluate(() => [innerWidth, innerHeight] as const);
    const difference = Math.max(Math.abs(is - width), Math.abs(tall - height));
    // A window does nothing about a size that it believes to have: every other time it is another one.
    if (difference >= 3) await ask(asked++ % 2 === 0 ? 0 : 8);
    return difference;
  };
  // A frame around the window may take a pixel.
  await expect.poll(missing).toBeLessThan(3);
}
