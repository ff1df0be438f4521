/** What a real window says of scavenges that ended before their end: only one that the next scavenge resumes is waiting. */
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { unpackDatabase } from '../support/golden.ts';
import { expect, test } from './fixtures.ts';

const killed = (): string => unpackDatabase({ name: 'killed-scavenge', folder: 'at-kill' });

test('a killed scavenge is announced, with its point, in the overview and where it is resumed', async ({
  openWindow
}) => {
  const { page, show } = await openWindow({ words: [killed()] });
  await expect(page.getByText('There is an unfinished scavenge')).toBeVisible();
  await expect(
    page.getByText(/^A scavenge to point 0 was stopped or interrupted and will be resumed\.$/)
  ).toBeVisible();
  await show('Scavenge');
  await expect(page.getByText('It keeps its own point and threshold')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Resume scavenge' })).toHaveCount(1);
});

test('a killed scavenge without a checkpoint that can be read is not announced', async ({ openWindow }) => {
  const directory = killed();
  const state = new DatabaseSync(path.join(directory, 'index/scavenging/scavenging.db'));
  state.exec(`UPDATE Checkpoint SET value = '{"half'`);
  state.close();
  const { page, show } = await openWindow({ words: [directory] });
  await expect(page.getByRole('button', { name: 'Compute the plan' })).toBeVisible();
  await expect(page.getByText('There is an unfinished scavenge')).toHaveCount(0);
  await show('Scavenge');
  await expect(page.getByRole('button', { name: 'Make the plan' })).toBeVisible();
  expect(await page.getByText('There is an unfinished scavenge').count()).toBe(0);
});
