/** Nodes, clusters and schedules in a browser: opened, made and run by an administrator, read by others. */
import { cpSync } from 'node:fs';
import path from 'node:path';
import { expectAccessible } from './axe.ts';
import { expect } from './fixtures.ts';
import { enter, logIn, show, test } from './served-page.ts';

test('nodes are opened, made a cluster, and scavenged by its schedule', async ({ page, served }) => {
  for (const name of ['one', 'two'])
    cpSync(served.database, path.join(served.allowed, name), { recursive: true });
  await enter(page, 'admin');
  const sideBar = page.getByRole('navigation', { name: 'Nodes' });

  await test.step('two nodes are opened in the folder chooser', async () => {
    for (const name of ['one', 'two']) {
      await page.getByRole('button', { name: 'Open…' }).click();
      await page.getByRole('button', { name: /^Open a data directory/ }).click();
      await page.getByRole('option', { name: /allowed/ }).dblclick();
      await page.getByRole('option', { name: new RegExp(`^${name} `) }).click();
      await page.getByRole('button', { name: 'Choose', exact: true }).click();
      await expect(sideBar.getByRole('button', { name: new RegExp(`^${name}`) })).toBeVisible();
    }
  });

  await test.step('they become a cluster', async () => {
    await sideBar.getByRole('button', { name: /^one/ }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'New cluster with this node…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('pair');
    await dialog.getByRole('checkbox', { name: 'two' }).click();
    await dialog.getByRole('button', { name: 'Create cluster' }).click();
    await expect(page.getByText('2 of 2 members known.')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('with the evaluation licence a schedule is saved, and run now', async () => {
    await page.getByRole('tab', { name: 'Schedule' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'No schedule yet' })).toBeVisible();
    await page.getByRole('button', { name: 'Use the evaluation licence' }).first().click();
    await page.getByRole('button', { name: 'Save schedule' }).click();
    await expect(page.getByText('Coordinated by: This service, while it runs')).toBeVisible();
    await page.getByRole('button', { name: 'Skip the next' }).click();
    await expect(page.getByText(/^Skipped: Sat/)).toBeVisible();
    await page.getByRole('button', { name: 'Run now' }).click();
    const order = page.getByRole('region', { name: 'Members, in the order they are scavenged' });
    await expect(order.locator('.step', { hasText: 'done' })).toHaveCount(2, { timeout: 120_000 });
    await expectAccessible(page);
  });

  await test.step('after a restart of the service the schedule is there again', async () => {
    await served.stop();
    await expect(page.getByText('The service is not responding')).toBeVisible();
    await served.startAgain();
    await logIn(page, 'admin');
    await expect(page.getByText('Coordinated by: This service, while it runs')).toBeVisible();
    await expect(sideBar.getByRole('list', { name: 'pair' }).getByRole('listitem')).toHaveCount(2);
  });
});

test('a user without a role reads a schedule, and opens nothing', async ({ page }) => {
  await enter(page, 'joe');
  await expect(page.getByRole('button', { name: 'Open…' })).toHaveCount(0);
  await show(page, 'Scavenge');
  await page.getByRole('button', { name: /Schedule/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'No schedule yet' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'CRON expression' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^(Pause|Run now|Save|Use the evaluation)/ })).toHaveCount(0);
  await expectAccessible(page);
});
