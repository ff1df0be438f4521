/** Explain, Usage, Erasure. */
import { inStudio } from './studio.ts';

const LONG = { timeout: 60_000 };

export async function takeAnswers(directory: string): Promise<void> {
  await inStudio({ directory }, async ({ page, show, take }) => {
    await show('Chunks');
    await page.locator('[data-chunk="3"]').click();
    await page.getByRole('button', { name: 'Why kept?' }).click(LONG);
    const panel = page.getByRole('complementary', { name: 'Explain' });
    await panel.getByText(/^Chunk 3 has weight/).waitFor(LONG);
    await take('explain-chunk');
    await page.keyboard.press('Escape');
    await show('Streams');
    await page.getByRole('searchbox').fill('metrics');
    await page.getByRole('row', { name: /^metrics/ }).click(LONG);
    await page.getByRole('button', { name: 'Why kept?' }).first().click();
    const ranges = panel.getByRole('list', { name: 'Events by number' });
    await ranges.getByText(/^\$maxAge of 2 days/).waitFor(LONG);
    await take('explain-stream');
    await ranges.getByRole('button').first().click();
    await panel.getByRole('heading', { name: 'Event 0 of metrics' }).waitFor(LONG);
    await take('explain-event');
    await page.keyboard.press('Escape');

    await show('Usage');
    await take('usage-first');
    await page.getByRole('button', { name: 'Count', exact: true }).click(LONG);
    await page.getByRole('option', { name: /^metrics \d/ }).waitFor(LONG);
    await take('usage');
    await page.getByRole('combobox', { name: 'Sum up by' }).selectOption('category');
    await page.getByRole('tab', { name: 'Thresholds compared' }).click();
    await page.getByText(/^Times by a short measurement/).waitFor(LONG);
    await take('usage-thresholds');
    await page.getByRole('tab', { name: 'What ages free' }).click();
    await page.getByRole('table', { name: 'What ages free' }).getByRole('row').nth(1).waitFor(LONG);
    await take('usage-calendar');

    await show('Erasure');
    await take('erasure-first');
    await page.getByRole('textbox', { name: /^Streams/ }).fill('metrics\nnever-was');
    await page.getByRole('button', { name: 'Look', exact: true }).click();
    await page.getByText('Data is left.').waitFor(LONG);
    await take('erasure');
  });
}
