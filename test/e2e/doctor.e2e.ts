/** A database that a server refuses: asked in the window whether it starts, why not, and mended by the button. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeUnpacked, unpackDamaged } from '../support/golden.ts';
import { runAxe } from './axe.ts';
import { launchWindow, overviewHealth, type ElectronWindow } from './electron-window.ts';

const PATIENCE = { timeout: 60_000 };
let window: ElectronWindow;

beforeAll(async () => {
  const database = unpackDamaged('damaged-h-writer-mid-record');
  window = await launchWindow({ words: [database] });
});
afterAll(async () => {
  await window.close();
  removeUnpacked();
});

test('the overview says what the doctor says, by itself, and blames no chunk', async () => {
  const { page } = window;
  await overviewHealth(page, /^will not start as of .* \(doctor\)$/).waitFor(PATIENCE);
  const overview = page.locator('.overview');
  await overview.getByText(/^The writer checkpoint 1039123 is within the record/).waitFor(PATIENCE);
  expect(await overview.getByText(/chunk-000015\.000000 is damaged/).count()).toBe(0);
});

test('a node that will not start says why, in words of ours and of the server', async () => {
  const { page, show } = window;
  await show('Verify');
  const section = page.getByRole('region', { name: 'Will a server start here?' });
  await section.getByText(/^This node will not start: the writer checkpoint 1039123/).waitFor(PATIENCE);
  await section.getByText(/There is not enough space to read full record/).waitFor(PATIENCE);
  await section.getByText('Not checked').click(PATIENCE);
  expect((await runAxe(page)).faults).toEqual([]);
});

test('its remedy is planned by a button, carried out, and the next look says that it starts', async () => {
  const { page } = window;
  const section = page.getByRole('region', { name: 'Will a server start here?' });
  await section.getByRole('button', { name: 'Repair…' }).first().click(PATIENCE);
  const plan = section.getByRole('region', { name: 'Repair plan' });
  await plan.getByRole('button', { name: /^Repair \d+ files?…$/ }).click(PATIENCE);
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Repair \d+ files?$/ })
    .click(PATIENCE);
  await section.getByText('Repaired: no damage is left.').waitFor(PATIENCE);
  // Nobody asks: the doctor looks again at what the repair has changed.
  await section.getByText(/^This node will start; it is ready/).waitFor(PATIENCE);
  expect(await section.getByText(/^This node will not start/).count()).toBe(0);
  await page
    .getByRole('navigation', { name: 'Nodes' })
    .locator('[data-shape=sound]')
    .first()
    .waitFor(PATIENCE);
});

test('the page complains about nothing', () => {
  expect(window.problems).toEqual([]);
});
