/** Streams in a real window: their share and what of them is removable, filters by state, and the tree of categories. */
import { lookAtPage } from '../campaign/window-tour/page-look.ts';
import { expectAccessibleInThemes } from './axe.ts';
import { expect, test } from './fixtures.ts';

test('streams are a tree of categories that folds by keyboard, and lead to their events', async ({
  sample
}) => {
  const { page, show } = sample;
  await show('Streams');
  await expect(page.getByRole('grid', { name: 'Streams', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Categories', exact: true }).click();
  const tree = page.getByRole('treegrid', { name: 'Streams by category' });
  const order = tree.getByRole('row', { name: /^order / });
  await expect(order).toHaveAttribute('aria-expanded', 'false');
  await tree.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await expect(tree.locator('[aria-level="2"]').first()).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('grid', { name: 'Events, as a reader sees them' })).toBeVisible();
  // Beside the events there is room for what is removable, too.
  await expect(tree.getByText(/^[\d.]+ [KM]iB$|^none$/).first()).toBeVisible();
  await expect.poll(() => lookAtPage(page)).toEqual([]);
  await expectAccessibleInThemes(page);
  // What is open and chosen stays so in another form of the window, and when the database is looked at again.
  const chosen = tree.locator('[aria-level="2"][aria-selected="true"]');
  const nameOf = chosen.getByRole('gridcell').first();
  const name = await nameOf.innerText();
  for (const width of [900, 1280]) {
    // Narrower than a window can be: that of this test alone.
    await page.setViewportSize({ width, height: 800 });
    await expect(order).toHaveAttribute('aria-expanded', 'true');
    await expect(nameOf).toHaveText(name, { useInnerText: true });
  }
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(tree.locator('[aria-level="2"]').first()).toBeVisible();
  await expect(nameOf).toHaveText(name, { useInnerText: true });
  await tree.focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(tree.locator('[aria-level="2"]')).toHaveCount(0);
  await expect(tree.getByText(/^[\d.]+ [KM]iB$|^none$/).first()).toBeVisible();
});

test('streams are filtered by state and by rule, and say what of them is removable', async ({
  seenSample
}) => {
  const { page, show } = seenSample;
  await show('Streams');
  const grid = page.getByRole('grid', { name: 'Streams', exact: true });
  await expect(grid.getByRole('row', { name: /^order-/ }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Filter by Rules' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'maximum age' }).click();
  await page.keyboard.press('Escape');
  const metrics = grid.getByRole('row', { name: /^metrics / });
  await expect(metrics).toBeVisible();
  await expect(grid.getByRole('row', { name: /^order-/ })).toHaveCount(0);
  await expect(metrics.getByTitle(/that a scavenge of all completed chunks would remove now/)).toBeVisible();
  await metrics.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Show in Usage' }).click();
  await expect(page.getByRole('tab', { name: 'Usage', selected: true })).toBeVisible();
});
