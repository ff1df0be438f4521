/** Another size of a window that is there: it hears of it late or not at all, and believes then that it has it already. */
import { expect } from '@playwright/test';
import type { ElectronWindow } from './electron-window.ts';

/** After so many requests without an answer the window is hidden and shown again. */
const REQUESTS = 8;

/** Of the content; resolves when the page has it. */
export async function resizeWindow(
  { app, page }: Pick<ElectronWindow, 'app' | 'page'>,
  width: number,
  height: number
): Promise<void> {
  /** Says what the window believes of itself. */
  const ask = (extra: number, again: boolean): Promise<string> =>
    app.evaluate(
      ({ BrowserWindow }, { size, again }) => {
        const window = BrowserWindow.getAllWindows()[0];
        if (window === undefined) return 'there is no window';
        // A page that draws nothing hears of no size.
        if (again) {
          window.hide();
          window.show();
        }
        const before = window.getContentSize().join(' x ');
        window.setContentSize(size.width, size.height);
        window.webContents.invalidate();
        return `a ${window.isVisible() ? '' : 'hidden '}window of ${before}`;
      },
      { size: { width: width + extra, height: height + extra }, again }
    );
  let asked = 0;
  // Looked at before it is asked again: each asking has the time between two looks to come through.
  const missing = async (): Promise<string> => {
    const [is, tall] = await page.evaluate(() => [innerWidth, innerHeight] as const);
    // A frame around the window may take a pixel.
    if (Math.abs(is - width) < 3 && Math.abs(tall - height) < 3) return '';
    // A window does nothing about a size that it believes to have: every other time it is another one.
    const window = await ask(asked % 2 === 0 ? 0 : 8, asked % REQUESTS === REQUESTS - 1);
    return `a page of ${is} x ${tall} in ${window}, asked ${++asked} times`;
  };
  await expect.poll(missing, `${width} x ${height}`).toBe('');
}
