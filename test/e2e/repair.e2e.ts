/**
 * Damage that is found, repaired by the buttons of the window after its plan, and gone; and the views that are reached
 * although the database cannot be read.
 */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { unpackDamaged, unpackDatabase } from '../support/golden.ts';
import { expect, test } from './fixtures.ts';

test('damage is repaired as planned, after a confirmation, and verified again', async ({ sample }) => {
  const { page, show, directory } = sample;
  writeFileSync(path.join(directory, 'epoch.chk'), new Uint8Array(8).fill(1));
  await show('Check and repair');
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await expect(page.getByText('1 place of damage found.')).toBeVisible();
  await page.getByRole('button', { name: 'Repair…' }).last().click();
  await expect(page.getByRole('region', { name: 'Repair plan' }).getByText('epoch.chk')).toBeVisible();
  await page.getByRole('button', { name: 'Repair 1 file…' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Repair 1 file' }).click();
  await expect(page.getByText('Repaired: no damage is left.')).toBeVisible();
  // The repair has verified at its end: the page answers again by itself.
  await expect(page.getByText(/^No damage found/)).toBeVisible();
});

test('a damaged index is rebuilt from the log by the button of its finding', async ({ sample }) => {
  const { page, show, directory } = sample;
  writeFileSync(path.join(directory, 'index', 'indexmap'), 'damaged');
  await show('Check and repair');
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await page.getByRole('button', { name: 'Rebuild the index…' }).last().click();
  const plan = page.getByRole('region', { name: 'Index rebuild plan' });
  await plan.getByRole('button', { name: 'Rebuild the index…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Rebuild the index' }).click();
  await expect(page.getByText(/^The index was rebuilt with [\d,]+ entries\.$/)).toBeVisible();
  await expect(page.getByText(/^No damage found/)).toBeVisible();
});

test('a missing chunk is taken from a copy of the data directory that is given', async ({ openWindow }) => {
  const { app, page, show } = await openWindow({ words: [unpackDamaged('damaged-c-missing-middle-chunk')] });
  const copy = unpackDatabase({ name: 'plain', folder: 'after' });
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
  }, copy);
  await show('Check and repair');
  await expect(page.getByText(/^This node will not start/)).toBeVisible();
  await page.getByRole('button', { name: 'Give a backup…' }).click();
  await expect(page.getByText(copy, { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Plan a repair' }).click();
  const plan = page.getByRole('region', { name: 'Repair plan' });
  await expect(plan.getByRole('row', { name: /missing becomes chunk-000007\.000000/ })).toBeVisible();
  await plan.getByRole('button', { name: 'Repair 1 file…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Repair 1 file' }).click();
  await expect(page.getByText('Repaired: no damage is left.')).toBeVisible();
  await expect(page.getByText(/^This node will start/)).toBeVisible();
});

test('the backups of a node can be reached although its database is gone', async ({ sample }) => {
  const { page, show, directory } = sample;
  renameSync(directory, `${directory}-away`);
  mkdirSync(directory);
  await show('Overview');
  await expect(page.getByRole('alert').first()).toBeVisible();
  await show('Backups');
  await expect(page.getByRole('button', { name: 'Choose a directory…' })).toBeVisible();
  rmSync(directory, { recursive: true });
  renameSync(`${directory}-away`, directory);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('alert').first()).toHaveCount(0);
});
