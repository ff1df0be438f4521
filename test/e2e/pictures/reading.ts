/** First screen, Overview, Chunks, Records, Streams, Index, and the palette. */
import { inStudio, type Album } from './studio.ts';

export async function takeReading(directory: Album): Promise<void> {
  await inStudio({ directory, hasSample: false }, async ({ page, take }) => {
    await page.getByRole('button', { name: 'Open a data directory' }).waitFor();
    await take('first-screen');
  });
  await inStudio({ directory }, async ({ page, show, take }) => {
    await take('overview-before');
    await page.getByRole('button', { name: 'Compute the plan' }).click();
    await page.getByRole('button', { name: 'Show the plan' }).waitFor();
    await take('overview');
    await show('Chunks');
    await page.locator('[data-chunk="3"]').click();
    await page.getByText('Lowest version a reader must know').waitFor();
    await take('chunks');
    await page.getByRole('button', { name: 'Show the records' }).click();
    await page.getByRole('grid').getByRole('row').nth(4).click();
    await page.getByRole('button', { name: 'Stream', exact: true }).focus();
    await take('records');
    await show('Streams');
    await page.getByRole('row', { name: /^metrics/ }).click();
    await page.getByRole('grid', { name: 'Events, as a reader sees them' }).getByRole('row').nth(2).click();
    await page.getByRole('region', { name: 'Bytes of the record' }).waitFor();
    await take('streams');
    await show('Index');
    await page.getByRole('textbox', { name: 'Name of a stream' }).fill('prices');
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByText(/entries for hash/).waitFor();
    await take('index');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder(/An action, a node/).fill('metr');
    await page.getByRole('option', { name: /^metrics/ }).waitFor();
    await take('palette');
  });
}
