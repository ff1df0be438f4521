/**
 * Damage that is found, repaired by the buttons of the window after its plan, and gone; and the views that are reached
 * although the database cannot be read.
 */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSample, launchWindow, type ElectronWindow } from './electron-window.ts';
import { soon } from './soon.ts';

let window: ElectronWindow;
let directory: string;

beforeAll(async () => {
  window = await launchWindow();
  await createSample(window);
  directory = path.join(window.home, 'samples', 'sample');
});
afterAll(() => window.close());

test('damage is repaired as planned, after a confirmation, and verified again', async () => {
  const { page, show } = window;
  writeFileSync(path.join(directory, 'epoch.chk'), new Uint8Array(8).fill(1));
  await show('Verify');
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await page.getByText('1 place of damage found.').waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Repair…' }).last().click();
  await page.getByRole('region', { name: 'Repair plan' }).getByText('writer.chk').waitFor();
  await page.getByRole('button', { name: 'Repair 1 file…' }).click();
  await soon(() => page.evaluate(() => document.activeElement?.textContent.trim())).toBe('Cancel');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Repair 1 file' }).click();
  await page.getByText('Repaired: no damage is left.').waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Verify again' }).first().click();
  await page.getByText(/^No damage found/).waitFor({ timeout: 60_000 });
});

test('a damaged index is rebuilt from the log by the button of its finding', async () => {
  const { page, show } = window;
  writeFileSync(path.join(directory, 'index', 'indexmap'), 'damaged');
  await show('Verify');
  await page.getByRole('button', { name: 'Verify again' }).click();
  await page.getByRole('button', { name: 'Rebuild the index…' }).last().click({ timeout: 60_000 });
  const plan = page.getByRole('region', { name: 'Index rebuild plan' });
  await plan.getByRole('button', { name: 'Rebuild the index…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Rebuild the index' }).click();
  await page.getByText(/^The index was rebuilt with [\d,]+ entries\.$/).waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Verify again' }).first().click();
  await page.getByText(/^No damage found/).waitFor({ timeout: 60_000 });
});

test('the backups of a node can be reached although its database is gone', async () => {
  const { page, show } = window;
  renameSync(directory, `${directory}-away`);
  mkdirSync(directory);
  await show('Overview');
  await page.getByRole('alert').first().waitFor();
  await show('Backups');
  await page.getByRole('button', { name: 'Choose a directory…' }).waitFor();
  rmSync(directory, { recursive: true });
  renameSync(`${directory}-away`, directory);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('alert').first().waitFor({ state: 'detached' });
});

test('the page complains about nothing', () => {
  expect(window.problems).toEqual([]);
});
