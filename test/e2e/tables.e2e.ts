/** Tables, in the window: columns by the mouse and kept over a restart, rows chosen and copied, exported to a file. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { answerSaveDialog } from './file-dialogs.ts';
import { expect, test } from './fixtures.ts';

/** Drags with the mouse from the middle of one place by some pixels. */
async function drag(page: Page, from: Locator, byX: number): Promise<void> {
  const box = (await from.boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + byX / 2, y);
  await page.mouse.move(x + byX, y);
  await page.mouse.up();
}

test('columns are dragged and kept, rows chosen and copied, and all rows exported', async ({
  openSample,
  home
}) => {
  // Wide enough for every column.
  const size = { width: 1720, height: 900 };
  const first = await openSample(size);
  const { page, app } = first;
  const head = page.getByRole('toolbar', { name: 'Columns of Streams' });
  const titles = (): Promise<string[]> => head.locator('.title').allInnerTexts();

  await test.step('an edge is dragged, a title is dragged to the end, and one column is hidden', async () => {
    await first.show('Streams');
    await expect(page.getByText('$et-OrderPlaced')).toBeVisible();
    const stream = head.locator('[data-column=stream]');
    const width = (await stream.boundingBox())!.width;
    await drag(page, stream.locator('.edge'), -40);
    // Widths that share the rest of a line have fractions.
    await expect.poll(async () => Math.abs((await stream.boundingBox())!.width - width + 40)).toBeLessThan(1);
    await drag(page, head.getByRole('button', { name: 'Sort by Events' }), 700);
    await expect.poll(titles).toEqual(['Stream', 'State', 'Bytes', 'Share', 'Removable', 'Rules', 'Events']);
    await page.getByRole('button', { name: 'Columns and export' }).click();
    await page.getByRole('checkbox', { name: 'Rules' }).uncheck();
    await expectAccessible(page, 'columns of a table');
    await page.keyboard.press('Escape');
    await expect.poll(titles).toEqual(['Stream', 'State', 'Bytes', 'Share', 'Removable', 'Events']);
  });

  await test.step('rows are chosen with Shift, and copied with Ctrl+C under their titles', async () => {
    await page.getByText('$et-OrderPlaced').click();
    await page.getByText('metrics', { exact: true }).click({ modifiers: ['Shift'] });
    await page.keyboard.press('Control+c');
    await expect(page.getByText('Copied 3 rows.')).toBeVisible();
    const copied = await app.evaluate(({ clipboard }) => clipboard.readText());
    const lines = copied.split('\n').map((line) => line.split('\t'));
    expect(lines.map(([name]) => name)).toEqual(['Stream', '$et-OrderPlaced', '$ce-order', 'metrics']);
    expect(lines[1]).toHaveLength(6);
  });

  await test.step('a row has a menu by the right button, with the same behind its button', async () => {
    await page.getByText('prices', { exact: true }).click({ button: 'right' });
    await expect(page.getByRole('menuitem', { name: 'Why kept?' })).toBeVisible();
    await expectAccessible(page, 'menu of a row');
    await page.keyboard.press('Escape');
    await page.getByRole('row', { selected: true }).getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Show its records in the log' }).click();
    await expect(page.getByRole('combobox', { name: 'Record filter' })).toHaveValue('stream:prices');
    await first.show('Streams');
  });

  await test.step('all streams go to a file, those not in sight too', async () => {
    const file = path.join(home, 'streams.json');
    await answerSaveDialog(app, file);
    await page.getByRole('searchbox').fill('order-0000*');
    await expect(page.getByText('100 streams')).toBeVisible();
    await page.getByRole('button', { name: 'Columns and export' }).click();
    await page.getByRole('button', { name: 'Export as JSON…' }).click();
    await expect(page.getByText('Exported 100 rows to streams.json.')).toBeVisible();
    const rows = JSON.parse(readFileSync(file, 'utf8')) as { stream: string; bytes: number }[];
    expect(new Set(rows.map(({ stream }) => stream)).size).toBe(100);
    expect(rows.every(({ stream, bytes }) => /^order-0000\d\d$/.test(stream) && bytes > 0)).toBe(true);
  });

  await test.step('another window shows the columns as they were left', async () => {
    await first.close({ keepHome: true });
    const again = await openSample(size);
    await again.show('Streams');
    await expect
      .poll(() =>
        again.page.getByRole('toolbar', { name: 'Columns of Streams' }).locator('.title').allInnerTexts()
      )
      .toEqual(['Stream', 'State', 'Bytes', 'Share', 'Removable', 'Events']);
  });
});
