/** A cluster of stopped nodes with its schedule, one that runs, and a node with what is remembered of it. */
import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { NodeRegistry } from '../../../src-main/settings/node-registry.ts';
import { ScavengeRecords } from '../../../src-main/settings/scavenge-records.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { SimulatedCluster } from '../../support/simulated-cluster.ts';
import { inStudio, type Album } from './studio.ts';

const LONG = { timeout: 60_000 };
const NODES = ['one', 'two', 'three'];

/** One that took so long that a maintenance window has several nights of work. */
function rememberScavenge(home: string, directory: string): void {
  const records = new ScavengeRecords(home, directory);
  const scavengeId = '26a383a4-04b3-4120-9aa3-22745c8b3e19';
  const start = { hostName: 'here', placement: 'detached' as const, number: 0, position: 1, threshold: 0 };
  records.appendStart({ scavengeId, at: '2026-11-01T00:00:00.0000000Z', resumed: false, ...start });
  const end = { result: 'success' as const, error: null, spaceSavedBytes: 0 };
  records.appendEnd({ scavengeId, at: '2026-11-01T01:20:00.0000000Z', ...end });
}

export async function takeClusters(directory: Album): Promise<void> {
  const running = new SimulatedCluster();
  await running.start(3);
  const prepare = (home: string): void => {
    const registry = new NodeRegistry(home, Date.now);
    for (const name of NODES) {
      const data = path.join(home, 'databases', name);
      mkdirSync(path.dirname(data), { recursive: true });
      cpSync(unpackDatabase({ name: 'rules', folder: 'before' }), data, { recursive: true });
      registry.open({ dataDirectory: data });
      rememberScavenge(home, data);
    }
  };
  try {
    await inStudio({ directory, hasSample: false, prepare }, async ({ page, take }) => {
      const sideBar = page.getByRole('navigation', { name: 'Nodes' });
      await take('first-screen-recent');
      await sideBar.getByRole('button', { name: /^one/ }).click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'New cluster with this node…' }).click(LONG);
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name', { exact: true }).fill('trio');
      await dialog.getByRole('checkbox', { name: 'two' }).click(LONG);
      await dialog.getByRole('checkbox', { name: 'three' }).click(LONG);
      await take('cluster-new');
      await dialog.getByRole('button', { name: 'Create cluster' }).click(LONG);
      await page.getByText('3 of 3 members known.').waitFor(LONG);
      await take('cluster');
      await page.getByRole('tab', { name: 'Schedule' }).click(LONG);
      await page.getByText(/There is no valid licence/).waitFor(LONG);
      await take('auto-scavenge-conditions');
      await page
        .getByRole('region', { name: 'Conditions' })
        .getByRole('button', { name: 'Use the evaluation licence' })
        .click(LONG);
      await page.getByText('The schedule does not run: one condition is not met.').waitFor(LONG);
      await page.getByRole('textbox', { name: 'CRON expression' }).fill('0 6 * * SAT');
      await page.getByRole('heading', { level: 1, name: /Saturday/ }).waitFor(LONG);
      await page.getByRole('button', { name: 'Save schedule' }).click(LONG);
      await page.getByText('All conditions are met. The schedule runs when it is due.').waitFor(LONG);
      await take('auto-scavenge');
      const maintenance = page.getByRole('region', { name: 'Maintenance window' });
      await maintenance.getByLabel('until').fill('02:30');
      await maintenance.getByRole('button', { name: 'Save maintenance window' }).click(LONG);
      await maintenance.getByRole('button', { name: 'Plan the nights' }).click(LONG);
      await maintenance.getByRole('region', { name: 'Plan of the nights' }).waitFor(LONG);
      await maintenance.scrollIntoViewIfNeeded();
      await take('auto-scavenge-nights');
      await page.keyboard.press('Control+K');
      await page.getByRole('dialog').getByRole('combobox').fill('Add a running cluster');
      await page
        .getByRole('option', { name: /Add a running cluster/ })
        .first()
        .waitFor(LONG);
      await page.keyboard.press('Enter');
      const add = page.getByRole('dialog', { name: 'Add a running cluster' });
      await add.getByLabel('Name', { exact: true }).fill('live');
      await add.getByLabel('Address of a node').fill(running.nodes[0]?.url ?? '');
      await add.getByLabel('User').fill('ops');
      await add.getByLabel('Password').fill('changeit');
      await take('cluster-add');
      await add.getByRole('button', { name: 'Add', exact: true }).click(LONG);
      await page.getByText('3 of 3 members known.').waitFor(LONG);
      await take('cluster-running');
      await page.getByRole('button', { name: 'All nodes at a glance' }).click(LONG);
      await page.getByText('3 of 3', { exact: true }).nth(1).waitFor(LONG);
      await take('fleet-running');
      await sideBar.getByRole('button', { name: /^one/ }).click({ button: 'right' });
      await page.getByRole('menuitem', { name: /^Node properties/ }).click(LONG);
      await page.getByRole('region', { name: 'Admin API of this node' }).waitFor(LONG);
      await take('node');
    });
  } finally {
    await running.close();
    removeUnpacked();
  }
}
