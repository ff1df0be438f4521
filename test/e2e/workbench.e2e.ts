import { copyFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSample, launchWindow, type ElectronWindow } from './electron-window.ts';
import { soon } from './soon.ts';

let window: ElectronWindow;
let directory: string;

beforeAll(async () => {
  window = await launchWindow();
  directory = path.join(window.home, 'samples', 'sample');
});
afterAll(() => window.close());

/** Bytes of all chunk files together. */
function bytesOnDisk(): number {
  return chunkFiles().reduce((sum, name) => sum + statSync(path.join(directory, name)).size, 0);
}

function chunkFiles(): string[] {
  return readdirSync(directory)
    .filter((name) => name.startsWith('chunk-'))
    .sort();
}

test('the first screen creates the sample database and opens it', async () => {
  const { page } = window;
  await page.getByRole('button', { name: 'Open a data directory' }).waitFor();
  await createSample(window);
  await soon(() => page.getByRole('heading', { level: 1 }).innerText()).toMatch(
    /^6\d chunks, [\d.]+ MiB, never scavenged$/
  );
});

test('chunks show their header, their records, and bytes tied to decoded fields', async () => {
  const { page, show } = window;
  await show('Chunks');
  await page.locator('[data-chunk="3"]').click();
  await page.getByRole('heading', { name: 'Chunk 3' }).waitFor();
  await page.getByText('Lowest version a reader must know').waitFor();
  await page.getByRole('button', { name: 'Show the records' }).click();
  await page.getByRole('grid').getByRole('row').nth(2).click();
  const field = page.getByRole('button', { name: 'Event id' });
  await field.hover();
  await soon(() => page.locator('.cells .lit').count()).toBe(16);
  await page.locator('.cells [data-at="0"]').hover();
  await soon(() => page.locator('tr.lit').innerText()).toContain('Length');
});

test('streams are found while typing', async () => {
  const { page, show } = window;
  await show('Streams');
  await page.getByRole('searchbox').fill('prices');
  await page.getByRole('row', { name: /^prices/ }).click();
  await page.getByText('A reader does not see its first events any more.').waitFor();
  await page.getByRole('grid', { name: 'Events, as a reader sees them' }).getByRole('row').first().click();
  await page.getByRole('region', { name: 'Bytes of the record' }).waitFor();
});

test('a schedule is said in words, with its next five times', async () => {
  const { page, show } = window;
  await show('Auto-scavenge');
  await page.getByRole('textbox', { name: 'CRON expression' }).fill('30 1 * * MON-FRI');
  await page.getByRole('heading', { level: 1, name: /Monday through Friday/ }).waitFor();
  await soon(() => page.locator('ol.next li').count()).toBe(5);
});

const removeButton = () => window.page.getByRole('button', { name: /^Remove [\d.]+ MiB from sample…$/ });
/** What the plan would free. */
let amount = '';

test('what a scavenge would free is one number, in plan, threshold, overview and usage', async () => {
  const { page, show } = window;
  await show('Scavenge');
  await page.getByRole('button', { name: 'Make the plan' }).click();
  await removeButton().waitFor({ timeout: 60_000 });
  amount = /[\d.]+ MiB/.exec(await removeButton().innerText())![0];
  expect(await page.locator('dl > div').first().innerText()).toMatch(new RegExp(`^Would free\\s+${amount}`));
  expect(await page.getByText(/ of what is possible\)/).innerText()).toContain(`Would free ${amount} (100 %`);
  await show('Overview');
  await page.getByText(`A scavenge would free ${amount} (`).waitFor();
  await show('Usage');
  await page.getByRole('button', { name: 'Count usage', exact: true }).click();
  await page.getByText(`A scavenge would free ${amount} of files.`).waitFor({ timeout: 60_000 });
});

test('a scavenge shows its plan, then its phases, and leaves smaller chunks', async () => {
  const { page, show } = window;
  const before = bytesOnDisk();
  await show('Scavenge');
  await removeButton().click();
  const dialog = page.getByRole('alertdialog');
  expect(await dialog.innerText()).toMatch(/removes [\d,]+ records from \d+ chunks/);
  await soon(() => page.evaluate(() => document.activeElement?.textContent.trim())).toBe('Cancel');
  await dialog.getByRole('button', { name: /^Remove/ }).click();
  await page.getByRole('list').filter({ hasText: 'Chunk execution' }).waitFor();
  await page.getByRole('button', { name: 'Verify now' }).waitFor({ timeout: 60_000 });
  await soon(() => page.getByText(new RegExp(`^${amount} freed, [\\d,]+ records removed\\.`)).count()).toBe(
    1
  );
  expect(await page.locator('dl > div').first().innerText()).toMatch(new RegExp(`^Freed\\s+${amount}`));
  expect(bytesOnDisk()).toBeLessThan(before);
  await show('Chunks');
  const bar = page.getByRole('grid', { name: 'Chunks' }).getByRole('img').first();
  await soon(() => bar.getAttribute('aria-label')).toMatch(/\d+ KiB already freed$/);
});

test('the database is whole afterwards', async () => {
  const { page, show } = window;
  await show('Verify');
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await page.getByText(/^No damage found/).waitFor({ timeout: 60_000 });
});

test('a chunk that appears shows without a reload, and so does its going', async () => {
  const { page, show } = window;
  await show('Chunks');
  const first = chunkFiles()[0]!;
  const newer = path.join(directory, first.replace(/\d{6}$/, '000099'));
  copyFileSync(path.join(directory, first), newer);
  await page.getByText('Other files in the directory (1)').waitFor();
  rmSync(newer);
  await page.getByText('Other files in the directory (1)').waitFor({ state: 'detached' });
});

test('the death of the engine is an event with a message and a restart', async () => {
  const { app, page } = window;
  await app.evaluate(({ app: electron }) => {
    const engine = electron.getAppMetrics().find((metric) => metric.name === 'Winnow engine');
    if (engine) process.kill(engine.pid, 'SIGKILL');
  });
  await page.getByText('The engine has stopped').waitFor();
  await page.getByRole('button', { name: 'Restart engine' }).click();
  await page.getByText('The engine has stopped').waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'Overview' }).click();
  await page.getByRole('heading', { level: 1, name: /chunks/ }).waitFor();
});

test('the page complains about nothing', () => {
  expect(window.problems).toEqual([]);
});
