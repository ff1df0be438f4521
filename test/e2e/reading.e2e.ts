/** Looking into a database in depth, in a real window: overview, chunks, records, streams, index. Nothing is written. */
import { expect, test } from './fixtures.ts';

test('the bar of the log goes along time, tells what is under the pointer, and leads to the chunk', async ({
  seenSample
}) => {
  const { page } = seenSample;
  await page.getByRole('button', { name: 'by time' }).click();
  await expect(page.getByRole('button', { name: 'by time', pressed: true })).toBeVisible();
  const bar = page.getByRole('button', { name: 'The log, from its start to its end' });
  await bar.focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText(/Chunk 0 · .* \d{4} · .* live/)).toBeVisible();
  await bar.hover({ position: { x: 4, y: 20 } });
  await bar.click({ position: { x: 4, y: 20 } });
  await expect(page.getByRole('heading', { name: 'Chunk 0' })).toBeVisible();
});

test('an epoch mark leads to its record', async ({ seenSample }) => {
  const { page, show } = seenSample;
  await show('Overview');
  await page
    .getByRole('button', { name: /^Epoch 0 at/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { name: 'Records of chunk 0' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Bytes of the record' })).toBeVisible();
});

test('what a scavenge would free is computed on demand and remembered with its date', async ({ sample }) => {
  const { page, show } = sample;
  await show('Overview');
  await page.getByRole('button', { name: 'Compute the plan' }).click();
  await expect(page.getByText(/^A scavenge would free/)).toBeVisible();
  await page.reload();
  await expect(page.locator('html[data-ready=true]')).toBeVisible();
  await page
    .getByRole('button', { name: /^sample/ })
    .first()
    .click();
  await expect(page.getByText(/^A scavenge would free/)).toBeVisible();
  await expect(page.getByText(/^Computed/)).toBeVisible();
});

test('the map of chunks changes its colour and its size, by keyboard as well', async ({ seenSample }) => {
  const { page, show } = seenSample;
  await show('Chunks');
  const map = page.getByRole('listbox', { name: 'Chunk map' });
  await page.getByLabel('Colour by').selectOption('age');
  await expect(map.locator('.cell.age').first()).toBeVisible();
  await expect(map.getByRole('option').first()).toHaveAttribute('aria-label', /ago|just now/);
  const width = async () => (await map.getByRole('option').first().boundingBox())?.width ?? 0;
  const before = await width();
  await map.focus();
  await page.keyboard.press('+');
  await expect.poll(width).toBeGreaterThan(before);
  await page.keyboard.press('Home');
  await expect(page.getByRole('heading', { name: 'Chunk 0' })).toBeVisible();
});

test('a chunk is compared with what a scavenge would leave of it', async ({ seenSample }) => {
  const { page, show } = seenSample;
  await show('Chunks');
  await page.locator('[data-chunk="3"]').click();
  await expect(page.getByRole('heading', { name: 'Chunk 3' })).toBeVisible();
  const compare = page.getByRole('region', { name: 'Compare' });
  await compare.getByRole('button', { name: 'Compare' }).click();
  await expect(compare.getByText(/records? would be removed/)).toBeVisible();
  await expect(compare.getByText('as a scavenge would leave it')).toBeVisible();
  await expect.poll(() => compare.getByRole('row').count()).toBeGreaterThan(0);
});

test('records are filtered by a line that completes itself and marks what it does not understand', async ({
  seenSample
}) => {
  const { page, show } = seenSample;
  await show('Records');
  const line = page.getByRole('combobox', { name: 'Record filter' });
  await line.fill('ki');
  await expect(page.getByRole('option', { name: /^kind:/ })).toBeVisible();
  await line.press('ArrowDown');
  await line.press('Enter');
  await line.press('ArrowDown');
  await line.press('ArrowDown');
  await line.press('ArrowDown');
  await line.press('Enter');
  await expect(line).toHaveValue('kind:system ');
  await expect(page.getByText(/^\d+ records?$/)).toBeVisible();
  const grid = page.getByRole('grid', { name: 'Records of the log' });
  await expect.poll(() => grid.getByText('system: epoch').count()).toBeGreaterThan(0);
  await line.fill('stream:order-* colour:red');
  await expect(page.getByText('"colour" is not a filter key.', { exact: false })).toBeVisible();
  await expect(page.locator('mark')).toHaveText('colour:red', { useInnerText: true });
  await line.fill('stream:order-* number:0');
  await expect(grid.getByRole('row', { name: /order-\d+/ }).first()).toBeVisible();
});

test('a record shows its JSON, and is copied with it', async ({ seenSample }) => {
  const { app, page, show } = seenSample;
  await show('Records');
  await page.getByRole('combobox', { name: 'Record filter' }).fill('stream:order-* number:0');
  const grid = page.getByRole('grid', { name: 'Records of the log' });
  await grid
    .getByRole('row', { name: /order-\d+/ })
    .first()
    .click();
  await expect(page.getByRole('region', { name: 'Bytes of the record' })).toBeVisible();
  await expect(page.getByRole('treeitem', { name: /^Data/ })).toBeVisible();
  await page.getByRole('button', { name: 'Copy as JSON' }).click();
  const copied = async () => app.evaluate(({ clipboard }) => clipboard.readText());
  await expect.poll(copied).toContain('"data": {');
});

test('a position is gone to, into the line of its record', async ({ seenSample }) => {
  const { page, show } = seenSample;
  await show('Records');
  const field = page.getByRole('textbox', { name: 'Go to position' });
  await field.fill('2,000,001');
  await field.press('Enter');
  await expect(page.getByRole('heading', { name: /^Records of chunk \d+$/ })).toBeVisible();
  await expect(page.locator('[role=row][aria-selected=true]')).toBeVisible();
  await field.fill('99999999999');
  await field.press('Enter');
  await expect(page.getByText(/There is no record at/)).toBeVisible();
});

test('streams are found by the beginning of their name, with their metadata and their places', async ({
  seenSample
}) => {
  const { page, show } = seenSample;
  await show('Streams');
  await page.getByRole('searchbox').fill('prices*');
  await page
    .getByRole('row', { name: /^prices/ })
    .first()
    .click();
  await page.getByRole('tab', { name: 'Metadata' }).click();
  const history = page.getByRole('list', { name: 'Metadata, newest first' });
  await expect(history.getByText('in effect')).toBeVisible();
  await page.getByRole('tab', { name: 'Places' }).click();
  const places = page.getByRole('grid', { name: 'Chunks that hold its events' });
  await places.getByRole('row').first().dblclick();
  await expect(page.getByRole('heading', { name: /^Records of chunk/ })).toBeVisible();
  const line = page.getByRole('combobox', { name: 'Record filter' });
  await expect(line).toHaveValue('stream:prices');
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(places).toBeVisible();
});

test('the index shows a table with the fill of its filter, and looks a stream up table by table', async ({
  seenSample
}) => {
  const { page, show } = seenSample;
  await show('Index');
  await page.getByRole('grid', { name: 'Index' }).getByRole('row').first().click();
  await expect(page.getByRole('img', { name: /of its bits set/ })).toBeVisible();
  await page.getByRole('textbox', { name: 'Name of a stream' }).fill('prices');
  await page.getByRole('button', { name: 'Look up' }).click();
  await expect(page.getByText(/entries for hash/)).toBeVisible();
  await expect(page.getByText('the filter says maybe').first()).toBeVisible();
  await page.getByRole('grid', { name: 'Look up a stream' }).getByRole('row').first().dblclick();
  await expect(page.getByRole('region', { name: 'Bytes of the record' })).toBeVisible();
});
