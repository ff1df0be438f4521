/** Events that were extracted, and a support bundle that was made. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { inStudio } from './studio.ts';

const LONG = { timeout: 120_000 };

export async function takeExtract(directory: string): Promise<void> {
  await inStudio({ directory }, async ({ window: { app }, page, home, take }) => {
    const output = path.join(home, 'given-away');
    mkdirSync(output);
    await app.evaluate(({ dialog }, chosen) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
    }, output);
    await page.keyboard.press('Control+K');
    await page.getByRole('dialog').getByRole('combobox').fill('Extract events');
    await page.keyboard.press('Enter');
    await take('extract-empty');
    await page.getByRole('button', { name: 'Choose a folder…' }).click();
    const events = page.getByRole('region', { name: 'Extract events' });
    await events.getByLabel('Categories').fill('account');
    await events.getByRole('button', { name: 'Extract', exact: true }).click();
    await events.getByText(/events extracted; all of the log/).waitFor(LONG);
    await take('extract');
    const bundle = page.getByRole('region', { name: 'Support bundle' });
    await bundle.getByRole('button', { name: 'Make the bundle' }).click();
    await bundle.getByText(/^The bundle is made: /).waitFor(LONG);
    await bundle.scrollIntoViewIfNeeded();
    await take('extract-bundle');
  });
}
