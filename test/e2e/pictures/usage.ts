/** Usage: by category, inside one with thresholds, by kind of link with what ages free, growth, projections, a rule that could be. */
import { inStudio, type Album } from './studio.ts';

export async function takeUsage(directory: Album): Promise<void> {
  await inStudio({ directory }, async ({ page, show, take }) => {
    await show('Usage');
    const session = page.getByRole('option', { name: /^session / });
    await session.hover();
    await take('usage');
    await page.getByRole('option', { name: /^account / }).click();
    await page
      .getByRole('option', { name: /^account-/ })
      .first()
      .hover();
    await page.getByRole('tab', { name: 'Thresholds compared' }).click();
    await take('usage-thresholds');
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await page.getByRole('combobox', { name: 'Group by' }).selectOption('link');
    await page.getByRole('tab', { name: 'Expiry calendar' }).click();
    await page.getByText('With regular ones').waitFor();
    await take('usage-calendar');
    await page.getByRole('tab', { name: 'Growth' }).click();
    await page.getByRole('grid', { name: 'Growth by category' }).waitFor();
    await take('usage-growth');
    await page.getByRole('tab', { name: 'Projections' }).click();
    await page.getByRole('grid', { name: 'Links by category' }).waitFor();
    await take('usage-projections');
    await page.getByRole('tab', { name: 'What if' }).click();
    await page.getByRole('button', { name: 'Work it out' }).click();
    await page.getByText(/^Removable then/).waitFor();
    await take('usage-what-if');
  });
}
