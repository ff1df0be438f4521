/** Records for people, in a real window: JSON, fields and bytes by keyboard, marks of what a scavenge removes, two tasks. */
import { expectAccessibleInThemes } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { TaskFilm } from './task-film.ts';

const ORDERS = 'stream:order-* type:OrderPlaced';

test('rows, JSON, fields and bytes are reached by keyboard, and back; values, paths and bytes are copied', async ({
  seenSample
}) => {
  const { app, page, show } = seenSample;
  const copied = () => app.evaluate(({ clipboard }) => clipboard.readText());
  await show('Records');
  await page.getByRole('combobox', { name: 'Record filter' }).fill(ORDERS);
  const grid = page.getByRole('grid', { name: 'Records of the log' });
  // The log begins with other records: these are those of the filter.
  await expect(grid.getByRole('row').first()).toContainText('OrderPlaced');
  await expect(grid.getByText('ItemAdded')).toHaveCount(0);
  await grid.getByText('OrderPlaced').first().click();
  const tree = page.getByRole('tree', { name: 'Data and metadata as JSON' });
  await expect(tree.getByRole('treeitem', { name: /^Data/ })).toBeVisible();
  await expectAccessibleInThemes(page);

  await grid.focus();
  await page.keyboard.press('Enter');
  await expect(tree).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Control+c');
  await expect.poll(copied).toBe('0');
  await page.keyboard.press('Control+Shift+C');
  await expect.poll(copied).toBe('$.order');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(tree.getByRole('treeitem')).toHaveCount(1);
  await page.keyboard.press('ArrowRight');
  await expect(tree.getByRole('treeitem', { name: /^quantity/ })).toBeVisible();

  await page.keyboard.press('F6');
  const fields = page.getByRole('table', { name: 'Fields' });
  await expect(fields.getByRole('button', { name: 'Length', exact: true })).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  const bytes = page.getByRole('grid', { name: 'Bytes', exact: true });
  await expect(bytes).toBeFocused();
  await page.keyboard.press('Control+c');
  await expect.poll(copied).toMatch(/^[0-9a-f]{2}( [0-9a-f]{2}){3}$/);
  await page.keyboard.press('F6');
  await expect(grid).toBeFocused();
  await page.keyboard.press('Shift+F6');
  await expect(bytes).toBeFocused();
});

test('the JSON is searched from match to match, and a folded match is unfolded', async ({ seenSample }) => {
  const { page, show } = seenSample;
  await show('Records');
  await page.getByRole('combobox', { name: 'Record filter' }).fill(ORDERS);
  const grid = page.getByRole('grid', { name: 'Records of the log' });
  // The log begins with other records: these are those of the filter.
  await expect(grid.getByRole('row').first()).toContainText('OrderPlaced');
  await expect(grid.getByText('ItemAdded')).toHaveCount(0);
  await grid.getByText('OrderPlaced').first().click();
  const tree = page.getByRole('tree');
  await tree.focus();
  await page.keyboard.press('ArrowLeft');
  const search = page.getByRole('searchbox', { name: 'Search in names and values' });
  await search.fill('qUAnt');
  await expect(page.getByText('1 of 1')).toBeVisible();
  await expect(tree.getByRole('treeitem', { name: /^quantity/ })).toHaveAttribute('aria-selected', 'true');
  await search.fill('nothing like it');
  await expect(page.getByText('no match')).toBeVisible();
});

test('offsets have one base in fields and bytes, which is kept', async ({ seenSample }) => {
  const { page, show } = seenSample;
  await show('Records');
  await page.getByRole('grid', { name: 'Records of the log' }).getByRole('row').first().click();
  const first = page.getByRole('table', { name: 'Fields' }).getByRole('row').first();
  const line = page.getByRole('grid', { name: 'Bytes', exact: true }).getByRole('row').first();
  await expect(first).toContainText('0x00000080');
  await expect(line).toContainText('0x00000080');
  await page.getByRole('button', { name: 'Dec', exact: true }).click();
  await expect(first.getByRole('cell').first()).toHaveText('128');
  await expect(line.getByRole('rowheader')).toHaveText('128');
  await page.reload();
  await expect(page.locator('html[data-ready=true]')).toBeVisible();
  await page.getByRole('tab', { name: 'Records', exact: true }).click();
  await page.getByRole('grid', { name: 'Records of the log' }).getByRole('row').first().click();
  await expect(first.getByRole('cell').first()).toHaveText('128');
});

test('each row says whether a scavenge keeps it, as soon as that is known', async ({ sample }) => {
  const { page, show } = sample;
  await show('Records');
  await page.getByRole('combobox', { name: 'Record filter' }).fill('stream:metrics number<2');
  const row = page.getByRole('grid', { name: 'Records of the log' }).getByRole('row', { name: /metrics 0/ });
  await expect(row).toBeVisible();
  await expect(row.getByText('removable')).toBeVisible();
  await row.click();
  await page.getByRole('button', { name: 'Why kept?' }).click();
  const panel = page.getByRole('complementary', { name: 'Explain' });
  await expect(panel.getByText('Removed by this scavenge')).toBeVisible();
});

test('the bytes of a record are seen with three clicks', async ({ sample }) => {
  const { page } = sample;
  const film = new TaskFilm(page, 'bytes');
  const grid = page.getByRole('grid', { name: 'Records of the log' });
  const bytes = page.getByRole('grid', { name: 'Bytes', exact: true });
  await film.click(page.getByRole('tab', { name: 'Records', exact: true }), grid.getByText('OrderPlaced'));
  await film.click(grid.getByText('OrderPlaced').first(), bytes.getByRole('row'));
  await film.click(
    page.getByRole('table', { name: 'Fields' }).getByRole('button', { name: 'Stream', exact: true }),
    bytes
  );
  await expect(bytes).toBeFocused();
  expect(film.clicks).toBe(3);
  film.tell();
});

test('why an event is still here is seen with three clicks', async ({ sample }) => {
  const { page } = sample;
  const film = new TaskFilm(page, 'why');
  const grid = page.getByRole('grid', { name: 'Records of the log' });
  await film.click(page.getByRole('tab', { name: 'Records', exact: true }), grid.getByText('kept'));
  await film.click(grid.getByText('OrderPlaced').first(), page.getByRole('tree'));
  const panel = page.getByRole('complementary', { name: 'Explain' });
  await film.click(
    page.getByRole('button', { name: 'Why kept?' }),
    panel.getByRole('list', { name: 'Rules, in the order they apply' })
  );
  await expect(panel.locator('.verdict')).toContainText('Kept');
  expect(film.clicks).toBe(3);
  film.tell();
});
