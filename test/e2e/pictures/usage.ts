/** Usage: by stream with what no scavenge frees, by category with thresholds, by kind of link with what ages free. */
import { inStudio } from './studio.ts';

const PATIENCE = { timeout: 60_000 };

export async function takeUsage(directory: string): Promise<void> {
  await inStudio({ directory }, async ({ page, show, take }) => {
    await show('Usage');
    await page.getByRole('button', { name: 'Count usage', exact: true }).click();
    await page.getByRole('option', { name: /^metrics / }).click(PATIENCE);
    await take('usage');
    const by = page.getByRole('combobox', { name: 'Group by' });
    await by.selectOption('category');
    await page.getByRole('tab', { name: 'Thresholds compared' }).click();
    await take('usage-thresholds');
    await by.selectOption('link');
    await page.getByRole('tab', { name: 'Expiry calendar' }).click();
    await take('usage-calendar');
  });
}
