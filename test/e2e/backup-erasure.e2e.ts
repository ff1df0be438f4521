/**
 * Erasure inside backups in a real window: planned, stopped, stored as a new generation, the old one removed as a step of its
 * own; plain, compressed, encrypted for a key file and with a password; and the data of one event overwritten.
 */
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { runWinnow } from '../main/cli/run-winnow.ts';
import { expectAccessible, expectAccessibleInThemes } from './axe.ts';
import { answerOpenDialog, answerSaveDialog } from './file-dialogs.ts';
import { expect, test } from './fixtures.ts';

const PASSWORD = 'correct horse battery';

interface Listed {
  id: string;
  bytes: number;
  encodings: string[];
  rewrites: { of: string; work: string } | null;
}

const rowsOf = (page: Page) => page.getByRole('grid', { name: 'Backups in this directory' }).getByRole('row');

async function winnow(home: string, ...words: string[]): Promise<string> {
  // Where it is set, every command takes it for the key of what it opens.
  const sealing = words.includes('--in') ? { WINNOW_BACKUP_PASSWORD: PASSWORD } : {};
  const environment = { ...sealing, WINNOW_HOME: home };
  const { exitCode, stdout, stderr } = await runWinnow(words, { environment });
  expect(exitCode, stderr).toBe(0);
  return stdout;
}

async function listed(home: string, target: string): Promise<Listed[]> {
  const { backups } = JSON.parse(await winnow(home, 'backup', 'list', target, '--json')) as {
    backups: Listed[];
  };
  return backups;
}

/** The chosen row's form, from the menu of its row. */
async function openForm(page: Page, row: number): Promise<void> {
  await rowsOf(page).nth(row).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Erase inside this backup…' }).click();
  await expect(page.getByRole('form', { name: /^Erase inside the backup of/ })).toBeVisible();
}

async function planErasure(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Plan the erasure' }).click();
}

const confirm = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: `${name}…`, exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click();
};

function filesOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(directory, name))
    .filter((file) => statSync(file).isFile());
}

test('what the log of a backup says is deleted goes from it, and then the old generation', async ({
  sample,
  home
}) => {
  test.slow();
  const { app, page, show, directory } = sample;
  const target = path.join(home, 'backups');
  await winnow(home, 'backup', 'create', directory, '--mode', 'full', '--to', target, '--yes');
  const [before] = await listed(home, target);
  await answerOpenDialog(app, target);
  await show('Backups');
  await page.getByRole('button', { name: 'Choose a directory…' }).click();
  await expect(rowsOf(page)).toHaveCount(1);

  await test.step('the palette leads to it, and the form can be left', async () => {
    await page.keyboard.press('Control+K');
    await page.getByRole('dialog').getByRole('combobox').fill('Erase inside');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Select the backup to erase in.')).toBeVisible();
    await rowsOf(page).first().click();
    const form = page.getByRole('form', { name: /^Erase inside the backup of/ });
    await expect(form).toBeVisible();
    await form.getByRole('button', { name: 'Cancel' }).click();
    await expect(form).toHaveCount(0);
  });

  await test.step('the plan says what goes, how large the new generation is at most, and what is not covered', async () => {
    await rowsOf(page).first().hover();
    await rowsOf(page).first().getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Erase inside this backup…' }).click();
    await expectAccessibleInThemes(page);
    await planErasure(page);
    const plan = page.getByRole('region', { name: 'Plan of the erasure' });
    await expect(plan).toContainText('what the log of the backup says is deleted or expired');
    await expect(plan).toContainText(/at most [\d.]+ MiB in the target/);
    await expect(plan).toContainText('What was deleted after the backup was taken is in it');
    await expectAccessibleInThemes(page);
  });

  await test.step('a run that is stopped leaves the backup as it was', async () => {
    await confirm(page, 'Store the new generation');
    await page
      .getByRole('region', { name: /^Erase in a backup of/ })
      .getByRole('button', { name: 'Stop' })
      .click();
    await expect(page.getByText('Stopped. The backup is as it was; what was begun')).toBeVisible();
    expect((await listed(home, target)).map(({ id }) => id)).toEqual([before!.id]);
    await page.getByRole('button', { name: 'Close' }).click();
  });

  await test.step('the new generation is stored and read back beside the old one', async () => {
    await openForm(page, 0);
    await planErasure(page);
    await confirm(page, 'Store the new generation');
    await expect(page.getByText(/^The new generation \S+ is stored/)).toBeVisible();
    await expect(page.getByText('The old generation is still there')).toBeVisible();
    await expect(rowsOf(page)).toHaveCount(2);
    await expectAccessibleInThemes(page);
    const both = await listed(home, target);
    expect(both.map(({ rewrites }) => rewrites?.of ?? null).sort()).toEqual([before!.id, null].sort());
    const made = both.find(({ rewrites }) => rewrites !== null)!;
    expect(made.bytes).toBeLessThan(before!.bytes);
  });

  await test.step('the old one goes by a plan and a confirmation of its own', async () => {
    await page.getByRole('button', { name: 'Plan to remove the old generation' }).click();
    const plan = page.getByRole('region', { name: 'Plan of the removal' });
    await expect(plan).toContainText('Reads every byte of the new generation once more');
    await expectAccessible(page);
    await confirm(page, 'Remove the old generation');
    await expect(page.getByText(/^The old generation was removed/)).toBeVisible();
    await expect(rowsOf(page)).toHaveCount(1);
    const [left, ...others] = await listed(home, target);
    expect([left!.rewrites?.of, others]).toEqual([before!.id, []]);
    expect(readdirSync(target)).not.toContain(before!.id);
    await winnow(home, 'backup', 'rehearse', target);
    await expectAccessibleInThemes(page);
  });
});

test.describe('with a small sample', () => {
  test.use({ sampleSize: 'small' });

  test('a compressed backup that a password opens stays so, and one for a key file too; a wrong password is said', async ({
    sample,
    home
  }) => {
    test.slow();
    const { app, page, show, directory } = sample;
    const [target, sealed, keyFile] = ['backups', 'sealed.txt', 'own.key'].map((name) =>
      path.join(home, name)
    ) as [string, string, string];
    await winnow(home, 'backup', 'key', sealed, '--in', target);
    await winnow(home, 'backup', 'key', keyFile);
    const create = ['backup', 'create', directory, '--mode', 'full', '--compress', '--to', target, '--yes'];
    await winnow(home, ...create, '--key-file', sealed);
    await winnow(home, ...create, '--key-file', keyFile);
    const before = await listed(home, target);
    expect(before).toHaveLength(2);
    const choose = (file: string): Promise<void> => answerOpenDialog(app, file);
    await choose(target);
    await show('Backups');
    await page.getByRole('button', { name: 'Choose a directory…' }).click();
    await expect(rowsOf(page)).toHaveCount(2);

    // Newest first: the second row is the one for the password.
    await openForm(page, 1);
    await planErasure(page);
    const alert = page.getByRole('alert').filter({ hasText: 'no key was given' });
    await expect(alert).toBeVisible();
    const opening = page.getByRole('region', { name: 'encrypted' }).first();
    const give = async (password: string): Promise<void> => {
      await opening.getByLabel('Password').fill(password);
      await opening.getByRole('button', { name: 'Use password' }).click();
    };
    await give('not this one');
    await expect(page.getByRole('alert').filter({ hasText: 'does not open the key' })).toBeVisible();
    await expectAccessibleInThemes(page);
    await give(PASSWORD);
    await expect(page.getByRole('region', { name: 'Plan of the erasure' })).toBeVisible();
    await confirm(page, 'Store the new generation');
    await expect(page.getByText(/^The new generation \S+ is stored/)).toBeVisible();
    await page.getByRole('button', { name: 'Close' }).click();

    await choose(keyFile);
    await openForm(page, 0);
    await page
      .getByRole('form')
      .getByRole('region', { name: 'encrypted' })
      .getByRole('button', { name: /key file/i })
      .click();
    await planErasure(page);
    await expect(page.getByRole('region', { name: 'Plan of the erasure' })).toBeVisible();
    await confirm(page, 'Store the new generation');
    await expect(page.getByText(/^The new generation \S+ is stored/)).toBeVisible();

    const after = await listed(home, target);
    expect(after).toHaveLength(4);
    for (const { id, encodings } of before) {
      const made = after.find(({ rewrites }) => rewrites?.of === id);
      expect(made?.encodings).toEqual(encodings);
    }
  });

  test('the data of one event are overwritten in a backup, with a certificate', async ({ sample, home }) => {
    test.slow();
    const { app, page, show, directory } = sample;
    const target = path.join(home, 'backups');
    mkdirSync(target);
    await winnow(home, 'backup', 'create', directory, '--mode', 'full', '--to', target, '--yes');
    const rows = (await winnow(home, 'records', directory, '--chunk', '0', '--json')).trim().split('\n');
    const event = rows
      .map((row) => JSON.parse(row) as { kind: string; stream?: string; eventId: string; dataLength: number })
      .find(
        ({ kind, stream, dataLength }) => kind === 'prepare' && stream?.startsWith('order') && dataLength > 0
      )!;
    await answerOpenDialog(app, target);
    await show('Backups');
    await page.getByRole('button', { name: 'Choose a directory…' }).click();
    await openForm(page, 0);
    const form = page.getByRole('form', { name: /^Erase inside the backup of/ });
    await form.getByRole('radio', { name: /^The data of certain events/ }).click();
    await expect(form.getByRole('button', { name: 'Plan the erasure' })).toBeDisabled();
    await form.getByLabel('Event ids').fill(event.eventId);
    await expectAccessibleInThemes(page);
    await planErasure(page);
    await expect(page.getByRole('region', { name: 'Plan of the erasure' })).toContainText(
      'the data of 1 event'
    );
    await confirm(page, 'Store the new generation');
    await expect(page.getByText(/^The new generation \S+ is stored/)).toBeVisible();

    const html = path.join(home, 'certificate.html');
    await answerSaveDialog(app, html);
    await page.getByRole('button', { name: 'Save as HTML…' }).click();
    await expect(page.getByText(`Saved as ${html}.`)).toBeVisible();
    expect(readFileSync(html, 'utf8')).toContain(event.eventId);
    const made = (await listed(home, target)).find(({ rewrites }) => rewrites?.work === 'redaction')!;
    expect(filesOf(path.join(target, made.id)).some((file) => /chunk-000000\.\d+$/.test(file))).toBe(true);
    await winnow(home, 'backup', 'verify', `${target}@${made.id}`);
  });
});
