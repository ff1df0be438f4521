/** Events that were extracted, streams exported as a new database, and a support bundle that was made. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runWinnow } from '../../main/cli/run-winnow.ts';
import { inStudio, type Album } from './studio.ts';
import { answerOpenDialog } from '../file-dialogs.ts';

export async function takeExtract(directory: Album): Promise<void> {
  await inStudio({ directory }, async ({ window: { app }, page, home, take, takeOnce }) => {
    const [output, target, keyFile] = ['given-away', 'backups', 'names.key'].map((name) =>
      path.join(home, name)
    ) as [string, string, string];
    mkdirSync(output);
    writeFileSync(keyFile, `${'5a'.repeat(32)}\n`);
    const sample = path.join(home, 'samples', 'sample');
    await runWinnow(['backup', 'create', sample, '--to', target, '--yes'], {
      environment: { WINNOW_HOME: home }
    });
    const choose = async (name: string, file: string): Promise<void> => {
      await answerOpenDialog(app, file);
      await page.getByRole('button', { name }).click();
    };
    await page.keyboard.press('Control+K');
    await page.getByRole('dialog').getByRole('combobox').fill('Extract events');
    await page.keyboard.press('Enter');
    await take('extract-empty');
    await choose('Choose a folder…', output);
    const events = page.getByRole('region', { name: 'Extract events' });
    await events.getByLabel('Categories').fill('account');
    await events.getByRole('button', { name: 'Extract', exact: true }).click();
    await events.getByText(/events extracted; all of the log/).waitFor();
    await take('extract');

    await choose('Choose a directory or backup…', target);
    const streams = page.getByRole('region', { name: 'Export streams' });
    await streams.getByLabel('Streams').fill('$ce-order');
    await streams.getByLabel('Categories').fill('order');
    const plan = streams.getByRole('button', { name: 'Plan the export' });
    await plan.click();
    await streams.getByRole('region', { name: 'Plan of the export' }).waitFor();
    await streams.scrollIntoViewIfNeeded();
    await take('export-plan');
    await streams.getByRole('button', { name: 'Make the new database' }).click();
    await takeOnce('export-busy');
    await streams.getByText(/^The new database has/).waitFor();
    await streams.scrollIntoViewIfNeeded();
    await take('export');
    await choose('Choose a directory or backup…', output);
    await plan.click();
    await streams.getByRole('alert').waitFor();
    await streams.scrollIntoViewIfNeeded();
    await take('export-error');

    const bundle = page.getByRole('region', { name: 'Support bundle' });
    await choose('Choose a key…', keyFile);
    await bundle.scrollIntoViewIfNeeded();
    await take('extract-bundle-form');
    await bundle.getByRole('checkbox', { name: 'Also the table of names' }).click();
    await bundle.getByRole('button', { name: 'Make the bundle' }).click();
    await bundle.getByText(/^The bundle is made: /).waitFor();
    await bundle.scrollIntoViewIfNeeded();
    await take('extract-bundle');
  });
}
