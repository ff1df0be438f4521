/** A database that a server refuses: asked in the window whether it starts, why not, and mended by the button. */
import { unpackDamaged } from '../support/golden.ts';
import { expectAccessible } from './axe.ts';
import { overviewHealth, type ElectronWindow } from './electron-window.ts';
import { expect, test as base } from './fixtures.ts';
import { TaskFilm } from './task-film.ts';

const test = base.extend<{ damaged: ElectronWindow }>({
  /** A window on a database that no server starts on. */
  damaged: async ({ openWindow }, use) => {
    await use(await openWindow({ words: [unpackDamaged('damaged-h-writer-mid-record')] }));
  }
});

test('the overview says what the doctor says, by itself, and blames no chunk', async ({ damaged }) => {
  const { page } = damaged;
  await expect(overviewHealth(page, /^will not start as of .* \(doctor\)$/)).toBeVisible();
  const overview = page.locator('.overview');
  await expect(
    overview.getByText(/^This node will not start: the writer checkpoint 1,039,123 is within/)
  ).toBeVisible();
  // Each fact once.
  expect(await overview.getByText(/writer checkpoint 1,039,123 is within the record/).count()).toBe(1);
  expect(await overview.getByText(/chunk-000015\.000000 is damaged/).count()).toBe(0);
});

test('a node that will not start says why, in words of ours and of the server', async ({ damaged }) => {
  const { page, show } = damaged;
  await show('Check and repair');
  const section = page.getByRole('region', { name: 'Will a server start here?' });
  await expect(section.getByText(/^This node will not start: the writer checkpoint 1,039,123/)).toBeVisible();
  const wrong = page.getByRole('region', { name: 'Findings' });
  await expect(wrong.getByText(/There is not enough space to read full record/)).toBeVisible();
  await section.getByText('Not checked').click();
  await expectAccessible(page);
});

test('a node that does not start is found on opening and repaired with three clicks', async ({ damaged }) => {
  const { page } = damaged;
  const film = new TaskFilm(page, 'repair');
  const overview = page.locator('.overview');
  await film.see(overview.getByText(/^This node will not start/));
  const plan = page.getByRole('region', { name: 'Repair plan' });
  await film.click(
    overview.getByRole('button', { name: 'Repair…' }),
    plan.getByRole('row', { name: /writer\.chk 1,039,123 becomes 1,042,089/ })
  );
  const dialog = page.getByRole('alertdialog');
  await film.click(
    plan.getByRole('button', { name: 'Repair 2 files…' }),
    dialog.getByRole('button', { name: 'Cancel' })
  );
  await film.click(
    dialog.getByRole('button', { name: 'Repair 2 files' }),
    page.getByText('Repaired: no damage is left.')
  );
  expect(film.clicks).toBe(3);
  // Nobody asks: the doctor looks again at what the repair has changed, and the repair has verified everything.
  const section = page.getByRole('region', { name: 'Will a server start here?' });
  await expect(page.getByRole('region', { name: 'Findings' }).getByText('No damage found.')).toBeVisible();
  await expectAccessible(page);
  await expect(section.getByText(/^This node will start; it is ready/)).toBeVisible();
  expect(await section.getByText(/^This node will not start/).count()).toBe(0);
  await expect(
    page.getByRole('navigation', { name: 'Nodes' }).locator('[data-shape=sound]').first()
  ).toBeVisible();
  await film.see(section);
  film.tell();
});
