/** Logs compared in the window: all members of a cluster at once, and a node with another one. */
import { cpSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { NodeRegistry } from '../../src-main/settings/node-registry.ts';
import { unpackDatabase } from '../support/golden.ts';
import { runWinnow } from '../main/cli/run-winnow.ts';
import { expectAccessible } from './axe.ts';
import type { ElectronWindow } from './electron-window.ts';
import { answerOpenDialog } from './file-dialogs.ts';
import { expect, test as base } from './fixtures.ts';

const test = base.extend<{ nodes: ElectronWindow }>({
  /** A window that knows a node, one that was scavenged since, and one with a wrong byte. */
  nodes: async ({ home, openWindow }, use) => {
    const registry = new NodeRegistry(home, Date.now);
    for (const [name, folder] of [
      ['one', 'before'],
      ['two', 'after-t0'],
      ['three', 'before']
    ] as const) {
      const directory = path.join(home, 'databases', name);
      mkdirSync(path.dirname(directory), { recursive: true });
      cpSync(unpackDatabase({ name: 'rules', folder }), directory, { recursive: true });
      registry.open({ dataDirectory: directory });
    }
    const chunk = path.join(home, 'databases/three/chunk-000016.000000');
    chmodSync(chunk, 0o644);
    const bytes = readFileSync(chunk);
    bytes[128 + 200]! ^= 1;
    writeFileSync(chunk, bytes);
    await use(await openWindow());
  }
});

test('all members of a cluster are compared at once, and a node with another one', async ({ nodes }) => {
  const { page } = nodes;
  const sideBar = page.getByRole('navigation', { name: 'Nodes' });
  await sideBar.getByRole('button', { name: /^one/ }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'New cluster with this node…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('trio');
  await dialog.getByRole('checkbox', { name: 'two' }).click();
  await dialog.getByRole('checkbox', { name: 'three' }).click();
  await dialog.getByRole('button', { name: 'Create cluster' }).click();
  await expect(dialog).toHaveCount(0);
  await sideBar.getByRole('button', { name: /^trio/ }).click();

  await test.step('the cluster says which member differs, and where', async () => {
    const section = page.getByRole('region', { name: 'Same log on all members?' });
    await section.getByRole('combobox', { name: 'Compare with' }).selectOption('one');
    await section.getByRole('button', { name: 'Compare all members' }).click();
    const results = section.getByRole('grid', { name: 'Compared logs' });
    await expect(results.getByRole('row', { name: /two.*same log, one is behind/ })).toBeVisible();
    await expect(results.getByRole('row', { name: /three.*differs/ })).toBeVisible();
    await expect(section.getByText('one and three do not hold the same log')).toBeVisible();
    await expect(section.getByRole('grid', { name: /What is not all right/ })).toContainText(
      'Both have a record there'
    );
    await results.getByRole('row', { name: /two/ }).click();
    await expect(section.getByText(/Hard delete: 396 records/)).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('a node is compared with another one under Check and repair', async () => {
    await sideBar.getByRole('button', { name: /^two/ }).click();
    await nodes.show('Check and repair');
    const section = page.getByRole('region', { name: 'Same log?' });
    await expect(section.getByRole('button', { name: 'Compare', exact: true })).toBeDisabled();
    await section.getByRole('checkbox', { name: 'one' }).click();
    await section.getByRole('button', { name: 'Compare', exact: true }).click();
    await expect(
      section.getByText(/two and one hold the same log: all that differs is 954 records/)
    ).toBeVisible();
    await expectAccessible(page);
  });
});

test('a node is compared with an encrypted backup that is chosen, opened by its password, and with the newest of its target', async ({
  openWindow,
  home
}) => {
  test.slow();
  const db = unpackDatabase({ name: 'rules', folder: 'before' });
  const [target, sealed] = ['backups', 'sealed.txt'].map((name) => path.join(home, name));
  const password = { WINNOW_BACKUP_PASSWORD: 'correct horse battery' };
  const winnow = async (...words: string[]): Promise<void> => {
    const { exitCode, stderr } = await runWinnow(words, { environment: { ...password, WINNOW_HOME: home } });
    expect(exitCode, stderr).toBe(0);
  };
  await winnow('backup', 'key', sealed!, '--in', target!);
  const create = ['backup', 'create', db, '--mode', 'full', '--yes', '--to'];
  await winnow(...create, target!, '--compress', '--key-file', sealed!);

  const { app, page, show } = await openWindow({ words: [db] });
  await answerOpenDialog(app, target!);
  await show('Check and repair');
  const section = page.getByRole('region', { name: 'Same log?' });
  await section.getByRole('button', { name: 'Choose a directory or backup…' }).click();
  await section.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(section.getByRole('alert').filter({ hasText: 'no key was given' })).toBeVisible();
  const opening = section.getByRole('region', { name: 'encrypted' });
  await opening.getByLabel('Password').fill(password.WINNOW_BACKUP_PASSWORD);
  await opening.getByRole('button', { name: 'Use password' }).click();
  await expect(section.getByText(/hold the same log/).first()).toBeVisible();
  await expectAccessible(page);

  await test.step('the newest backup of its target is one box', async () => {
    const plain = path.join(home, 'plain');
    await winnow(...create, plain);
    await answerOpenDialog(app, plain);
    await show('Backups');
    await page.getByRole('button', { name: 'Choose a directory…' }).first().click();
    await show('Check and repair');
    await section.getByRole('checkbox', { name: /^The newest backup in/ }).click();
    await section.getByRole('button', { name: 'Compare again' }).click();
    await expect(section.getByText(/hold the same log/).first()).toBeVisible();
  });
});
