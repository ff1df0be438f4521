/** The restore of a backup to another node, from its taking on, with as few clicks as it takes. */
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { NodeRegistry } from '../../src-main/settings/node-registry.ts';
import { unpackDatabase } from '../support/golden.ts';
import { expect, test } from './fixtures.ts';
import { TaskFilm } from './task-film.ts';

test('a backup is taken, rehearsed and restored to another stopped node with nine clicks', async ({
  home,
  openWindow
}) => {
  const registry = new NodeRegistry(home, Date.now);
  const [other, own] = ['other-node', 'orders'].map((name) => {
    const directory = path.join(home, 'databases', name);
    mkdirSync(path.dirname(directory), { recursive: true });
    cpSync(unpackDatabase({ name: 'rules', folder: 'before' }), directory, { recursive: true });
    registry.open({ dataDirectory: directory });
    return directory;
  }) as [string, string];
  const backups = path.join(home, 'backups');
  mkdirSync(backups);
  const { app, page } = await openWindow();
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
  }, backups);
  const sideBar = page.getByRole('navigation', { name: 'Nodes' });
  await sideBar.getByRole('button', { name: /^orders/ }).click();

  const film = new TaskFilm(page, 'restore');
  const button = (name: string | RegExp): Locator => page.getByRole('button', { name, exact: true });
  const copy = button(/^Copy [\d.]+ [kM]iB$/);
  const steps = page.getByRole('list', { name: 'What the rehearsal tried' });
  const places = page.getByRole('region', { name: 'Restore to' });
  const dialog = page.getByRole('alertdialog');
  await film.click(page.getByRole('tab', { name: 'Backups', exact: true }), button('Choose a directory…'));
  await film.click(button('Choose a directory…'), button('Plan a backup'));
  await film.click(button('Plan a backup'), copy);
  await film.click(copy, button('Rehearse new backup'));
  await film.click(button('Rehearse new backup'), steps);
  await expect(steps.locator('.passed')).toHaveCount(5);
  await film.click(button('Restore it…'), places);
  await film.click(places.getByRole('button', { name: /^other-node/ }), button('Replace other-node…'));
  await film.click(button('Replace other-node…'), dialog.getByRole('button', { name: 'Cancel' }));
  await film.click(
    dialog.getByRole('button', { name: 'Replace other-node' }),
    page.getByText('The backup was restored.')
  );
  expect(film.clicks).toBe(9);
  film.tell();
  const beside = readdirSync(path.dirname(other));
  expect(beside.some((name) => name.startsWith('other-node.before-restore-'))).toBe(true);
  const writer = (node: string): Buffer => readFileSync(path.join(node, 'writer.chk'));
  expect(writer(other)).toEqual(writer(own));
});
