/** The next start forecast in the window, prepared by its plan, and forecast again. */
import path from 'node:path';
import { unpackDatabase } from '../support/golden.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';

/** Where pictures go, if they are wanted. */
const pictures = process.env['STARTUP_PICTURES'];

test('the next start is forecast part by part, prepared by its plan, and takes less then', async ({
  openWindow
}) => {
  const { app, page, show } = await openWindow({
    words: [unpackDatabase({ name: 'killed-clean-tables', folder: 'at-kill' })]
  });
  const picture = async (name: string): Promise<void> => {
    if (pictures === undefined) return;
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      for (const [width, height] of [
        [1280, 800],
        [1920, 1080]
      ] as const) {
        await page.setViewportSize({ width, height });
        await page.screenshot({ path: path.join(pictures, `${name}-${scheme}-${width}.png`) });
      }
    }
  };
  await show('Check and repair');
  const section = page.getByRole('region', { name: 'How long does the next start take?' });
  // Nobody asks for it.
  await expect(section.getByText(/^The next start takes/)).toBeVisible();
  await expect(section.getByRole('row', { name: /Read the log into the index/ })).toBeVisible();
  await expect(section.getByText('Bring the index up to the log')).toBeVisible();
  await test.step('its table is copied with its titles, as a spreadsheet takes it', async () => {
    await section
      .getByRole('table')
      .first()
      .evaluate((table) => getSelection()?.selectAllChildren(table));
    await page.keyboard.press('Control+C');
    const copied = await app.evaluate(({ clipboard }) => clipboard.readText());
    const lines = copied.split('\n').map((line) => line.split('\t'));
    expect(lines[0]).toEqual(['Part of the start', 'Amount', 'Time', 'Prepared', 'Rate']);
    expect(lines.map(([part]) => part)).toContain('Read the log into the index');
  });
  await section.getByRole('button', { name: 'Prepare now…' }).scrollIntoViewIfNeeded();
  await picture('forecast');
  await expectAccessible(page);
  await section.getByRole('button', { name: 'Prepare now…' }).click();
  const dialog = page.getByRole('alertdialog');
  await picture('question');
  await dialog.getByRole('button', { name: 'Prepare now' }).click();
  await expect(section.getByText('Brought the index up to the log')).toBeVisible();
  await expect(section.getByRole('button', { name: 'Prepare now…' })).toHaveCount(0);
  await picture('prepared');
  await expectAccessible(page);
});
