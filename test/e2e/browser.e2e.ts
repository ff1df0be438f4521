/** The window in a browser: `winnow serve --ui` as an operator starts it, Chromium in front of it. */
import { cpSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { expectAccessible, expectAccessibleInThemes } from './axe.ts';
import { expect } from './fixtures.ts';
import { enter, logIn, PASSWORD, show, test } from './served-page.ts';

function bytesOnDisk(database: string): number {
  return readdirSync(database)
    .filter((name) => name.startsWith('chunk-'))
    .reduce((sum, name) => sum + statSync(path.join(database, name)).size, 0);
}

test('a log-in leads to the node that is served, and a log-out from it', async ({ page }) => {
  await test.step('nothing of the database is shown before the log-in, and a wrong password is told', async () => {
    await expect(page.getByRole('heading', { name: 'Winnow' })).toBeVisible();
    await expect(page.getByText('orders')).toHaveCount(0);
    await logIn(page, 'ops', 'wrong password');
    await expect(page.getByText('Wrong user or password.')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'User' })).toHaveValue('ops');
    await expect(page.getByLabel('Password')).toHaveValue('');
  });

  await test.step('the log-in leads to the overview of the one node that is served', async () => {
    await logIn(page, 'ops');
    await expect(page.getByRole('heading', { level: 1, name: /chunks/ })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Log out ops' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Open…' })).toBeVisible();
    await expect.poll(() => page.evaluate(() => document.cookie)).toBe('');
    expect(new URL(page.url()).hash).toMatch(/^#[0-9a-f]+\/overview$/);
  });

  await test.step('the log-out leaves nothing of the database on the page', async () => {
    await page.getByRole('button', { name: 'Log out ops' }).click();
    await expect(page.getByRole('textbox', { name: 'User' })).toBeVisible();
    await expect(page.getByText('orders')).toHaveCount(0);
  });
});

test('chunks, records with their bytes, and streams are shown as in the window', async ({ page }) => {
  await enter(page);
  await show(page, 'Chunks');
  await page.locator('[data-chunk="3"]').click();
  await expect(page.getByRole('heading', { name: 'Chunk 3' })).toBeVisible();
  await page.getByRole('button', { name: 'Show the records' }).click();
  await page.getByRole('grid').getByRole('row').nth(2).click();
  await page.getByRole('button', { name: 'Event id' }).hover();
  await expect(page.locator('.cells .lit').first()).toBeVisible();
  await expect(page.locator('.cells .lit')).toHaveCount(16);
  await show(page, 'Streams');
  await page.getByRole('searchbox').fill('prices');
  await page.getByRole('row', { name: /^prices/ }).click();
  await expect(page.getByText('A reader no longer sees its first events.')).toBeVisible();
});

test('a reload leads back to the same place', async ({ page }) => {
  await enter(page);
  await show(page, 'Index');
  await page.reload();
  await expect(page.locator('html[data-ready=true]')).toBeVisible();
  await expect(page.locator('[role=tab][aria-selected=true]', { hasText: 'Index' })).toBeVisible();
});

test('the theme is the browser’s own and is kept', async ({ page }) => {
  await enter(page);
  const scheme = (): Promise<string> => page.evaluate(() => document.documentElement.style.colorScheme);
  await page.getByRole('button', { name: /^Theme:/ }).click();
  await expect.poll(() => scheme()).toBe('light');
  await page.reload();
  await expect(page.locator('html[data-ready=true]')).toBeVisible();
  await expect.poll(() => scheme()).toBe('light');
});

test('a path is copied to the clipboard', async ({ app, page, served }) => {
  const { database } = served;
  await enter(page);
  await page.getByRole('button', { name: 'Copy path' }).click();
  await expect.poll(() => app.evaluate(({ clipboard }) => clipboard.readText())).toBe(database);
});

test('a verification is followed across a reload', async ({ page }) => {
  await enter(page);
  await show(page, 'Check and repair');
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await page.reload();
  await expect(page.locator('html[data-ready=true]')).toBeVisible();
  await expect(page.getByText(/^No damage found/)).toBeVisible();
});

test('a folder is chosen for backups, and a backup is taken and rehearsed there', async ({
  page,
  served
}) => {
  await enter(page);
  await show(page, 'Backups');
  const rows = page.getByRole('grid', { name: 'Backups in this directory' }).getByRole('row');

  await test.step('the chooser begins with the allowed folders and is used by keys', async () => {
    await page.getByRole('button', { name: 'Choose a directory…' }).click();
    const path = page.getByRole('combobox', { name: 'Path on the machine of the service' });
    await expect(path).toBeFocused();
    await expect(page.getByRole('option')).toHaveCount(2);
    await expectAccessibleInThemes(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('option', { name: /^elsewhere/ })).toContainText('Empty');
    await expect(path).toHaveValue(`${served.allowed}/`);
    await page.keyboard.type('backups');
    await expect(page.getByText('This folder does not exist yet. “Choose” creates it.')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Choose', exact: true }).click();
    await expect(page.getByText('There are no backups in this directory yet.')).toBeVisible();
    await expect(page.getByText(`${served.allowed}/backups`, { exact: true })).toBeVisible();
  });

  await test.step('a backup is taken and rehearsed', async () => {
    await page.getByRole('button', { name: 'Plan a backup' }).click();
    await page.getByRole('button', { name: /^Copy [\d.]+ MiB$/ }).click();
    await expect(rows).toHaveCount(1);
    expect(readdirSync(path.join(served.allowed, 'backups')).length).toBeGreaterThan(0);
    await rows.first().click();
    await page.getByRole('button', { name: 'Rehearse backup', exact: true }).click();
    await expect(page.getByText(/^The rehearsal passed/)).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('it is restored to an empty folder that is chosen, in three steps', async () => {
    await show(page, 'Restore');
    await page.getByRole('grid', { name: 'Backups to restore from' }).getByRole('row').last().click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Choose where to' }).click();
    await page.getByRole('button', { name: /^Another directory…/ }).click();
    await page.getByRole('option', { name: /allowed/ }).dblclick();
    await page.getByRole('option', { name: /^elsewhere/ }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Choose', exact: true }).click();
    const plan = page.getByRole('region', { name: 'Restore plan' });
    await expect(plan.getByText('nothing, the directory is empty')).toBeVisible();
    await page.getByRole('button', { name: /^Restore to elsewhere/ }).click();
    await expect(page.getByText('The backup was restored.')).toBeVisible();
    await expectAccessible(page);
    const restored = path.join(served.allowed, 'elsewhere');
    expect(bytesOnDisk(restored)).toBe(bytesOnDisk(served.database));
    expect(readdirSync(restored)).toContain('truncate.chk');
  });

  await test.step('a folder outside is refused', async () => {
    const answer = await page.evaluate(async () => {
      const [nodeId] = location.hash.slice(1).split('/');
      const reply = await fetch('/ui/verbs/chooseBackupTarget', {
        method: 'POST',
        headers: { 'x-requested-with': 'winnow', 'content-type': 'application/json' },
        body: JSON.stringify({ nodeId, chosenPath: '/etc' })
      });
      return { status: reply.status, report: (await reply.json()) as { message: string } };
    });
    expect(answer.status).toBe(400);
    expect(answer.report.message).toBe('/etc is outside the folders that this service allows.');
  });
});

test('activity, settings and about are there, and an administrator manages the users', async ({ page }) => {
  await enter(page, 'admin');

  await test.step('what was done on this node is listed, and told for a report', async () => {
    await show(page, 'Check and repair');
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await expect(page.getByText(/^No damage found/)).toBeVisible();
    await page.getByRole('button', { name: 'Activity' }).click();
    await page.getByRole('row', { name: /Verif/ }).first().click();
    await expectAccessible(page);
  });

  await test.step('numbers are written as this browser keeps it', async () => {
    await page.keyboard.press('Control+,');
    await page.getByRole('combobox', { name: 'Numbers' }).selectOption('space');
    await expectAccessible(page);
    await page.reload();
    await expect(page.getByRole('combobox', { name: 'Numbers' })).toHaveValue('space');
    await page.getByRole('combobox', { name: 'Numbers' }).selectOption('comma');
  });

  await test.step('the settings are those of the service', async () => {
    await page.getByRole('button', { name: 'Node settings' }).click();
    await expect(page.getByRole('row', { name: /^Db/ })).toContainText('command line');
    await expectAccessible(page);
  });

  await test.step('a user is added and removed', async () => {
    await page.getByRole('button', { name: 'Users' }).click();
    await page.getByRole('textbox', { name: 'User' }).fill('ann');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Add user' }).click();
    await expect(page.getByRole('row', { name: /^ann/ })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove ann' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove ann' }).click();
    await expect(page.getByRole('row', { name: /^ann/ })).toHaveCount(0);
  });

  await test.step('about names versions and licences, and its bill of materials is a download', async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('about winnow');
    await page.getByRole('option', { name: /About Winnow/ }).click();
    await expect(page.getByText('Chunk files')).toBeVisible();
    await expect(page.getByRole('heading', { name: /libraries/ })).toBeVisible();
    await expectAccessible(page);
  });
});

test('a scavenge shows its plan, asks, goes on during a reload, and leaves smaller chunks', async ({
  page,
  served
}) => {
  const { database } = served;
  await enter(page);
  const before = bytesOnDisk(database);
  await show(page, 'Scavenge');
  await page.getByRole('button', { name: 'Make the plan' }).click();
  await page.getByRole('button', { name: /^Remove [\d.]+ MiB from orders…$/ }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Remove/ })
    .click();
  await page.getByRole('list').filter({ hasText: 'Chunk execution' }).waitFor(); // passes: seen at its frame
  await page.reload();
  await expect(page.getByRole('button', { name: 'Verify now' })).toBeVisible();
  await expect(page.getByText(/MiB freed, [\d,]+ records removed\./)).toHaveCount(1);
  expect(bytesOnDisk(database)).toBeLessThan(before);
});

test('a chunk that appears shows without a reload', async ({ page, served }) => {
  const { database } = served;
  await enter(page);
  await show(page, 'Chunks');
  const [first = ''] = readdirSync(database).filter((name) => name.startsWith('chunk-'));
  const newer = path.join(database, first.replace(/\d{6}$/, '000099'));
  cpSync(path.join(database, first), newer);
  await expect(page.getByText('Other files in the directory (1)')).toBeVisible();
  rmSync(newer);
  await expect(page.getByText('Other files in the directory (1)')).toHaveCount(0);
});

test('the end of a session asks for a log-in over the place, and leads back to it', async ({
  page,
  served
}) => {
  await enter(page);
  await show(page, 'Streams');
  await served.users.changePassword('ops', 'another horse');
  // The page may have noticed by itself, and then nothing below the log-in can be clicked.
  await page.getByRole('button', { name: 'Refresh' }).dispatchEvent('click');
  await expect(page.getByText('Operations continue in the meantime.')).toBeVisible();
  await logIn(page, 'ops', 'another horse');
  await expect(page.getByRole('button', { name: 'Log in' })).toHaveCount(0);
  await expect(page.locator('[role=tab][aria-selected=true]', { hasText: 'Streams' })).toBeVisible();
  await expect(page.getByRole('row', { name: /^order/ }).first()).toBeVisible();
});

test('a service that ends is told, and one that is back is used again', async ({ page, served }) => {
  await enter(page);
  await served.stop();
  await expect(page.getByText('The service is not responding', { exact: true })).toBeVisible();
  await served.startAgain();
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  await expect(page.getByText('The service is not responding', { exact: true })).toHaveCount(0);
  await logIn(page, 'ops');
  await expect(page.getByRole('button', { name: 'Log in' })).toHaveCount(0);
  await show(page, 'Overview');
  await expect(page.getByRole('heading', { level: 1, name: /chunks/ })).toBeVisible();
});

test('a user without a role looks and verifies, and writes nothing', async ({ page }) => {
  await test.step('a user without a role looks and verifies, and has no buttons that write', async () => {
    await enter(page, 'joe');
    await expect(page.getByText('read only')).toBeVisible();
    await show(page, 'Check and repair');
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await expect(page.getByText(/^No damage found/)).toBeVisible();
    await show(page, 'Scavenge');
    await page.getByRole('button', { name: 'Make the plan' }).click();
    await expect(page.getByText(/^This user needs the role/)).toBeVisible();
    await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(0);
    await show(page, 'Backups');
    await expect(page.getByText(/An operator can choose one/)).toBeVisible();
    await expect(page.getByRole('button', { name: /^Choose/ })).toHaveCount(0);
  });

  await test.step('what is written behind the page’s back by such a user is refused in words', async () => {
    const answer = await page.evaluate(async () => {
      const [nodeId] = location.hash.slice(1).split('/');
      const reply = await fetch('/ui/verbs/startWork', {
        method: 'POST',
        headers: { 'x-requested-with': 'winnow', 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'runScavenge', nodeId, request: {} })
      });
      return { status: reply.status, report: (await reply.json()) as { message: string } };
    });
    expect(answer.status).toBe(403);
    expect(answer.report.message).toBe('The user joe may read and verify, but not change anything.');
  });
});

test.describe(() => {
  test.use({ mayComplain: true });

  test('no script of another place runs, and no text becomes HTML', async ({ page }) => {
    await enter(page);
    const outcome = await page.evaluate(() => {
      try {
        document.createElement('div').innerHTML = '<img src=x>';
        return 'allowed';
      } catch (error) {
        return (error as Error).name;
      }
    });
    expect(outcome).toBe('TypeError');
  });
});
