/** Nodes, clusters and schedules in a browser: opened, made and run by an administrator, read by others. */
import { cpSync } from 'node:fs';
import path from 'node:path';
import { rootCertificates } from 'node:tls';
import type { Page } from 'playwright-core';
import { SimulatedCluster } from '../support/simulated-cluster.ts';
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
    await expect(order.locator('.step', { hasText: 'done' })).toHaveCount(2);
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

/** Gives the file that a button asks for: of the machine that the browser runs on. */
async function give(page: Page, button: string | RegExp, text: string): Promise<void> {
  const asked = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button }).first().click();
  await (await asked).setFiles({ name: 'given.txt', mimeType: 'text/plain', buffer: Buffer.from(text) });
}

test('a running cluster is added by an address, its certificate and a licence come from the browser', async ({
  page,
  served
}) => {
  const running = new SimulatedCluster();
  await running.start(3);
  try {
    await enter(page, 'admin');

    await test.step('an address where nobody answers is said, and one where a node does is enough', async () => {
      for (const [name, url] of [
        ['nobody', 'http://127.0.0.1:1'],
        ['live', running.nodes[0]!.url]
      ] as const) {
        await page.keyboard.press('Control+K');
        await page.getByRole('dialog').getByRole('combobox').fill('Add a running cluster');
        await expect(page.getByRole('option')).toHaveCount(1);
        await page.keyboard.press('Enter');
        const dialog = page.getByRole('dialog', { name: 'Add a running cluster' });
        await dialog.getByLabel('Name', { exact: true }).fill(name);
        await dialog.getByLabel('Address of a node').fill('no address');
        await dialog.getByLabel('User').fill('ops');
        await dialog.getByLabel('Password').fill('changeit');
        await dialog.getByRole('button', { name: 'Add', exact: true }).click();
        await expect(dialog.getByText(/^This is not an address\./)).toBeVisible();
        await expect(dialog.getByLabel('Address of a node')).toBeFocused();
        await dialog.getByLabel('Address of a node').fill(url);
        await dialog.getByRole('button', { name: 'Add', exact: true }).click();
        await expect(dialog).toHaveCount(0);
        if (name === 'nobody') await expect(page.getByText(/does not answer/).first()).toBeVisible();
      }
      await expect(page.getByText('3 of 3 members known.')).toBeVisible();
      await expect(page.getByRole('row', { name: /Leader/ })).toHaveCount(1);
      await expectAccessible(page);
      expect(await page.content()).not.toContain('changeit');
    });

    await test.step('a certificate is refused with its reason, or taken', async () => {
      await give(page, 'Choose a certificate (PEM)…', 'this is no certificate');
      await expect(page.getByText(/does not contain a certificate/)).toBeVisible();
      await give(page, 'Choose a certificate (PEM)…', rootCertificates[0]!);
      await expect(page.getByRole('button', { name: 'Use system default' })).toBeVisible();
      await expectAccessible(page);
    });

    await test.step('a licence is kept with the reason why it is not valid, or valid', async () => {
      await page.getByRole('tab', { name: 'Schedule' }).click();
      await give(page, /^Choose a (licence|file)…/, 'this is no licence');
      await expect(page.getByText(/It is not valid: /).first()).toBeVisible();
      await give(page, /^Choose a (licence|file)…/, served.licence);
      await expect(page.getByText(/^Licensed to Example Ltd until/).first()).toBeVisible();
      await expectAccessible(page);
    });
  } finally {
    await running.close();
  }
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
