/** What takes the space, in the window: counted, map and table moved through by keys, parts below, copied. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAxe } from './axe.ts';
import { createSample, launchWindow, type ElectronWindow } from './electron-window.ts';

const PATIENCE = { timeout: 60_000 };
let window: ElectronWindow;

beforeAll(async () => {
  window = await launchWindow();
  await createSample(window);
});
afterAll(async () => {
  await window.close();
});

test('counts the sample, and says what can go', async () => {
  const { page, show } = window;
  await show('Usage');
  await page.getByRole('button', { name: 'Count usage', exact: true }).click(PATIENCE);
  await page.getByText(/can go \(\d+(\.\d)? %\)/).waitFor(PATIENCE);
  await page.getByRole('option', { name: /^metrics \d/ }).waitFor(PATIENCE);
});

test('keys move through map and table, which have the same one chosen', async () => {
  const { page } = window;
  const map = page.getByRole('listbox', { name: 'Map of space usage' });
  await map.focus();
  await page.keyboard.press('Home');
  const chosen = map.getByRole('option', { selected: true });
  const table = page.getByRole('grid', { name: 'Items by size' });
  // What is too small for fields of its own is the largest field together; in the table its largest item is chosen.
  expect(await chosen.getAttribute('aria-label', PATIENCE)).toMatch(/smaller ones together/);
  await table.getByRole('row', { selected: true }).waitFor(PATIENCE);
  await page.keyboard.press('ArrowRight');
  await expect
    .poll(() => chosen.getAttribute('aria-label'), { timeout: 60_000 })
    .not.toMatch(/smaller ones together/);
  const first = await chosen.getAttribute('aria-label', PATIENCE);
  const nameOf = (label: string | null) => label?.replace(/ \S+ \S+ removable · .*$/, '') ?? '';
  await table
    .getByRole('row', { selected: true })
    .getByText(nameOf(first), { exact: true })
    .waitFor(PATIENCE);
  await table.focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => chosen.getAttribute('aria-label'), { timeout: 60_000 }).not.toBe(first);
});

test('sums up by category, compares thresholds, and names the days', async () => {
  const { page } = window;
  await page.getByRole('combobox', { name: 'Group by' }).selectOption('category');
  await page.getByRole('option', { name: /^session \d/ }).waitFor(PATIENCE);
  await page.getByRole('tab', { name: 'Thresholds compared' }).click();
  await page.getByText(/^Times from a short measurement/).waitFor(PATIENCE);
  await page.getByRole('tab', { name: 'Expiry calendar' }).click();
  await page.getByRole('table', { name: 'Expiry calendar' }).getByRole('row').nth(1).waitFor(PATIENCE);
  expect((await runAxe(page)).faults).toEqual([]);
});

test('copies the items as CSV', async () => {
  const { app, page } = window;
  await page.getByRole('button', { name: 'CSV' }).click();
  await expect
    .poll(() => app.evaluate(({ clipboard }) => clipboard.readText()), { timeout: 60_000 })
    .toMatch(/^name,records,bytes/);
});

test('Enter on a stream leads to it', async () => {
  const { page } = window;
  await page.getByRole('combobox', { name: 'Group by' }).selectOption('stream');
  await page.getByRole('option', { name: /^metrics \d/ }).click(PATIENCE);
  await page.keyboard.press('Enter');
  await page.getByRole('grid', { name: 'Streams' }).waitFor(PATIENCE);
});

test('the page complains about nothing', () => {
  expect(window.problems).toEqual([]);
});

test('after a scavenge the count says what it is of, and the threshold slider of the old plan is gone', async () => {
  const { page, show } = window;
  await show('Scavenge');
  await page.getByRole('button', { name: /^Make the plan/ }).click();
  await page.getByRole('slider', { name: 'Threshold' }).waitFor(PATIENCE);
  await page.getByRole('button', { name: /^Remove .* from / }).click(PATIENCE);
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Remove .* from / })
    .click(PATIENCE);
  await page.getByText('The scavenge is complete.').waitFor(PATIENCE);
  await page.getByRole('slider', { name: 'Threshold' }).waitFor({ state: 'detached', ...PATIENCE });
  await show('Usage');
  await page.getByText(/This shows the state before “Scavenge sample”, which ended /).waitFor(PATIENCE);
});
