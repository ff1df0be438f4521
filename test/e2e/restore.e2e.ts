/** The restore of a backup to another node, from its taking on, with as few clicks as it takes; and a long truncation. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { NodeRegistry } from '../../src-main/settings/node-registry.ts';
import { runWinnow } from '../main/cli/run-winnow.ts';
import { unpackDatabase } from '../support/golden.ts';
import { expectAccessibleInThemes } from './axe.ts';
import { answerOpenDialog } from './file-dialogs.ts';
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
  await answerOpenDialog(app, backups);
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

test('a truncation beyond the limit of the server is made only with a limit that a person chooses', async ({
  home,
  openWindow
}) => {
  test.slow();
  const db = path.join(home, 'long');
  const words = ['sample', db, '--size', '272MiB', '--chunk-size', '16MiB', '--seed', '1', '--yes'];
  expect((await runWinnow(words, { environment: { WINNOW_HOME: home } })).exitCode).toBe(0);
  const end = Number(readFileSync(path.join(db, 'writer.chk')).readBigInt64LE());
  const cutAt = 16 * 1024 * 1024;
  const truncate = Buffer.alloc(8);
  truncate.writeBigInt64LE(BigInt(cutAt));
  writeFileSync(path.join(db, 'truncate.chk'), truncate);

  const { page, show } = await openWindow({ words: [db] });
  await show('Restore');
  await page.getByRole('button', { name: 'Truncate now…' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'the limit is 268,435,456' })).toBeVisible();
  const limit = page.getByRole('form', { name: 'How much may be cut off' });
  // As it stands the server's own limit holds: nothing else happens by itself.
  await limit.getByRole('button', { name: 'Plan with this limit' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'the limit is 268,435,456' })).toBeVisible();
  await limit.getByText('Up to a limit of mine').click();
  await expect(limit.getByLabel('Cut off at most')).toHaveValue(String(Math.ceil((end - cutAt) / 2 ** 20)));
  await expectAccessibleInThemes(page);
  await limit.getByLabel('Cut off at most').fill('200');
  await limit.getByRole('button', { name: 'Plan with this limit' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'the limit is 209,715,200' })).toBeVisible();
  await limit.getByText('Any amount').click();
  await limit.getByRole('button', { name: 'Plan with this limit' }).click();
  await expect(page.getByText('What the truncation removes')).toBeVisible();
  await page.getByRole('button', { name: 'Truncate the log…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Truncate the log' }).click();
  await expect(page.getByText('The log was truncated.')).toBeVisible();
  expect(Number(readFileSync(path.join(db, 'writer.chk')).readBigInt64LE())).toBe(cutAt);
});
