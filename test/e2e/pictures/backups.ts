/** Backups: where they go, plan, catalogue, pruning, and the way of a restore. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { inStudio, type Album } from './studio.ts';
import { answerOpenDialog } from '../file-dialogs.ts';

export async function takeBackups(directory: Album): Promise<void> {
  await inStudio({ directory }, async ({ window, page, home, show, take }) => {
    const backups = path.join(home, 'backups');
    mkdirSync(backups);
    await answerOpenDialog(window.app, backups);
    const copy = page.getByRole('button', { name: /^Copy [\d.]+ [KM]iB$/ });
    const complete = page.getByText(/^The backup \S+ is complete\.$/);
    const rows = page.getByRole('grid', { name: 'Backups in this directory' }).getByRole('row');
    const makeBackup = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Plan a backup' }).click();
      await copy.click();
      await complete.waitFor();
    };
    await show('Backups');
    await take('backups-first');
    await page.getByRole('button', { name: 'Choose a directory…' }).click();
    await page.getByRole('button', { name: 'Plan a backup' }).click();
    await copy.waitFor();
    await take('backups-plan');
    await copy.click();
    await complete.waitFor();
    await page.getByRole('button', { name: 'Verify new backup' }).click();
    await page.getByText('The backup is intact.').waitFor();
    await rows.first().click();
    await page.getByRole('button', { name: 'Rehearse backup', exact: true }).click();
    await page.getByText(/^The rehearsal passed/).waitFor();
    await page.waitForTimeout(20_000); // so that the marks stand apart
    await makeBackup();
    await page.getByRole('button', { name: 'Close' }).click();
    await take('backups');
    await page.getByRole('button', { name: 'Object store…' }).click();
    await take('backups-store');
    await page.getByRole('button', { name: 'Object store…' }).click();
    await page.getByRole('spinbutton', { name: 'the last' }).fill('1');
    await page.getByRole('spinbutton', { name: 'weekly' }).fill('0');
    await page.getByRole('spinbutton', { name: 'monthly' }).fill('0');
    await page.getByRole('button', { name: 'Plan pruning' }).click();
    await page.getByRole('region', { name: 'Pruning plan' }).waitFor();
    await take('backups-prune');
    await rows.first().click();
    await page.getByRole('button', { name: 'Restore backup…' }).click();
    await page.getByText('Truncate the log during the restore').click();
    await take('restore-where');
    await page.getByRole('button', { name: /this node/ }).click();
    await page.getByText(/^a log that ends at [\d,]+$/).waitFor();
    await take('restore-plan');
    await page.getByRole('button', { name: 'Replace sample…' }).click();
    await page.getByRole('alertdialog').waitFor();
    await take('restore-confirm');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Replace sample' }).click();
    await page.getByText('The backup was restored.').waitFor();
    await take('restore-result');
  });
}
