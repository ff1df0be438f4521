import { copyFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { createSample } from './electron-window.ts';
import { expect, test } from './fixtures.ts';

/** Bytes of all chunk files together. */
function bytesOnDisk(directory: string): number {
  return chunkFiles(directory).reduce((sum, name) => sum + statSync(path.join(directory, name)).size, 0);
}

function chunkFiles(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => name.startsWith('chunk-'))
    .sort();
}

test('the first screen creates the sample database and opens it', async ({ window }) => {
  const { page } = window;
  await expect(page.getByRole('button', { name: 'Open a data directory' })).toBeVisible();
  await createSample(window);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    /^6\d chunks, [\d.]+ MiB, never scavenged$/,
    { useInnerText: true }
  );
});

test('chunks show their header, their records, and bytes tied to decoded fields', async ({ sample }) => {
  const { page, show } = sample;
  await show('Chunks');
  await page.locator('[data-chunk="3"]').click();
  await expect(page.getByRole('heading', { name: 'Chunk 3' })).toBeVisible();
  // Beside the details there is room for the fate of each chunk.
  await expect(page.getByRole('button', { name: /^Sort by Fate/ })).toBeVisible();
  await expect(page.getByText('Lowest version a reader must know')).toBeVisible();
  await page.getByRole('button', { name: 'Show the records' }).click();
  await page.getByRole('grid').getByRole('row').nth(2).click();
  const field = page.getByRole('button', { name: 'Event id' });
  await field.hover();
  await expect(page.locator('.cells .lit')).toHaveCount(16);
  await page.locator('.cells [data-at="0"]').hover();
  await expect(page.locator('tr.lit')).toContainText('Length', { useInnerText: true });
});

test('streams are found while typing', async ({ sample }) => {
  const { page, show } = sample;
  await show('Streams');
  await page.getByRole('searchbox').fill('prices');
  await page.getByRole('row', { name: /^prices/ }).click();
  await expect(page.getByText('A reader no longer sees its first events.')).toBeVisible();
  await page.getByRole('grid', { name: 'Events, as a reader sees them' }).getByRole('row').first().click();
  await expect(page.getByRole('region', { name: 'Bytes of the record' })).toBeVisible();
});

test('a schedule is said in words, with its next five times', async ({ sample }) => {
  const { page, show } = sample;
  await show('Schedule');
  await page.getByRole('textbox', { name: 'CRON expression' }).fill('30 1 * * MON-FRI');
  await expect(page.getByRole('heading', { level: 1, name: /Monday through Friday/ })).toBeVisible();
  await expect(page.locator('ol.next li')).toHaveCount(5);
});

test('a scavenge frees what its plan says, one number in every view, and leaves the database whole', async ({
  sample
}) => {
  const { page, show, directory } = sample;
  const removeButton = page.getByRole('button', { name: /^Remove [\d.]+ MiB from sample…$/ });
  /** What the plan would free. */
  let amount = '';

  await test.step('what a scavenge would free is one number, in plan, threshold, overview and usage', async () => {
    await show('Scavenge');
    await page.getByRole('button', { name: 'Make the plan' }).click();
    await expect(removeButton).toBeVisible();
    amount = /[\d.]+ MiB/.exec(await removeButton.innerText())![0];
    await expect(page.getByRole('heading', { name: `Would free ${amount} (` })).toBeVisible();
    const table = page.getByRole('table', { name: 'Sum' });
    await expect(table.getByRole('row', { name: `Freed on disk ${amount}` })).toBeVisible();
    const steps = page.getByRole('navigation', { name: 'Steps of the scavenge' });
    await steps.getByRole('button', { name: 'Options' }).click();
    expect(await page.getByText(/ of what is possible\)/).innerText()).toContain(
      `Would free ${amount} (100 %`
    );
    await show('Overview');
    await expect(page.getByText(`A scavenge would free ${amount} (`)).toBeVisible();
    await show('Usage');
    await expect(page.getByText(`A scavenge would free ${amount} of files.`)).toBeVisible();
  });

  await test.step('a scavenge shows its plan, then its phases, and leaves smaller chunks', async () => {
    const before = bytesOnDisk(directory);
    await show('Scavenge');
    await removeButton.click();
    const dialog = page.getByRole('alertdialog');
    expect(await dialog.innerText()).toMatch(/removes [\d,]+ records from \d+ chunks/);
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await dialog.getByRole('button', { name: /^Remove/ }).click();
    await page.getByRole('list').filter({ hasText: 'Chunk execution' }).waitFor(); // passes: seen at its frame
    await expect(page.getByRole('button', { name: 'Verify now' })).toBeVisible();
    await expect(page.getByText(new RegExp(`^${amount} freed, [\\d,]+ records removed\\.`))).toHaveCount(1);
    await expect(
      page
        .getByRole('table', { name: 'Expected and actual' })
        .getByRole('row', { name: `Freed on disk ${amount} ${amount} as planned` })
    ).toBeVisible();
    expect(bytesOnDisk(directory)).toBeLessThan(before);
    await show('Chunks');
    const bar = page.getByRole('grid', { name: 'Chunks' }).getByRole('img').first();
    await expect(bar).toHaveAttribute('aria-label', /\d+ KiB already freed$/);
  });

  await test.step('the database is whole afterwards', async () => {
    await show('Check and repair');
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await expect(page.getByText(/^No damage found/)).toBeVisible();
  });
});

test('a chunk that appears shows without a reload, and so does its going', async ({ sample }) => {
  const { page, show, directory } = sample;
  await show('Chunks');
  const first = chunkFiles(directory)[0]!;
  const newer = path.join(directory, first.replace(/\d{6}$/, '000099'));
  copyFileSync(path.join(directory, first), newer);
  await expect(page.getByText('Other files in the directory (1)')).toBeVisible();
  rmSync(newer);
  await expect(page.getByText('Other files in the directory (1)')).toHaveCount(0);
});

test('the death of the engine is an event with a message and a restart', async ({ sample }) => {
  const { app, page } = sample;
  await app.evaluate(({ app: electron }) => {
    const engine = electron.getAppMetrics().find((metric) => metric.name === 'Winnow engine');
    if (engine) process.kill(engine.pid, 'SIGKILL');
  });
  await expect(page.getByText('The engine has stopped')).toBeVisible();
  await page.getByRole('button', { name: 'Restart engine' }).click();
  await expect(page.getByText('The engine has stopped')).toHaveCount(0);
  await page.getByRole('tab', { name: 'Overview' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /chunks/ })).toBeVisible();
});

test('the side bar and the line of the threshold are dragged, by the pointer and by keys', async ({
  sample
}) => {
  const { page, show, directory } = sample;
  const handle = page.getByRole('separator', { name: 'Width of the side bar' });
  const bar = page.getByRole('navigation', { name: 'Nodes' });
  const widthOf = async (): Promise<number> => Math.round((await bar.boundingBox())!.width);
  const first = await widthOf();
  await drag(handle, 80, 0);
  await expect.poll(widthOf).toBe(first + 80);
  await handle.focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(widthOf).toBeLessThan(first + 80);

  await show('Chunks');
  const line = page.getByRole('slider', { name: 'Threshold' });
  const rewritten = page.getByText(
    new RegExp(`^\\d+ chunks? of ${String(chunkFiles(directory).length)} rewritten$`)
  );
  const field = page.getByRole('spinbutton', { name: 'Threshold' });
  await expect(line).toHaveAttribute('aria-valuenow', '0');
  const all = await rewritten.innerText();
  await drag(line, 0, -64);
  await expect(rewritten).not.toHaveText(all);
  const dragged = Number(await line.getAttribute('aria-valuenow'));
  expect(dragged).toBeGreaterThan(0);
  await expect(field).toHaveValue(String(dragged));
  await line.focus();
  await page.keyboard.press('ArrowUp');
  await expect.poll(async () => Number(await line.getAttribute('aria-valuenow'))).toBeGreaterThan(dragged);

  // A refresh leaves what is chosen, and where the rows stand.
  const rows = page.getByRole('grid', { name: 'Chunks' });
  await rows.getByRole('row').nth(4).click();
  await page.keyboard.press('End');
  const chosen = await rows.getByRole('row', { selected: true }).innerText();
  await page.keyboard.press('F5');
  await expect(page.getByRole('button', { name: 'Refresh' })).toBeEnabled();
  await expect(rows.getByRole('row', { selected: true })).toBeInViewport();
  expect(await rows.getByRole('row', { selected: true }).innerText()).toBe(chosen);
});

test('a node that was removed from the list comes back by Undo', async ({ sample }) => {
  const { page } = sample;
  const line = page.getByRole('navigation', { name: 'Nodes' }).getByRole('button', { name: /^sample/ });
  await line.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Remove from the list' }).click();
  await expect(line).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(line).toBeVisible();
});

async function drag(handle: Locator, x: number, y: number): Promise<void> {
  const { mouse } = handle.page();
  const box = (await handle.boundingBox())!;
  const from = [box.x + box.width / 2, box.y + box.height / 2] as const;
  await mouse.move(...from);
  await mouse.down();
  await mouse.move(from[0] + x, from[1] + y, { steps: 4 });
  await mouse.up();
}
