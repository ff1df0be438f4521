/** One health of a node: the same words in side bar, title, overview and recent list, and green only for what was proved. */
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { unpackDamaged, unpackDatabase } from '../support/golden.ts';
import { overviewHealth } from './electron-window.ts';
import { expect, test } from './fixtures.ts';

const sideBarOf = (page: Page) => page.getByRole('navigation', { name: 'Nodes' });
const soundDatabase = (): string => unpackDatabase({ name: 'rules', folder: 'after-t0' });

test('a directory that was opened is looked at by itself, and said to be sound by that look', async ({
  openWindow
}) => {
  const { page } = await openWindow({ words: [soundDatabase()] });
  await expect(overviewHealth(page, /^sound as of \d\d:\d\d \(doctor\)$/)).toBeVisible();
  await expect(sideBarOf(page).getByText('sound', { exact: true })).toBeVisible();
  await expect(page.locator('header').getByText(/^sound as of/)).toBeVisible();
  // Nobody asked for that look: it is no work that anybody follows.
  await expect(page.getByRole('contentinfo').getByText('Nothing is running')).toBeVisible();
});

test('a chunk that goes away is noticed by itself, said everywhere, and remembered for the next window', async ({
  openWindow
}) => {
  const directory = soundDatabase();
  const window = await openWindow({ words: [directory] });
  const { page } = window;
  await expect(overviewHealth(page, /^sound as of/)).toBeVisible();
  const chunks = readdirSync(directory).filter((name) => name.startsWith('chunk-'));
  rmSync(path.join(directory, chunks.toSorted()[1]!));
  await expect(overviewHealth(page, /^will not start as of \d\d:\d\d \(doctor\)$/)).toBeVisible();
  await expect(sideBarOf(page).getByText('will not start', { exact: true })).toBeVisible();
  await expect(page.locator('header').getByText(/^will not start as of/)).toBeVisible();
  expect(await page.locator('[data-shape=sound]').count()).toBe(0);

  await test.step('the recent list of the next window says it before anybody looks', async () => {
    await window.close();
    const next = await openWindow();
    // It opens where the last one was closed.
    await sideBarOf(next.page).getByRole('button', { name: 'Open…' }).click();
    const line = next.page.getByRole('main').getByRole('listitem').filter({ hasText: directory });
    await expect(line.getByText(/^will not start as of \d\d:\d\d \(doctor\)$/)).toBeVisible();
  });
});

test('damage that a verification proves is not called done, and outlives a look that says it starts', async ({
  openWindow
}) => {
  const database = unpackDamaged('damaged-e-ptable-entry-byte-skipindexverify');
  const { page, show } = await openWindow({ words: [database] });
  await expect(overviewHealth(page, /^findings as of .* \(doctor\)$/)).toBeVisible();
  await show('Check and repair');
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await expect(page.getByText('1 place of damage found.')).toBeVisible();
  await expect(page.getByRole('contentinfo').getByText(/^Verify .* · findings$/)).toBeVisible();
  const section = page.getByRole('region', { name: 'Will a server start here?' });
  await section.getByRole('button', { name: 'Check again' }).click();
  await expect(page.getByRole('contentinfo').getByText(/^Predict the next start/)).toBeVisible();
  await show('Overview');
  await expect(overviewHealth(page, /^findings as of .* \(verify\)$/)).toBeVisible();
});
