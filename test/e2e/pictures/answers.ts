/** Explain and Erasure. */
import { inStudio, type Album } from './studio.ts';

export async function takeAnswers(directory: Album): Promise<void> {
  await inStudio({ directory }, async ({ page, show, take }) => {
    await show('Chunks');
    await page.locator('[data-chunk="3"]').click();
    await page.getByRole('button', { name: 'Why kept?' }).click();
    const panel = page.getByRole('complementary', { name: 'Explain' });
    await panel.getByText(/^Chunk 3 has weight/).waitFor();
    await take('explain-chunk');
    await page.keyboard.press('Escape');
    await show('Streams');
    await page.getByRole('searchbox').fill('metrics');
    await page.getByRole('row', { name: /^metrics/ }).click();
    await page.getByRole('button', { name: 'Why kept?' }).first().click();
    const ranges = panel.getByRole('list', { name: 'Events by number' });
    await ranges.getByText(/^\$maxAge of 2 days discards them/).waitFor();
    await take('explain-stream');
    await ranges.getByRole('button').first().click();
    await panel.getByRole('heading', { name: 'Event 0 of metrics' }).waitFor();
    await panel
      .getByText(/^\$maxAge of 2 days discards it since/)
      .first()
      .waitFor();
    await take('explain-event');
    await page.keyboard.press('Escape');

    await show('Erasure');
    await take('erasure-first');
    await page.getByRole('textbox', { name: /^Streams/ }).fill('metrics\nnever-was');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText('Data is left.').waitFor();
    await take('erasure');
  });
}
