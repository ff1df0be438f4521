/** Erasure inside a backup: the form, its plan, the run, the result, the removal of the old generation, and what goes wrong. */
import path from 'node:path';
import { runWinnow } from '../../main/cli/run-winnow.ts';
import { inStudio, type Album } from './studio.ts';
import { answerOpenDialog } from '../file-dialogs.ts';

export async function takeErasing(directory: Album): Promise<void> {
  await inStudio({ directory }, async ({ window: { app }, page, home, show, take, takeOnce }) => {
    const [target, keyFile, otherKey] = ['backups', 'own.key', 'other.key'].map((name) =>
      path.join(home, name)
    ) as [string, string, string];
    const winnow = (...words: string[]) => runWinnow(words, { environment: { WINNOW_HOME: home } });
    const choose = (file: string): Promise<void> => answerOpenDialog(app, file);
    for (const file of [keyFile, otherKey]) await winnow('backup', 'key', file);
    const create = ['backup', 'create', path.join(home, 'samples', 'sample'), '--to', target, '--yes'];
    await winnow(...create, '--mode', 'full', '--compress', '--key-file', keyFile);
    await winnow(...create, '--mode', 'full');
    await winnow(...create, '--mode', 'differential');
    await choose(target);
    await show('Backups');
    await page.getByRole('button', { name: 'Choose a directory…' }).click();
    const rows = page.getByRole('grid', { name: 'Backups in this directory' }).getByRole('row');
    const form = page.getByRole('form', { name: /^Erase inside the backup of/ });
    const confirm = async (name: string, taken: string): Promise<void> => {
      await page.getByRole('button', { name: `${name}…`, exact: true }).click();
      const dialog = page.getByRole('alertdialog');
      await dialog.waitFor();
      await take(taken);
      await dialog.getByRole('button', { name, exact: true }).click();
    };
    await rows.nth(1).click({ button: 'right' });
    await takeOnce('erase-menu');
    await page.getByRole('menuitem', { name: 'Erase inside this backup…' }).click();
    await take('erase-form');
    await form.getByRole('radio', { name: /^The data of certain events/ }).click();
    await take('erase-form-events');
    await form.getByRole('radio', { name: /^What its log says/ }).click();
    await page.getByRole('button', { name: 'Plan the erasure' }).click();
    await page.getByRole('region', { name: 'Plan of the erasure' }).waitFor();
    await take('erase-plan');
    await confirm('Store the new generation', 'erase-confirm');
    await takeOnce('erase-busy');
    await page.emulateMedia({ colorScheme: 'dark' });
    await takeOnce('erase-busy-dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByText(/^The new generation \S+ is stored/).waitFor();
    await take('erase-result');
    await page.getByRole('button', { name: 'Plan to remove the old generation' }).click();
    await page.getByRole('region', { name: 'Plan of the removal' }).waitFor();
    await take('erase-removal-plan');
    await confirm('Remove the old generation', 'erase-removal-confirm');
    await page.getByText(/^The old generation was removed/).waitFor();
    await rows.nth(1).click();
    await take('erase-removed');

    await rows.nth(2).click();
    await page.getByRole('button', { name: 'Erase inside…' }).click();
    await form.getByRole('region', { name: 'encrypted' }).scrollIntoViewIfNeeded();
    await take('erase-form-encrypted');
    await choose(otherKey);
    await form.getByRole('button', { name: 'Key file…' }).click();
    await page.getByRole('button', { name: 'Plan the erasure' }).click();
    await page.getByRole('alert').waitFor();
    await take('erase-wrong-key');
  });
}
