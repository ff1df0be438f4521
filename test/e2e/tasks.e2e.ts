/**
 * What people come for, each with as few clicks as it takes: what a scavenge would free, the scavenge itself, what takes
 * the space, and a schedule of a cluster in plain words. Other tasks are beside what they are about (doctor, restore,
 * records).
 */
import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { NodeRegistry } from '../../src-main/settings/node-registry.ts';
import { unpackDatabase } from '../support/golden.ts';
import { expect, test } from './fixtures.ts';
import { TaskFilm } from './task-film.ts';

test('what a scavenge would free, and where, is seen with two clicks, and it runs with two more', async ({
  sample
}) => {
  const { page } = sample;
  const film = new TaskFilm(page, 'scavenge');
  await film.see(page.getByText('What would a scavenge free?'));
  const make = page.getByRole('button', { name: /^Make the plan/ });
  await film.click(page.getByRole('tab', { name: 'Scavenge' }), make);
  await film.click(make, page.getByRole('grid', { name: 'By rule' }));
  expect(film.clicks).toBe(2);
  const dialog = page.getByRole('alertdialog');
  await film.click(
    page.getByRole('button', { name: /^Remove .* from / }),
    dialog.getByRole('button', { name: 'Cancel' })
  );
  await film.click(
    dialog.getByRole('button', { name: /^Remove/ }),
    page.getByRole('list').filter({ hasText: 'Chunk execution' })
  );
  expect(film.clicks).toBe(4);
  await film.see(page.getByRole('table', { name: 'Expected and actual' }));
  film.tell();
});

test('which category takes the space, down to the stream, is seen with three clicks', async ({ sample }) => {
  const { page } = sample;
  const film = new TaskFilm(page, 'usage');
  const map = page.getByRole('listbox', { name: 'Map of space usage' });
  await film.click(
    page.getByRole('tab', { name: 'Usage' }),
    map.getByRole('option', { name: /^account \d/ })
  );
  await film.click(
    map.getByRole('option', { name: /^account \d/ }),
    map.getByRole('option', { name: /^account-\d+ \d/ })
  );
  await film.click(
    map.getByRole('option', { name: /^account-\d+ \d/ }).first(),
    map.getByRole('option', { name: /^Deposited \d/ })
  );
  expect(film.clicks).toBe(3);
  film.tell();
});

test('a weekly schedule of a cluster of three is made with five clicks and no CRON', async ({
  home,
  openWindow
}) => {
  const registry = new NodeRegistry(home, Date.now);
  for (const name of ['one', 'two', 'three']) {
    const directory = path.join(home, 'databases', name);
    mkdirSync(path.dirname(directory), { recursive: true });
    cpSync(unpackDatabase({ name: 'rules', folder: 'before' }), directory, { recursive: true });
    registry.open({ dataDirectory: directory });
  }
  const { page } = await openWindow();
  const sideBar = page.getByRole('navigation', { name: 'Nodes' });
  await sideBar.getByRole('button', { name: /^one/ }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'New cluster with this node…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('trio');
  await dialog.getByRole('checkbox', { name: 'two' }).click();
  await dialog.getByRole('checkbox', { name: 'three' }).click();
  await dialog.getByRole('button', { name: 'Create cluster' }).click();
  await expect(page.getByText('3 of 3 members known.')).toBeVisible();
  await sideBar.getByRole('button', { name: /^two/ }).click();

  const film = new TaskFilm(page, 'schedule');
  await film.click(
    sideBar.getByRole('button', { name: /^trio/ }),
    page.getByRole('tab', { name: 'Schedule' })
  );
  const days = page.getByRole('group', { name: 'Days' });
  await film.click(page.getByRole('tab', { name: 'Schedule' }), days);
  const sunday = days.getByRole('button', { name: 'Sun' });
  const saturday = days.getByRole('button', { name: 'Sat' });
  await film.click(sunday, days.locator('[aria-pressed=true]', { hasText: 'Sun' }));
  await film.click(saturday, days.locator('[aria-pressed=false]', { hasText: 'Sat' }));
  await film.click(
    page.getByRole('button', { name: 'Save schedule' }),
    page.getByRole('heading', { level: 1, name: /Sunday/ })
  );
  expect(film.clicks).toBe(5);
  await expect(page.getByRole('button', { name: 'Discard changes' })).toHaveCount(0);
  film.tell();
});
