/**
 * Damage that is found, repaired by the buttons of the window after its plan, and gone; and the views that are reached
 * although the database cannot be read.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runWinnow } from '../main/cli/run-winnow.ts';
import { unpackDamaged, unpackDatabase } from '../support/golden.ts';
import { S3_BUCKET, S3_ENVIRONMENT, startS3Server } from '../support/s3-server.ts';
import { expectAccessibleInThemes } from './axe.ts';
import { answerOpenDialog } from './file-dialogs.ts';
import { expect, test } from './fixtures.ts';

test('damage is repaired as planned, after a confirmation, and verified again', async ({ sample }) => {
  const { page, show, directory } = sample;
  writeFileSync(path.join(directory, 'epoch.chk'), new Uint8Array(8).fill(1));
  await show('Check and repair');
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await expect(page.getByText('1 place of damage found.')).toBeVisible();
  await page.getByRole('button', { name: 'Repair…' }).last().click();
  await expect(page.getByRole('region', { name: 'Repair plan' }).getByText('epoch.chk')).toBeVisible();
  await page.getByRole('button', { name: 'Repair 1 file…' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Repair 1 file' }).click();
  await expect(page.getByText('Repaired: no damage is left.')).toBeVisible();
  // The repair has verified at its end: the page answers again by itself.
  await expect(page.getByText(/^No damage found/)).toBeVisible();
});

test('a damaged index is rebuilt from the log by the button of its finding', async ({ sample }) => {
  const { page, show, directory } = sample;
  writeFileSync(path.join(directory, 'index', 'indexmap'), 'damaged');
  await show('Check and repair');
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await page.getByRole('button', { name: 'Rebuild the index…' }).last().click();
  const plan = page.getByRole('region', { name: 'Index rebuild plan' });
  await plan.getByRole('button', { name: 'Rebuild the index…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Rebuild the index' }).click();
  await expect(page.getByText(/^The index was rebuilt with [\d,]+ entries\.$/)).toBeVisible();
  await expect(page.getByText(/^No damage found/)).toBeVisible();
});

test('a missing chunk is taken from a copy of the data directory that is given', async ({ openWindow }) => {
  const { app, page, show } = await openWindow({ words: [unpackDamaged('damaged-c-missing-middle-chunk')] });
  const copy = unpackDatabase({ name: 'plain', folder: 'after' });
  await answerOpenDialog(app, copy);
  await show('Check and repair');
  await expect(page.getByText(/^This node will not start/)).toBeVisible();
  await page.getByRole('button', { name: 'Give a backup…' }).click();
  await expect(page.getByText(copy, { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Plan a repair' }).click();
  const plan = page.getByRole('region', { name: 'Repair plan' });
  await expect(plan.getByRole('row', { name: /missing becomes chunk-000007\.000000/ })).toBeVisible();
  await plan.getByRole('button', { name: 'Repair 1 file…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Repair 1 file' }).click();
  await expect(page.getByText('Repaired: no damage is left.')).toBeVisible();
  await expect(page.getByText(/^This node will start/)).toBeVisible();
});

test('a missing chunk is taken from an encrypted, compressed backup, opened by its password and then by a key file', async ({
  openWindow,
  home
}) => {
  test.slow();
  const db = unpackDatabase({ name: 'plain', folder: 'after' });
  const [target, sealed, key] = ['backups', 'sealed.txt', 'own.key'].map((name) => path.join(home, name));
  const password = { WINNOW_BACKUP_PASSWORD: 'correct horse battery' };
  const winnow = async (...words: string[]): Promise<void> => {
    const { exitCode, stderr } = await runWinnow(words, { environment: { ...password, WINNOW_HOME: home } });
    expect(exitCode, stderr).toBe(0);
  };
  await winnow('backup', 'key', sealed!, '--in', target!);
  await winnow('backup', 'key', key!);
  const create = [
    'backup',
    'create',
    db,
    '--to',
    target!,
    '--compress',
    '--mode',
    'full',
    '--yes',
    '--key-file'
  ];
  await winnow(...create, sealed!);
  const chunk = path.join(db, 'chunk-000007.000000');
  const whole = readFileSync(chunk);
  rmSync(chunk);

  const { app, page, show } = await openWindow({ words: [db] });
  const repairAsPlanned = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Repair 1 file…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Repair 1 file' }).click();
    await expect(page.getByText('Repaired: no damage is left.')).toBeVisible();
    expect(readFileSync(chunk).equals(whole)).toBe(true);
  };
  await answerOpenDialog(app, target!);
  await show('Check and repair');
  await page.getByRole('button', { name: 'Give a backup…' }).click();
  await page.getByRole('button', { name: 'Plan a repair' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'no key was given' })).toBeVisible();
  const opening = page.getByRole('region', { name: 'encrypted' });
  await expectAccessibleInThemes(page);
  await opening.getByLabel('Password').fill('incorrect horse');
  await opening.getByRole('button', { name: 'Use password' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'does not open the key' })).toBeVisible();
  await opening.getByLabel('Password').fill(password.WINNOW_BACKUP_PASSWORD);
  await opening.getByRole('button', { name: 'Use password' }).click();
  await repairAsPlanned();

  // The next backup is for the key file: the password that was given no longer opens the newest one.
  await winnow(...create, key!);
  rmSync(chunk);
  await page.getByRole('button', { name: 'Repair…' }).last().click();
  await expect(page.getByRole('alert').filter({ hasText: 'is encrypted for the key' })).toBeVisible();
  await answerOpenDialog(app, key!);
  await opening.getByRole('button', { name: 'Key file…' }).click();
  await repairAsPlanned();
});

test('a missing chunk is taken from an object store, out of the backup of several that is chosen', async ({
  openWindow,
  home
}) => {
  const store = await startS3Server();
  try {
    const db = unpackDatabase({ name: 'plain', folder: 'after' });
    const target = `s3://${S3_BUCKET}/orders`;
    const environment = { ...S3_ENVIRONMENT, WINNOW_HOME: home };
    for (let backup = 0; backup < 2; backup++) {
      const words = ['backup', 'create', db, '--to', target, '--mode', 'full', '--yes'];
      const taken = await runWinnow([...words, '--s3-endpoint', store.endpoint], { environment });
      expect(taken.exitCode, taken.stderr).toBe(0);
    }
    const chunk = path.join(db, 'chunk-000007.000000');
    const whole = readFileSync(chunk);
    rmSync(chunk);

    const { page, show } = await openWindow({ words: [db], environment: S3_ENVIRONMENT });
    await show('Check and repair');
    await page.getByRole('button', { name: 'Object store…' }).click();
    await page.getByLabel('Location').fill(target);
    await page.getByLabel('Endpoint').fill(store.endpoint);
    await page.getByRole('button', { name: 'Use this store' }).click();
    const which = page.getByRole('combobox', { name: 'Which backup' });
    await expect(which.getByRole('option')).toHaveCount(2);
    await expect(which).toHaveValue('');
    const id = await which.getByRole('option').last().getAttribute('value');
    await which.selectOption(id);
    await expectAccessibleInThemes(page);
    await page.getByRole('button', { name: 'Plan a repair' }).click();
    const plan = page.getByRole('region', { name: 'Repair plan' });
    await expect(plan).toContainText(id!);
    await plan.getByRole('button', { name: 'Repair 1 file…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Repair 1 file' }).click();
    await expect(page.getByText('Repaired: no damage is left.')).toBeVisible();
    expect(readFileSync(chunk).equals(whole)).toBe(true);
  } finally {
    await store.remove();
  }
});

test('the backups of a node can be reached although its database is gone', async ({ sample }) => {
  const { page, show, directory } = sample;
  renameSync(directory, `${directory}-away`);
  mkdirSync(directory);
  await show('Overview');
  await expect(page.getByRole('alert').first()).toBeVisible();
  await show('Backups');
  await expect(page.getByRole('button', { name: 'Choose a directory…' })).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('alert').first()).toBeVisible();
  rmSync(directory, { recursive: true });
  renameSync(`${directory}-away`, directory);
  // The window sees by itself that it is back.
  await expect(page.getByRole('alert').first()).toHaveCount(0);
});
