/**
 * Another size of a window that is there: it hears of it late or not at all, and believes then that it has it already. Never by
 * `page.setViewportSize` in a window that tests share: a page with such a size keeps it, whatever its window becomes.
 */
import { expect } from '@playwright/test';
import type { ElectronWindow } from './electron-window.ts';

/** Of the content; resolves when the page has it. */
export async function resizeWindow(
  { app, page }: Pick<ElectronWindow, 'app' | 'page'>,
  width: number,
  height: number
): Promise<void> {
  /** Says what the window believed to have. */
  const ask = (extra: number): Promise<string> =>
    app.evaluate(
      ({ BrowserWindow }, size) => {
        const window = BrowserWindow.getAllWindows()[0];
        const believed = window?.getContentSize().join(' x ');
        window?.setContentSize(size.width, size.height);
        return `a window of ${believed}`;
      },
      { width: width + extra, height: height + extra }
    );
  let asked = 0;
  // Looked at before it is asked again: each request has the time between two looks to come through.
  const missing = async (): Promise<string> => {
    const [is, tall] = await page.evaluate(() => [innerWidth, innerHeight] as const);
    // A frame around the window may take a pixel.
    if (Math.abs(is - width) < 3 && Math.abs(tall - height) < 3) return '';
    // A window does nothing about a size that it believes to have: every other time it is another one.
    const window = await ask(asked++ % 2 === 0 ? 0 : 8);
    return `a page of ${is} x ${tall} in ${window}, asked ${asked} times`;
  };
  await expect.poll(missing, `${width} x ${height}`).toBe('');
}
