/**
 * Clusters in the window: three stopped nodes made one and scavenged one after the other by a schedule, a running one
 * added by its address, and the service of a node. The schedule waits for the next minute of the clock.
 */
import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { UserStore } from '../../src-main/access/user-store.ts';
import { NodeRegistry } from '../../src-main/settings/node-registry.ts';
import { unpackDatabase } from '../support/golden.ts';
import { SimulatedCluster } from '../support/simulated-cluster.ts';
import { expectAccessible } from './axe.ts';
import type { ElectronWindow } from './electron-window.ts';
import { expect, test as base } from './fixtures.ts';

/** The next minute, and a cycle over three members on a machine that is busy. */
const CYCLE_MS = 240_000;
const NODES = ['one', 'two', 'three'];

const test = base.extend<{ nodes: ElectronWindow; running: SimulatedCluster }>({
  /** A window that knows three stopped nodes. */
  nodes: async ({ home, openWindow }, use) => {
    const registry = new NodeRegistry(home, Date.now);
    for (const name of NODES) {
      const directory = path.join(home, 'databases', name);
      mkdirSync(path.dirname(directory), { recursive: true });
      cpSync(unpackDatabase({ name: 'rules', folder: 'before' }), directory, { recursive: true });
      registry.open({ dataDirectory: directory });
    }
    await use(await openWindow());
  },

  // eslint-disable-next-line no-empty-pattern
  running: async ({}, use) => {
    const running = new SimulatedCluster();
    await running.start(3);
    await use(running);
    await running.close();
  }
});

const sideBarOf = (page: Page) => page.getByRole('navigation', { name: 'Nodes' });
const conditionsOf = (page: Page) => page.getByRole('region', { name: 'Conditions' });
const stateOf = (page: Page) => page.getByRole('region', { name: 'State' });

/** By the palette, as the keyboard has it. */
async function run(page: Page, command: string): Promise<void> {
  await page.keyboard.press('Control+K');
  const palette = page.getByRole('dialog', { name: 'Search or run' });
  await palette.getByRole('combobox').fill(command);
  await expect(palette.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(palette).toHaveCount(0);
}

/** By the menu of one of them. Returns its members in the side bar. */
async function createTrio(page: Page): Promise<Locator> {
  const sideBar = sideBarOf(page);
  await sideBar.getByRole('button', { name: /^one/ }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'New cluster with this node…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('trio');
  await dialog.getByRole('checkbox', { name: 'two' }).click();
  await dialog.getByRole('checkbox', { name: 'three' }).click();
  await dialog.getByRole('button', { name: 'Create cluster' }).click();
  const members = sideBar.getByRole('list', { name: 'trio' });
  await expect(members.getByRole('listitem')).toHaveCount(3);
  await expect(page.getByText('3 of 3 members known.')).toBeVisible();
  return members;
}

test('a cluster is made of nodes, changed by the keyboard, renamed and removed', async ({ nodes }) => {
  const { page } = nodes;
  const sideBar = sideBarOf(page);

  await test.step('a cluster is made of nodes by the menu of one of them', async () => {
    await createTrio(page);
    await expectAccessible(page);
  });

  await test.step('a node is taken out of it and put back by the keyboard', async () => {
    const members = sideBar.getByRole('list', { name: 'trio' });
    await sideBar.getByRole('button', { name: /^three/ }).click();
    await run(page, 'Remove node from cluster');
    await expect(members.getByRole('listitem')).toHaveCount(2);
    await run(page, 'Move node to cluster trio');
    await expect(members.getByRole('listitem')).toHaveCount(3);
  });

  await test.step('a cluster is renamed and taken off the list; its nodes stay', async () => {
    await sideBar.getByRole('button', { name: /^trio/ }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Rename…' }).click();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('three-nodes');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await expect(sideBar.getByRole('list', { name: 'three-nodes' })).toBeVisible();
    await sideBar.getByRole('button', { name: /^three-nodes/ }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Remove cluster…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove cluster' }).click();
    await expect(sideBar.getByRole('list', { name: 'three-nodes' })).toHaveCount(0);
    for (const name of NODES)
      await expect(sideBar.getByRole('button', { name: new RegExp(`^${name}`) })).toBeVisible();
  });
});

test('the conditions, the quiet hours and the times of a schedule are set', async ({ nodes }) => {
  const { page } = nodes;
  const conditions = conditionsOf(page);
  await createTrio(page);
  await sideBarOf(page).getByRole('button', { name: /^trio/ }).click();
  await page.getByRole('tab', { name: 'Schedule' }).click();

  await test.step('without a licence the conditions say so, and offer the evaluation licence', async () => {
    await expect(conditions.getByText(/The schedule does not run: \d conditions are not met/)).toBeVisible();
    await expect(conditions.getByText(/There is no valid licence/)).toBeVisible();
    await expectAccessible(page);
    await conditions.getByRole('button', { name: 'Use the evaluation licence' }).click();
    await expect(conditions.getByText('The schedule does not run: one condition is not met.')).toBeVisible();
  });

  await test.step('quiet hours are set and taken off', async () => {
    const quiet = page.getByRole('region', { name: 'Quiet hours' });
    await expect(quiet.getByText('None', { exact: true })).toBeVisible();
    // Around the present minute they would hold up what follows.
    const from = new Date(Date.now() + 6 * 3_600_000).getUTCHours();
    const clockTime = (hour: number): string => `${String(hour % 24).padStart(2, '0')}:00`;
    await quiet.getByLabel('From').fill(clockTime(from));
    await quiet.getByLabel('to', { exact: true }).fill(clockTime(from + 1));
    await quiet.getByRole('button', { name: 'Sat', exact: true }).click();
    await quiet.getByRole('button', { name: 'Save quiet hours' }).click();
    await expect(
      quiet.getByText(`${clockTime(from)} to ${clockTime(from + 1)}, Mon, Tue, Wed, Thu, Fri, Sat`)
    ).toBeVisible();
    await quiet.getByRole('button', { name: 'No quiet hours' }).click();
    await expect(quiet.getByText('None', { exact: true })).toBeVisible();
  });

  await test.step('a maintenance window is planned night by night, saved, and taken off', async () => {
    const maintenance = page.getByRole('region', { name: 'Maintenance window' });
    await maintenance.getByLabel('Scavenges run from').fill('01:00');
    await maintenance.getByLabel('until').fill('05:00');
    await maintenance.getByRole('button', { name: 'Plan the nights' }).click();
    const plan = maintenance.getByRole('region', { name: 'Plan of the nights' });
    await expect(plan).toBeVisible();
    await expect(plan.getByText(/Would free /).first()).toBeVisible();
    await expectAccessible(page);
    await maintenance.getByRole('button', { name: 'Save maintenance window' }).click();
    await expect(maintenance.getByText('Scavenges run only from 01:00 to 05:00, every day')).toBeVisible();
    const quiet = page.getByRole('region', { name: 'Quiet hours' });
    await expect(quiet.getByText('05:00 to 01:00, every day')).toBeVisible();
    await maintenance.getByRole('button', { name: 'No maintenance window' }).click();
    await expect(quiet.getByText('None', { exact: true })).toBeVisible();
  });

  await test.step('the next times are those of the zone that is chosen', async () => {
    await page.getByRole('combobox', { name: 'Time zone' }).click();
    await page.keyboard.type('toky');
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
    await expect(page.getByText(/06:00 GMT\+9/).first()).toBeVisible();
    await page.getByRole('button', { name: 'Discard changes' }).click();
  });
});

test('a schedule scavenges one member after the other, and is paused and resumed', async ({ nodes }) => {
  const { page } = nodes;
  const conditions = conditionsOf(page);
  const state = stateOf(page);
  const order = page.getByRole('region', { name: 'Members, in the order they are scavenged' });
  await createTrio(page);
  await sideBarOf(page).getByRole('button', { name: /^trio/ }).click();
  await page.getByRole('tab', { name: 'Schedule' }).click();
  await conditions.getByRole('button', { name: 'Use the evaluation licence' }).click();

  await test.step('a schedule scavenges one member after the other', async () => {
    const field = page.getByRole('textbox', { name: 'CRON expression' });
    await field.fill('* * * * *');
    await expect(page.getByRole('heading', { level: 1, name: 'Every minute' })).toBeVisible();
    await page.getByRole('button', { name: 'Save schedule' }).click();
    await expect(
      conditions.getByText('All conditions are met. The schedule runs when it is due.')
    ).toBeVisible();
    const seen: number[] = [];
    await expect
      .poll(
        async () => {
          const steps = await order.locator('.step').allTextContents();
          const done = steps.filter((step) => step.trim() === 'done').length;
          if (seen.at(-1) !== done) seen.push(done);
          return done;
        },
        { timeout: CYCLE_MS, intervals: [100] }
      )
      .toBe(3);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  });

  await test.step('it is paused and resumed', async () => {
    await state.getByRole('button', { name: 'Pause' }).click();
    await expect(state.getByText(/^Paus(ed|ing)$/)).toBeVisible();
    await expect(state.getByText('Paused', { exact: true })).toBeVisible();
    await expect(conditions.getByText(/paused by hand/)).toBeVisible();
    await state.getByRole('button', { name: 'Resume' }).click();
    await expect(state.getByRole('button', { name: 'Pause' })).toBeVisible();
    // Left so that it starts nothing while the tests go on.
    await state.getByRole('button', { name: 'Pause' }).click();
    await expect(state.getByText('Paused', { exact: true })).toBeVisible();
  });
});

test('a running cluster is added by one address and controlled', async ({ nodes, running }) => {
  const { page } = nodes;
  const sideBar = sideBarOf(page);
  const state = stateOf(page);

  await test.step('a running cluster is added by one address, and what its nodes say is shown', async () => {
    await run(page, 'Add a running cluster');
    const dialog = page.getByRole('dialog', { name: 'Add a running cluster' });
    await dialog.getByLabel('Name', { exact: true }).fill('live');
    await dialog.getByLabel('Address of a node').fill(running.nodes[0]!.url);
    await dialog.getByLabel('User').fill('ops');
    await dialog.getByLabel('Password').fill('changeit');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByText('3 of 3 members known.')).toBeVisible();
    const members = sideBar.getByRole('list', { name: 'live' });
    await expect(members.getByRole('button', { name: /Leader$/ })).toBeVisible();
    await expect(members.getByRole('button', { name: /Follower$/ })).toHaveCount(2);
    await page.getByRole('button', { name: 'Test access' }).click();
    await expect(page.getByText('Access works: the nodes answer and accept the user.')).toBeVisible();
    await expectAccessible(page);
    expect(await page.content()).not.toContain('changeit');
  });

  await test.step('a scavenge of a running node is started and stopped by hand', async () => {
    running.nodes[1]!.polls = 1_000_000;
    const row = page.getByRole('row').filter({ hasText: running.nodes[1]!.url.replace('http://', '') });
    await row.getByRole('button', { name: 'Start scavenge' }).click();
    await expect(row.getByText(/^running \(/)).toBeVisible();
    await row.getByRole('button', { name: 'Stop scavenge' }).click();
    await expect(row.getByText('Stopped')).toBeVisible();
    expect(running.asked).toEqual(['start 1']);
  });

  await test.step('a cluster with an auto-scavenge of its own is shown and controlled, and said so', async () => {
    running.ownSchedule = '0 6 * * 6';
    await page.getByRole('tab', { name: 'Schedule' }).click();
    await expect(state.getByText(/This cluster runs its own auto-scavenge/)).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: /Saturday/ })).toBeVisible();
  });
});

test('a node is served by the window, and not any more', async ({ nodes }) => {
  const { page, home } = nodes;
  await new UserStore(path.join(home, 'users.json')).add('ops', ['$ops'], 'a long password');
  const sideBar = sideBarOf(page);
  await sideBar.getByRole('button', { name: /^one/ }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: /^Node properties/ }).click();
  const service = page.getByRole('region', { name: 'Admin API of this node' });
  await service.getByRole('button', { name: 'Start service' }).click();
  const url = service.getByText(/^http:\/\/127\.0\.0\.1:\d+/).first();
  await expect(url).toBeVisible();
  const address = (await url.textContent())!.trim();
  const answer = await fetch(new URL('/admin/scavenge/current', address));
  expect(answer.status).toBe(401);

  await test.step('what a caller starts is shown with who started it, and stopped here', async () => {
    const authorization = `Basic ${Buffer.from('ops:a long password').toString('base64')}`;
    const ask = (method: string, target: string) =>
      fetch(new URL(target, address), { method, headers: { authorization } });
    // Slow enough to be seen.
    const started = ask('POST', '/admin/verify?throttle=20KiB');
    const strip = page.getByRole('contentinfo', { name: 'Running operations' });
    await expect(strip.getByText('Verify one')).toBeVisible();
    await expect(strip.getByText('started by ops over HTTP')).toBeVisible();
    await strip.getByRole('button', { name: 'Stop' }).click();
    expect((await started).status).toBe(200);
    await expect
      .poll(async () => (await ask('GET', '/admin/verify/last')).text())
      .toMatch(/"runResult": ?"Stopped"/);
  });
  await expectAccessible(page);
  await service.getByRole('button', { name: 'Stop service' }).click();
  await expect(service.getByText('Not running')).toBeVisible();
});

test('what is dropped on the window is opened, but nothing that the page made itself', async ({ nodes }) => {
  const { page, home } = nodes;
  const directory = path.join(home, 'databases', 'dropped');
  cpSync(path.join(home, 'databases', 'one'), directory, { recursive: true });
  await page.evaluate(() => {
    const input = document.createElement('input');
    input.type = 'file';
    input.id = 'from-outside';
    document.body.append(input);
  });
  await page.locator('#from-outside').setInputFiles(path.join(directory, 'writer.chk'));
  const dropFile = (isMade: boolean): Promise<void> =>
    page.evaluate((made) => {
      const input = document.querySelector<HTMLInputElement>('#from-outside')!;
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(made ? new File(['x'], 'writer.chk') : input.files![0]!);
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }, isMade);
  await dropFile(true);
  await expect(page.getByText('The dropped item has no path on this disk.')).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await dropFile(false);
  await expect(sideBarOf(page).getByRole('button', { name: /^dropped/ })).toBeVisible();
  await page.evaluate(() => document.querySelector('#from-outside')?.remove());
});
