/** A cluster of stopped nodes with its schedule, one that runs, and a node with what is remembered of it. */
import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { NodeRegistry } from '../../../src-main/settings/node-registry.ts';
import { ScavengeRecords } from '../../../src-main/settings/scavenge-records.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { SimulatedCluster } from '../../support/simulated-cluster.ts';
import { inStudio, type Album } from './studio.ts';

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
      await page.getByRole('menuitem', { name: 'New cluster with this node…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name', { exact: true }).fill('trio');
      await dialog.getByRole('checkbox', { name: 'two' }).click();
      await dialog.getByRole('checkbox', { name: 'three' }).click();
      await take('cluster-new');
      await dialog.getByRole('button', { name: 'Create cluster' }).click();
      await page.getByText('3 of 3 members known.').waitFor();
      await take('cluster');
      await page.getByRole('tab', { name: 'Schedule' }).click();
      await page.getByText(/There is no valid licence/).waitFor();
      await take('auto-scavenge-conditions');
      await page
        .getByRole('region', { name: 'Conditions' })
        .getByRole('button', { name: 'Use the evaluation licence' })
        .click();
      await page.getByText('The schedule does not run: one condition is not met.').waitFor();
      await page.getByRole('textbox', { name: 'CRON expression' }).fill('0 6 * * SAT');
      await page.getByRole('heading', { level: 1, name: /Saturday/ }).waitFor();
      await page.getByRole('button', { name: 'Save schedule' }).click();
      await page.getByText('All conditions are met. The schedule runs when it is due.').waitFor();
      await take('auto-scavenge');
      const maintenance = page.getByRole('region', { name: 'Maintenance window' });
      await maintenance.getByLabel('until').fill('02:30');
      await maintenance.getByRole('button', { name: 'Save maintenance window' }).click();
      await maintenance.getByRole('button', { name: 'Plan the nights' }).click();
      await maintenance.getByRole('region', { name: 'Plan of the nights' }).waitFor();
      await maintenance.scrollIntoViewIfNeeded();
      await take('auto-scavenge-nights');
      await page.keyboard.press('Control+K');
      await page.getByRole('dialog').getByRole('combobox').fill('Add a running cluster');
      await page
        .getByRole('option', { name: /Add a running cluster/ })
        .first()
        .waitFor();
      await page.keyboard.press('Enter');
      const add = page.getByRole('dialog', { name: 'Add a running cluster' });
      await add.getByLabel('Name', { exact: true }).fill('live');
      await add.getByLabel('Address of a node').fill(running.nodes[0]?.url ?? '');
      await add.getByLabel('User').fill('ops');
      await add.getByLabel('Password').fill('changeit');
      await take('cluster-add');
      await add.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByText('3 of 3 members known.').waitFor();
      await take('cluster-running');
      await page.getByRole('button', { name: 'All nodes at a glance' }).click();
      await page.getByText('3 of 3', { exact: true }).nth(1).waitFor();
      await take('fleet-running');
      await sideBar.getByRole('button', { name: /^one/ }).click({ button: 'right' });
      await page.getByRole('menuitem', { name: /^Node properties/ }).click();
      await page.getByRole('region', { name: 'Admin API of this node' }).waitFor();
      await take('node');
    });
  } finally {
    await running.close();
    removeUnpacked();
  }
}
