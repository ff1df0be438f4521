/** What a real window says of scavenges that ended before their end: only one that the next scavenge resumes is waiting. */
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, expect, test } from 'vitest';
import { removeUnpacked, unpackDatabase } from '../support/golden.ts';
import { launchWindow, type ElectronWindow } from './electron-window.ts';
import { soon } from './soon.ts';

let window: ElectronWindow | undefined;
afterEach(async () => {
  await window?.close();
  window = undefined;
});
afterAll(removeUnpacked);

const killed = (): string => unpackDatabase({ name: 'killed-scavenge', folder: 'at-kill' });

test('a killed scavenge is announced, with its point, in the overview and where it is resumed', async () => {
  window = await launchWindow({ words: [killed()] });
  const { page, show } = window;
  await page.getByText('There is an unfinished scavenge').waitFor();
  await page.getByText(/^A scavenge to point 0 was stopped or interrupted and will be resumed\.$/).waitFor();
  await show('Scavenge');
  await page.getByText('It keeps its own point and threshold').waitFor();
  await soon(() => page.getByRole('button', { name: 'Resume scavenge' }).count()).toBe(1);
}, 120_000);

test('a killed scavenge without a checkpoint that can be read is not announced', async () => {
  const directory = killed();
  const state = new DatabaseSync(path.join(directory, 'index/scavenging/scavenging.db'));
  state.exec(`UPDATE Checkpoint SET value = '{"half'`);
  state.close();
  window = await launchWindow({ words: [directory] });
  const { page, show } = window;
  await page.getByRole('button', { name: 'Compute the plan' }).waitFor();
  await soon(() => page.getByText('There is an unfinished scavenge').count()).toBe(0);
  await show('Scavenge');
  await page.getByRole('button', { name: 'Make the plan' }).waitFor();
  expect(await page.getByText('There is an unfinished scavenge').count()).toBe(0);
}, 120_000);
