/** A database that a server refuses: asked in the window whether it starts, why not, and mended by the button. */
import { unpackDamaged } from '../support/golden.ts';
import { expectAccessible } from './axe.ts';
import { overviewHealth, type ElectronWindow } from './electron-window.ts';
import { expect, test as base } from './fixtures.ts';

const test = base.extend<{ damaged: ElectronWindow }>({
  /** A window on a database that no server starts on. */
  damaged: async ({ openWindow }, use) => {
    await use(await openWindow({ words: [unpackDamaged('damaged-h-writer-mid-record')] }));
  }
});

test('the overview says what the doctor says, by itself, and blames no chunk', async ({ damaged }) => {
  const { page } = damaged;
  await expect(overviewHealth(page, /^will not start as of .* \(doctor\)$/)).toBeVisible();
  const overview = page.locator('.overview');
  await expect(overview.getByText(/^The writer checkpoint 1039123 is within the record/)).toBeVisible();
  expect(await overview.getByText(/chunk-000015\.000000 is damaged/).count()).toBe(0);
});

test('a node that will not start says why, in words of ours and of the server', async ({ damaged }) => {
  const { page, show } = damaged;
  await show('Check and repair');
  const section = page.getByRole('region', { name: 'Will a server start here?' });
  await expect(section.getByText(/^This node will not start: the writer checkpoint 1039123/)).toBeVisible();
  await expect(section.getByText(/There is not enough space to read full record/)).toBeVisible();
  await section.getByText('Not checked').click();
  await expectAccessible(page);
});

test('its remedy is planned by a button, carried out, and the next look says that it starts', async ({
  damaged
}) => {
  const { page, show } = damaged;
  await show('Check and repair');
  const section = page.getByRole('region', { name: 'Will a server start here?' });
  await section.getByRole('button', { name: 'Repair…' }).first().click();
  const plan = section.getByRole('region', { name: 'Repair plan' });
  await plan.getByRole('button', { name: /^Repair \d+ files?…$/ }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Repair \d+ files?$/ })
    .click();
  await expect(section.getByText('Repaired: no damage is left.')).toBeVisible();
  // Nobody asks: the doctor looks again at what the repair has changed.
  await expect(section.getByText(/^This node will start; it is ready/)).toBeVisible();
  expect(await section.getByText(/^This node will not start/).count()).toBe(0);
  await expect(
    page.getByRole('navigation', { name: 'Nodes' }).locator('[data-shape=sound]').first()
  ).toBeVisible();
});
