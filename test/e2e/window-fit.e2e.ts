/** Every view in the smallest window and in the first one: nothing beyond the edge, no words of a program, no blank. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lookAtPage, waitsFor } from '../campaign/window-tour/page-look.ts';
import { createSample, launchWindow, type ElectronWindow } from './electron-window.ts';
import { soon } from './soon.ts';

let window: ElectronWindow;

beforeAll(async () => {
  window = await launchWindow({ width: 1024, height: 640 });
});
afterAll(() => window.close());

async function resize(width: number, height: number): Promise<void> {
  const { app, page } = window;
  await app.evaluate(
    ({ BrowserWindow }, size) => {
      BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height);
    },
    { width, height }
  );
  // A frame around the window may take a pixel.
  await soon(async () => Math.abs((await page.evaluate(() => innerWidth)) - width)).toBeLessThan(3);
}

async function expectNothingWrong(): Promise<void> {
  await soon(() => waitsFor(window.page)).toBe('');
  // Lists and splits measure themselves a frame after they are shown.
  await soon(() => lookAtPage(window.page)).toEqual([]);
}

test('the first screen fits', async () => {
  await expectNothingWrong();
  await createSample(window);
});

test.each([
  { width: 1024, height: 640 },
  { width: 1280, height: 800 }
])(
  'every view fits $width x $height',
  async ({ width, height }) => {
    const { page } = window;
    await resize(width, height);
    const names = await page.getByRole('tab').allInnerTexts();
    expect(names.length).toBeGreaterThanOrEqual(8);
    for (const name of names) {
      await page.getByRole('tab', { name, exact: true }).click();
      await soon(() => page.locator('#view').innerText()).toMatch(/\S/);
      await expectNothingWrong();
    }
  },
  300_000
);

test('a plan fits the smallest window', async () => {
  const { page, show } = window;
  await resize(1024, 640);
  await show('Scavenge');
  await page.getByRole('button', { name: 'Make the plan' }).click();
  await page.getByRole('button', { name: /^Remove/ }).waitFor({ timeout: 60_000 });
  await expectNothingWrong();
});

test('tabs stay in reach while something is explained', async () => {
  const { page, show } = window;
  await resize(1024, 640);
  await show('Chunks');
  await page.locator('[data-chunk="3"]').click();
  await page.getByRole('button', { name: 'Why kept?' }).click();
  await page.getByRole('complementary', { name: 'Explain' }).waitFor();
  await show('Verify');
  await page.getByRole('button', { name: 'Verify', exact: true }).waitFor();
});
