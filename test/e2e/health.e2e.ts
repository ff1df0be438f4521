/** One health of a node: the same words in side bar, title, overview and recent list, and green only for what was proved. */
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeUnpacked, unpackDamaged, unpackDatabase } from '../support/golden.ts';
import { launchWindow, overviewHealth, type ElectronWindow } from './electron-window.ts';

const PATIENCE = { timeout: 60_000 };
let window: ElectronWindow;
let sound: string;

beforeAll(async () => {
  sound = unpackDatabase({ name: 'rules', folder: 'after-t0' });
  window = await launchWindow({ words: [sound] });
});
afterAll(async () => {
  await window.close();
  removeUnpacked();
});

function sideBar() {
  return window.page.getByRole('navigation', { name: 'Nodes' });
}

test('a directory that was opened is looked at by itself, and said to be sound by that look', async () => {
  const { page } = window;
  await overviewHealth(page, /^sound as of \d\d:\d\d \(doctor\)$/).waitFor(PATIENCE);
  await sideBar().getByText('sound', { exact: true }).waitFor(PATIENCE);
  await page
    .locator('header')
    .getByText(/^sound as of/)
    .waitFor(PATIENCE);
  // Nobody asked for that look: it is no work that anybody follows.
  await page.getByRole('contentinfo').getByText('Nothing is running').waitFor(PATIENCE);
});

test('a chunk that goes away is noticed by itself, and said everywhere', async () => {
  const { page } = window;
  const chunks = readdirSync(sound).filter((name) => name.startsWith('chunk-'));
  rmSync(path.join(sound, chunks.toSorted()[1]!));
  await overviewHealth(page, /^will not start as of \d\d:\d\d \(doctor\)$/).waitFor(PATIENCE);
  await sideBar().getByText('will not start', { exact: true }).waitFor(PATIENCE);
  await page
    .locator('header')
    .getByText(/^will not start as of/)
    .waitFor(PATIENCE);
  expect(await page.locator('[data-shape=sound]').count()).toBe(0);
});

test('the recent list of the next window says it before anybody looks', async () => {
  await window.close({ keepHome: true });
  window = await launchWindow({ home: window.home });
  const line = window.page.getByRole('listitem').filter({ hasText: sound });
  await line.getByText(/^will not start as of \d\d:\d\d \(doctor\)$/).waitFor(PATIENCE);
});

test('damage that a verification proves is not called done, and outlives a look that says it starts', async () => {
  await window.close();
  window = await launchWindow({ words: [unpackDamaged('damaged-e-ptable-entry-byte-skipindexverify')] });
  const { page, show } = window;
  await overviewHealth(page, /^findings as of .* \(doctor\)$/).waitFor(PATIENCE);
  await show('Verify');
  await page.getByRole('button', { name: 'Verify', exact: true }).click(PATIENCE);
  await page.getByText('1 place of damage found.').waitFor(PATIENCE);
  await page
    .getByRole('contentinfo')
    .getByText(/^Verify .* · findings$/)
    .waitFor(PATIENCE);
  const section = page.getByRole('region', { name: 'Will a server start here?' });
  await section.getByRole('button', { name: 'Check again' }).click(PATIENCE);
  await page
    .getByRole('contentinfo')
    .getByText(/^Predict the next start/)
    .waitFor(PATIENCE);
  await show('Overview');
  await overviewHealth(page, /^findings as of .* \(verify\)$/).waitFor(PATIENCE);
});

test('the page complains about nothing', () => {
  expect(window.problems).toEqual([]);
});
