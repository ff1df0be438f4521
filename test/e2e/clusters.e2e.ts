/**
 * Clusters in the window: three stopped nodes made one and scavenged one after the other by a schedule, a running one
 * added by its address, and the service of a node. The schedule waits for the next minute of the clock.
 */
import { mkdirSync, mkdtempSync, cpSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NodeRegistry } from '../../src-main/settings/node-registry.ts';
import { removeUnpacked, unpackDatabase } from '../support/golden.ts';
import { SimulatedCluster } from '../support/simulated-cluster.ts';
import { runAxe } from './axe.ts';
import { launchWindow, type ElectronWindow } from './electron-window.ts';
import { soon } from './soon.ts';

const PATIENCE = { timeout: 60_000 };
/** The next minute, and a cycle over three members on a machine that is busy. */
const CYCLE = { timeout: 240_000 };
const NODES = ['one', 'two', 'three'];
const running = new SimulatedCluster();
let window: ElectronWindow;

beforeAll(async () => {
  const home = mkdtempSync(path.join(tmpdir(), 'winnow-e2e-'));
  const registry = new NodeRegistry(home, Date.now);
  for (const name of NODES) {
    const directory = path.join(home, 'databases', name);
    mkdirSync(path.dirname(directory), { recursive: true });
    cpSync(unpackDatabase({ name: 'rules', folder: 'before' }), directory, { recursive: true });
    registry.open({ dataDirectory: directory });
  }
  await running.start(3);
  window = await launchWindow({ home });
});
afterAll(async () => {
  await window.close();
  await running.close();
  removeUnpacked();
});

const sideBar = () => window.page.getByRole('navigation', { name: 'Nodes' });
const conditions = () => window.page.getByRole('region', { name: 'Conditions' });
const order = () => window.page.getByRole('region', { name: 'Members, in the order they are scavenged' });
const state = () => window.page.getByRole('region', { name: 'State' });

/** By the palette, as the keyboard has it. */
async function run(command: string): Promise<void> {
  const { page } = window;
  await page.keyboard.press('Control+K');
  const palette = page.getByRole('dialog', { name: 'Search or run' });
  await palette.getByRole('combobox').fill(command, PATIENCE);
  await soon(() => palette.getByRole('option').count()).toBe(1);
  await page.keyboard.press('Enter');
  await palette.waitFor({ state: 'detached', ...PATIENCE });
}

test('a cluster is made of nodes by the menu of one of them', async () => {
  const { page } = window;
  await sideBar().getByRole('button', { name: /^one/ }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'New cluster with this node…' }).click(PATIENCE);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('trio');
  await dialog.getByRole('checkbox', { name: 'two' }).click(PATIENCE);
  await dialog.getByRole('checkbox', { name: 'three' }).click(PATIENCE);
  await dialog.getByRole('button', { name: 'Create cluster' }).click(PATIENCE);
  const members = sideBar().getByRole('list', { name: 'trio' });
  await soon(() => members.getByRole('button').count()).toBe(3);
  await page.getByText('3 of 3 members known.').waitFor(PATIENCE);
  expect((await runAxe(page)).faults).toEqual([]);
});

test('a node is taken out of it and put back by the keyboard', async () => {
  const members = sideBar().getByRole('list', { name: 'trio' });
  await sideBar()
    .getByRole('button', { name: /^three/ })
    .click(PATIENCE);
  await run('Remove node from cluster');
  await soon(() => members.getByRole('button').count()).toBe(2);
  await run('Move node to cluster trio');
  await soon(() => members.getByRole('button').count()).toBe(3);
});

test('without a licence the conditions say so, and offer the evaluation licence', async () => {
  const { page } = window;
  await sideBar().getByRole('button', { name: /^trio/ }).click(PATIENCE);
  await page.getByRole('tab', { name: 'Auto-scavenge' }).click(PATIENCE);
  await conditions()
    .getByText(/The schedule does not run: \d conditions are not met/)
    .waitFor(PATIENCE);
  await conditions()
    .getByText(/There is no valid licence/)
    .waitFor(PATIENCE);
  expect((await runAxe(page)).faults).toEqual([]);
  await conditions().getByRole('button', { name: 'Use the evaluation licence' }).click(PATIENCE);
  await conditions().getByText('The schedule does not run: one condition is not met.').waitFor(PATIENCE);
});

test('quiet hours are set and taken off', async () => {
  const { page } = window;
  const quiet = page.getByRole('region', { name: 'Quiet hours' });
  await quiet.getByText('None', { exact: true }).waitFor(PATIENCE);
  // Around the present minute they would hold up what follows.
  const from = new Date(Date.now() + 6 * 3_600_000).getUTCHours();
  const clockTime = (hour: number): string => `${String(hour % 24).padStart(2, '0')}:00`;
  await quiet.getByLabel('From').fill(clockTime(from));
  await quiet.getByLabel('to', { exact: true }).fill(clockTime(from + 1));
  await quiet.getByRole('button', { name: 'Sat', exact: true }).click(PATIENCE);
  await quiet.getByRole('button', { name: 'Save quiet hours' }).click(PATIENCE);
  await quiet
    .getByText(`${clockTime(from)} to ${clockTime(from + 1)}, Mon, Tue, Wed, Thu, Fri, Sat`)
    .waitFor(PATIENCE);
  await quiet.getByRole('button', { name: 'No quiet hours' }).click(PATIENCE);
  await quiet.getByText('None', { exact: true }).waitFor(PATIENCE);
});

test('the next times are those of the zone that is chosen', async () => {
  const { page } = window;
  await page.getByRole('combobox', { name: 'Time zone' }).click(PATIENCE);
  await page.keyboard.type('toky');
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click(PATIENCE);
  await page
    .getByText(/06:00 GMT\+9/)
    .first()
    .waitFor(PATIENCE);
  await page.getByRole('button', { name: 'Discard changes' }).click(PATIENCE);
});

test('a schedule scavenges one member after the other', CYCLE, async () => {
  const { page } = window;
  const field = page.getByRole('textbox', { name: 'CRON expression' });
  await field.fill('* * * * *');
  await page.getByRole('heading', { level: 1, name: 'Every minute' }).waitFor(PATIENCE);
  await page.getByRole('button', { name: 'Save schedule' }).click(PATIENCE);
  await conditions().getByText('All conditions are met. The schedule runs when it is due.').waitFor(PATIENCE);
  const seen: number[] = [];
  await expect
    .poll(
      async () => {
        const steps = await order().locator('.step').allTextContents();
        const done = steps.filter((step) => step.trim() === 'done').length;
        if (seen.at(-1) !== done) seen.push(done);
        return done;
      },
      { timeout: CYCLE.timeout - 30_000, interval: 100 }
    )
    .toBe(3);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
});

test('it is paused and resumed', async () => {
  await state().getByRole('button', { name: 'Pause' }).click(PATIENCE);
  await state()
    .getByText(/^Paus(ed|ing)$/)
    .waitFor(PATIENCE);
  await state().getByText('Paused', { exact: true }).waitFor(PATIENCE);
  await conditions()
    .getByText(/paused by hand/)
    .waitFor(PATIENCE);
  await state().getByRole('button', { name: 'Resume' }).click(PATIENCE);
  await state().getByRole('button', { name: 'Pause' }).waitFor(PATIENCE);
  // Left so that it starts nothing while the tests go on.
  await state().getByRole('button', { name: 'Pause' }).click(PATIENCE);
  await state().getByText('Paused', { exact: true }).waitFor(PATIENCE);
});

test('a running cluster is added by one address, and what its nodes say is shown', async () => {
  const { page } = window;
  await run('Add a running cluster');
  const dialog = page.getByRole('dialog', { name: 'Add a running cluster' });
  await dialog.getByLabel('Name', { exact: true }).fill('live');
  await dialog.getByLabel('Address of a node').fill(running.nodes[0]!.url);
  await dialog.getByLabel('User').fill('ops');
  await dialog.getByLabel('Password').fill('changeit');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click(PATIENCE);
  await page.getByText('3 of 3 members known.').waitFor(PATIENCE);
  const members = sideBar().getByRole('list', { name: 'live' });
  await members.getByRole('button', { name: /Leader$/ }).waitFor(PATIENCE);
  await soon(() => members.getByRole('button', { name: /Follower$/ }).count()).toBe(2);
  await page.getByRole('button', { name: 'Test access' }).click(PATIENCE);
  await page.getByText('Access works: the nodes answer and accept the user.').waitFor(PATIENCE);
  expect((await runAxe(page)).faults).toEqual([]);
  expect(await page.content()).not.toContain('changeit');
});

test('a scavenge of a running node is started and stopped by hand', async () => {
  const { page } = window;
  running.nodes[1]!.polls = 1_000_000;
  const row = page.getByRole('row').filter({ hasText: running.nodes[1]!.url.replace('http://', '') });
  await row.getByRole('button', { name: 'Start scavenge' }).click(PATIENCE);
  await row.getByText(/^running \(/).waitFor(PATIENCE);
  await row.getByRole('button', { name: 'Stop scavenge' }).click(PATIENCE);
  await row.getByText('Stopped').waitFor(PATIENCE);
  expect(running.asked).toEqual(['start 1']);
});

test('a cluster with an auto-scavenge of its own is shown and controlled, and said so', async () => {
  const { page } = window;
  running.ownSchedule = '0 6 * * 6';
  await page.getByRole('tab', { name: 'Auto-scavenge' }).click(PATIENCE);
  await state()
    .getByText(/This cluster runs its own auto-scavenge/)
    .waitFor(PATIENCE);
  await page.getByRole('heading', { level: 1, name: /Saturday/ }).waitFor(PATIENCE);
});

test('a node is served by the window, and not any more', async () => {
  const { page } = window;
  await sideBar().getByRole('button', { name: /^one/ }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: /^Node properties/ }).click(PATIENCE);
  const service = page.getByRole('region', { name: 'Admin API of this node' });
  await service.getByRole('button', { name: 'Start service' }).click(PATIENCE);
  const url = service.getByText(/^http:\/\/127\.0\.0\.1:\d+/).first();
  await url.waitFor(PATIENCE);
  const answer = await fetch(new URL('/admin/scavenge/current', (await url.textContent())!.trim()));
  expect(answer.status).toBe(401);
  expect((await runAxe(page)).faults).toEqual([]);
  await service.getByRole('button', { name: 'Stop service' }).click(PATIENCE);
  await service.getByText('Not running').waitFor(PATIENCE);
});

test('a cluster is renamed and taken off the list; its nodes stay', async () => {
  const { page } = window;
  await sideBar().getByRole('button', { name: /^trio/ }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Rename…' }).click(PATIENCE);
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('three-nodes');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click(PATIENCE);
  await sideBar().getByRole('list', { name: 'three-nodes' }).waitFor(PATIENCE);
  await sideBar()
    .getByRole('button', { name: /^three-nodes/ })
    .click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Remove cluster…' }).click(PATIENCE);
  await page.getByRole('dialog').getByRole('button', { name: 'Remove cluster' }).click(PATIENCE);
  await sideBar()
    .getByRole('list', { name: 'three-nodes' })
    .waitFor({ state: 'detached', ...PATIENCE });
  for (const name of NODES)
    await sideBar()
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .waitFor(PATIENCE);
});

test('what is dropped on the window is opened, but nothing that the page made itself', async () => {
  const { page, home } = window;
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
  await page.getByText('The dropped item has no path on this disk.').waitFor(PATIENCE);
  await page.getByRole('button', { name: 'Dismiss' }).click(PATIENCE);
  await dropFile(false);
  await sideBar()
    .getByRole('button', { name: /^dropped/ })
    .waitFor(PATIENCE);
  await page.evaluate(() => document.querySelector('#from-outside')?.remove());
});

test('the page complains about nothing', () => {
  expect(window.problems).toEqual([]);
});
