/**
 * Backups by the buttons of the window: a directory chosen, a backup taken, verified and rehearsed, the database
 * scavenged, the backup restored over it, and the files the same as before. The dialog of the system is answered by
 * the test.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { S3_BUCKET, startS3Server, useS3Credentials, type S3Server } from '../support/s3-server.ts';
import { createSample, launchWindow, type ElectronWindow } from './electron-window.ts';
import { soon } from './soon.ts';

let window: ElectronWindow;
let directory: string;
let backups: string;
let before: Map<string, string>;
let store: S3Server;

beforeAll(async () => {
  useS3Credentials();
  store = await startS3Server();
  window = await launchWindow();
  await createSample(window);
  directory = path.join(window.home, 'samples', 'sample');
  backups = path.join(window.home, 'backups');
  mkdirSync(backups);
  before = chunkHashes();
});
afterAll(async () => {
  await window.close();
  await store.remove();
});

/** SHA-256 of each chunk file, by name. */
function chunkHashes(): Map<string, string> {
  const names = readdirSync(directory).filter((name) => name.startsWith('chunk-'));
  return new Map(
    names.sort().map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(path.join(directory, name)))
        .digest('hex')
    ])
  );
}

const rows = () => window.page.getByRole('grid', { name: 'Backups in this directory' }).getByRole('row');

test('a directory for backups is chosen in a dialog and remembered', async () => {
  const { app, page, show } = window;
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
  }, backups);
  await show('Backups');
  await page.getByRole('button', { name: 'Choose a directory…' }).click();
  await page.getByText('There are no backups in this directory yet.').waitFor();
  await page.reload();
  await page.locator('html[data-ready=true]').waitFor();
  await page.getByText(backups, { exact: true }).waitFor();
});

/** How many the plan says that the backup copies. */
let plannedFiles = '';

test('a full backup shows its plan, is taken, and stands in the catalogue', async () => {
  const { page } = window;
  await page.getByRole('combobox', { name: 'Backup kind' }).selectOption('full');
  await page.getByRole('button', { name: 'Plan a backup' }).click();
  const copy = page.getByRole('button', { name: /^Copy [\d.]+ MiB$/ });
  await copy.waitFor({ timeout: 60_000 });
  const planned = await page.getByRole('region', { name: 'Backup plan' }).innerText();
  plannedFiles = /Files\s+([\d,]+)/.exec(planned)![1]!;
  await copy.click();
  await page.getByText(/^The backup \S+ is complete\.$/).waitFor({ timeout: 60_000 });
  await soon(() => rows().count()).toBe(1);
  await soon(() => rows().first().innerText()).toMatch(/full[\s\S]*not yet/);
});

test('it is verified and rehearsed, and the catalogue says so', async () => {
  const { page } = window;
  await page.getByRole('button', { name: 'Verify new backup' }).click();
  await page.getByText('The backup is intact.').waitFor({ timeout: 60_000 });
  await rows().first().click();
  await page.getByText(`${plannedFiles} files, `).first().waitFor();
  await page.getByRole('button', { name: 'Rehearse backup', exact: true }).click();
  await page.getByText(/^The rehearsal succeeded/).waitFor({ timeout: 120_000 });
  await rows().locator('.signed.ok').nth(1).waitFor();
});

test('a backup after a scavenge is differential, and the older one can be pruned in the plan', async () => {
  const { page, show } = window;
  await show('Scavenge');
  await page.getByRole('button', { name: 'Make the plan' }).click();
  await page.getByRole('button', { name: /^Remove/ }).click({ timeout: 60_000 });
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Remove/ })
    .click();
  await page.getByText('The scavenge is complete.').waitFor({ timeout: 60_000 });
  expect(chunkHashes()).not.toEqual(before);
  await show('Backups');
  await page.getByRole('button', { name: 'Plan a backup' }).click();
  await page.getByRole('button', { name: /^Copy [\d.]+ MiB$/ }).click({ timeout: 60_000 });
  await page.getByText(/^The backup \S+ is complete\.$/).waitFor({ timeout: 60_000 });
  await rows().nth(1).waitFor();
  await soon(() => rows().first().innerText()).toContain('differential');
  await page.getByRole('spinbutton', { name: 'the last' }).fill('1');
  await page.getByRole('spinbutton', { name: 'weekly' }).fill('0');
  await page.getByRole('spinbutton', { name: 'monthly' }).fill('0');
  await page.getByRole('button', { name: 'Plan pruning' }).click();
  await page.getByText(/^1 kept, 1 would go, /).waitFor();
  await page.getByRole('button', { name: 'Discard plan' }).click();
  await page.getByRole('region', { name: 'Pruning plan' }).waitFor({ state: 'detached' });
});

test('the older backup is restored over the scavenged database, after its plan and a confirmation', async () => {
  const { page } = window;
  await rows().nth(1).click();
  await page.getByText('Truncate the log during the restore').click();
  await page.getByRole('button', { name: 'Restore backup…' }).click();
  const plan = page.getByRole('region', { name: 'Restore plan' });
  await plan.getByText(/^a log that ends at [\d,]+$/).waitFor({ timeout: 60_000 });
  const aside = /\S+before-restore-\S+/.exec(await plan.innerText())![0];
  await page.getByRole('button', { name: 'Replace sample…' }).click();
  const dialog = page.getByRole('alertdialog');
  expect(await dialog.innerText()).toMatch(/nothing is deleted/);
  await soon(() => page.evaluate(() => document.activeElement?.textContent.trim())).toBe('Cancel');
  await dialog.getByRole('button', { name: 'Replace sample' }).click();
  await page.getByText('The backup was restored.').waitFor({ timeout: 120_000 });
  expect(existsSync(aside)).toBe(true);
  await page.getByText(aside).waitFor();
  expect(chunkHashes()).toEqual(before);
});

test('the full backup that is advised then is taken by its button', async () => {
  const { page } = window;
  await page.getByRole('button', { name: 'Take a full backup' }).click();
  await page.getByText(/^The backup \S+ is complete\.$/).waitFor({ timeout: 60_000 });
  await rows().nth(2).waitFor();
  await soon(() => rows().first().innerText()).toContain('full');
});

test('the backups stand along time, each by its kind and whether it was checked', async () => {
  const { page } = window;
  const timeline = page.getByRole('img', { name: 'Backups over time' });
  await soon(() => timeline.locator('rect').count()).toBe(2);
  await soon(() => timeline.locator('circle').count()).toBe(1);
  await soon(() => timeline.locator('g.whole').count()).toBe(1);
  // By its place it would be found under a neighbour of the same second.
  await timeline.locator('circle').dispatchEvent('click');
  await soon(() => rows().nth(1).getAttribute('aria-selected')).toBe('true');
});

test('backups are kept in an object store by its name, compressed where that is wanted', async () => {
  const { page } = window;
  await page.getByRole('button', { name: 'Object store…' }).click();
  await page.getByLabel('Place').fill(`s3://${S3_BUCKET}/sample`);
  await page.getByLabel('Endpoint').fill(store.endpoint);
  await page.getByRole('button', { name: 'Use this store' }).click();
  await page.getByText(`s3://${S3_BUCKET}/sample`, { exact: true }).waitFor();
  await page.getByText('There are no backups in this directory yet.').waitFor();
  await page.getByLabel('Compress').check();
  await page.getByRole('button', { name: 'Plan a backup' }).click();
  await page.getByRole('button', { name: /^Copy [\d.]+ MiB$/ }).click({ timeout: 60_000 });
  await page.getByText(/^The backup \S+ is complete\.$/).waitFor({ timeout: 60_000 });
  await soon(() => rows().count()).toBe(1);
  await page.getByRole('button', { name: 'Verify new backup' }).click();
  await page.getByText('The backup is intact.').waitFor({ timeout: 60_000 });
});

test('the restored database is whole', async () => {
  const { page, show } = window;
  await show('Verify');
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await page.getByText(/^No damage found/).waitFor({ timeout: 60_000 });
});

test('the page complains about nothing', () => {
  expect(window.problems).toEqual([]);
});
