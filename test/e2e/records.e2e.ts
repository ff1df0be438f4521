/** Records for people, in a real window: JSON, fields and bytes by keyboard, marks of what a scavenge removes, two tasks. */
import { expectAccessibleInThemes } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { TaskStrip } from './task-strip.ts';

const ORDERS = 'stream:order-* type:OrderPlaced';

test('rows, JSON, fields and bytes are reached by keyboard, and back; values, paths and bytes are copied', async ({
  sample
}) => {
  const { app, page, show } = sample;
  const copied = () => app.evaluate(({ clipboard }) => clipboard.readText());
  await show('Records');
  await page.getByRole('combobox', { name: 'Record filter' }).fill(ORDERS);
  const grid = page.getByRole('grid', { name: 'Records of the log' });
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

test('the JSON is searched from match to match, and a folded match is unfolded', async ({ sample }) => {
  const { page, show } = sample;
  await show('Records');
  await page.getByRole('combobox', { name: 'Record filter' }).fill(ORDERS);
  const grid = page.getByRole('grid', { name: 'Records of the log' });
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

test('offsets have one base in fields and bytes, which is kept', async ({ sample }) => {
  const { page, show } = sample;
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

test('task: the bytes of a record', async ({ sample }, info) => {
  const { page } = sample;
  const task = new TaskStrip(page, info, 'bytes-of-a-record');
  await task.picture();
  await task.click(page.getByRole('tab', { name: 'Records', exact: true }));
  const grid = page.getByRole('grid', { name: 'Records of the log' });
  await expect(grid.getByText('OrderPlaced').first()).toBeVisible();
  await task.picture();
  await task.click(grid.getByText('OrderPlaced').first());
  await expect(page.getByRole('grid', { name: 'Bytes', exact: true }).getByRole('row').first()).toBeVisible();
  await task.picture();
  await task.click(
    page.getByRole('table', { name: 'Fields' }).getByRole('button', { name: 'Stream', exact: true })
  );
  await expect(page.getByRole('grid', { name: 'Bytes', exact: true })).toBeFocused();
  await task.picture();
  expect(task.clicks).toBe(3);
});

test('task: why is this event still here', async ({ sample }, info) => {
  const { page } = sample;
  const task = new TaskStrip(page, info, 'why-still-here');
  await task.picture();
  await task.click(page.getByRole('tab', { name: 'Records', exact: true }));
  const grid = page.getByRole('grid', { name: 'Records of the log' });
  await expect(grid.getByText('kept').first()).toBeVisible();
  await task.picture();
  await task.click(grid.getByText('OrderPlaced').first());
  await expect(page.getByRole('tree')).toBeVisible();
  await task.picture();
  await task.click(page.getByRole('button', { name: 'Why kept?' }));
  const panel = page.getByRole('complementary', { name: 'Explain' });
  await expect(panel.getByRole('list', { name: 'Rules, in the order they apply' })).toBeVisible();
  await expect(panel.locator('.verdict')).toContainText('Kept');
  await task.picture();
  expect(task.clicks).toBe(3);
});
