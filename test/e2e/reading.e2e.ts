/** Looking into a database in depth, in a real window: overview, chunks, records, streams, index. Nothing is written. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSample, launchWindow, type ElectronWindow } from './electron-window.ts';
import { soon } from './soon.ts';

const PATIENCE = { timeout: 60_000 };
let window: ElectronWindow;

beforeAll(async () => {
  window = await launchWindow();
  await createSample(window);
});
afterAll(() => window.close());

test('the bar of the log goes along time, tells what is under the pointer, and leads to the chunk', async () => {
  const { page } = window;
  await page.getByRole('button', { name: 'by time' }).click();
  await page.getByRole('button', { name: 'by time', pressed: true }).waitFor(PATIENCE);
  const bar = page.getByRole('button', { name: 'The log, from its start to its end' });
  await bar.focus();
  await page.keyboard.press('ArrowRight');
  await page.getByText(/Chunk 0 · .* \d{4} · .* live/).waitFor(PATIENCE);
  await bar.hover({ position: { x: 4, y: 20 } });
  await bar.click({ position: { x: 4, y: 20 } });
  await page.getByRole('heading', { name: 'Chunk 0' }).waitFor(PATIENCE);
});

test('an epoch mark leads to its record', async () => {
  const { page, show } = window;
  await show('Overview');
  await page
    .getByRole('button', { name: /^Epoch 0 at/ })
    .first()
    .click();
  await page.getByRole('heading', { name: 'Records of chunk 0' }).waitFor(PATIENCE);
  await page.getByRole('region', { name: 'Bytes of the record' }).waitFor(PATIENCE);
});

test('what a scavenge would free is computed on demand and remembered with its date', async () => {
  const { page, show } = window;
  await show('Overview');
  await page.getByRole('button', { name: 'Compute the plan' }).click();
  await page.getByText(/^A scavenge would free/).waitFor(PATIENCE);
  await page.reload();
  await page.locator('html[data-ready=true]').waitFor(PATIENCE);
  await page
    .getByRole('button', { name: /^sample/ })
    .first()
    .click();
  await page.getByText(/^A scavenge would free/).waitFor(PATIENCE);
  await page.getByText(/^Computed/).waitFor(PATIENCE);
});

test('the map of chunks changes its colour and its size, by keyboard as well', async () => {
  const { page, show } = window;
  await show('Chunks');
  const map = page.getByRole('listbox', { name: 'Chunk map' });
  await page.getByLabel('Colour by').selectOption('age');
  await map.locator('.cell.age').first().waitFor(PATIENCE);
  await soon(() => map.getByRole('option').first().getAttribute('aria-label')).toMatch(/ago|just now/);
  const width = async () => (await map.getByRole('option').first().boundingBox())?.width ?? 0;
  const before = await width();
  await map.focus();
  await page.keyboard.press('+');
  await expect.poll(width, PATIENCE).toBeGreaterThan(before);
  await page.keyboard.press('Home');
  await page.getByRole('heading', { name: 'Chunk 0' }).waitFor(PATIENCE);
});

test('a chunk is compared with what a scavenge would leave of it', async () => {
  const { page } = window;
  await page.locator('[data-chunk="3"]').click();
  await page.getByRole('heading', { name: 'Chunk 3' }).waitFor(PATIENCE);
  const compare = page.getByRole('region', { name: 'Compare' });
  await compare.getByRole('button', { name: 'Compare' }).click();
  await compare.getByText(/records? would go/).waitFor(PATIENCE);
  await compare.getByText('as a scavenge would leave it').waitFor(PATIENCE);
  await soon(() => compare.getByRole('row').count()).toBeGreaterThan(0);
});

test('records are filtered by a line that completes itself and marks what it does not understand', async () => {
  const { page, show } = window;
  await show('Records');
  const line = page.getByRole('combobox', { name: 'Record filter' });
  await line.fill('ki');
  await page.getByRole('option', { name: /^kind:/ }).waitFor(PATIENCE);
  await line.press('ArrowDown');
  await line.press('Enter');
  await line.press('ArrowDown');
  await line.press('ArrowDown');
  await line.press('ArrowDown');
  await line.press('Enter');
  await soon(() => line.inputValue()).toBe('kind:system ');
  await page.getByText(/^\d+ records?$/).waitFor(PATIENCE);
  const grid = page.getByRole('grid', { name: 'Records of the log' });
  await expect.poll(() => grid.getByText('system: epoch').count(), PATIENCE).toBeGreaterThan(0);
  await line.fill('stream:order-* colour:red');
  await page.getByText('"colour" is not a filter key.', { exact: false }).waitFor(PATIENCE);
  await soon(() => page.locator('mark').innerText()).toBe('colour:red');
  await line.fill('stream:order-* number:0');
  await grid
    .getByRole('row', { name: /order-\d+/ })
    .first()
    .waitFor(PATIENCE);
});

test('a record shows its JSON, and is copied with it', async () => {
  const { app, page } = window;
  const grid = page.getByRole('grid', { name: 'Records of the log' });
  await grid.getByRole('row').first().click();
  await page.getByRole('region', { name: 'Bytes of the record' }).waitFor(PATIENCE);
  await page.getByRole('heading', { name: 'Data', exact: true }).waitFor(PATIENCE);
  await page.getByRole('button', { name: 'Copy as JSON' }).click();
  const copied = async () => app.evaluate(({ clipboard }) => clipboard.readText());
  await expect.poll(copied, PATIENCE).toContain('"data": {');
});

test('a position is gone to, into the line of its record', async () => {
  const { page } = window;
  const field = page.getByRole('textbox', { name: 'Go to position' });
  await field.fill('2,000,001');
  await field.press('Enter');
  await page.getByRole('heading', { name: /^Records of chunk \d+$/ }).waitFor(PATIENCE);
  await page.locator('[role=row][aria-selected=true]').waitFor(PATIENCE);
  await field.fill('99999999999');
  await field.press('Enter');
  await page.getByText(/There is no record at/).waitFor(PATIENCE);
});

test('streams are found by the beginning of their name, with their metadata and their places', async () => {
  const { page, show } = window;
  await show('Streams');
  await page.getByRole('searchbox').fill('prices*');
  await page
    .getByRole('row', { name: /^prices/ })
    .first()
    .click();
  await page.getByRole('tab', { name: 'Metadata' }).click();
  const history = page.getByRole('list', { name: 'Metadata, newest first' });
  await history.getByText('in force').waitFor(PATIENCE);
  await page.getByRole('tab', { name: 'Places' }).click();
  const places = page.getByRole('grid', { name: 'Chunks that hold its events' });
  await places.getByRole('row').first().dblclick();
  await page.getByRole('heading', { name: /^Records of chunk/ }).waitFor(PATIENCE);
  const line = page.getByRole('combobox', { name: 'Record filter' });
  await soon(() => line.inputValue()).toBe('stream:prices');
  await page.keyboard.press('Alt+ArrowLeft');
  await places.waitFor(PATIENCE);
});

test('the index shows a table with the fill of its filter, and looks a stream up table by table', async () => {
  const { page, show } = window;
  await show('Index');
  await page.getByRole('grid', { name: 'Index' }).getByRole('row').first().click();
  await page.getByRole('img', { name: /of its bits set/ }).waitFor(PATIENCE);
  await page.getByRole('textbox', { name: 'Name of a stream' }).fill('prices');
  await page.getByRole('button', { name: 'Look up' }).click();
  await page.getByText(/entries for hash/).waitFor(PATIENCE);
  await page.getByText('the filter says maybe').first().waitFor(PATIENCE);
  await page.getByRole('grid', { name: 'Look up a stream' }).getByRole('row').first().dblclick();
  await page.getByRole('region', { name: 'Bytes of the record' }).waitFor(PATIENCE);
});

test('the page complains about nothing', () => {
  expect(window.problems).toEqual([]);
});
