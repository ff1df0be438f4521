/** What takes the space, in the window: counted, map and table moved through by keys, parts below, copied. */
import { expectAccessible } from './axe.ts';
import { expect, test, type SampleWindow } from './fixtures.ts';

/** Has the sample counted. */
async function count({ page, show }: SampleWindow): Promise<void> {
  await show('Usage');
  await page.getByRole('button', { name: 'Count usage', exact: true }).click();
  await expect(page.getByText(/removable \(\d+(\.\d)? %\)/)).toBeVisible();
}

test('the sample is counted, moved through by keys, copied as CSV, and a stream of it opened', async ({
  sample
}) => {
  const { app, page } = sample;

  await test.step('counts the sample, and says what is removable', async () => {
    await count(sample);
    await expect(page.getByRole('option', { name: /^metrics \d/ })).toBeVisible();
  });

  await test.step('keys move through map and table, which have the same one chosen', async () => {
    const map = page.getByRole('listbox', { name: 'Map of space usage' });
    await map.focus();
    await page.keyboard.press('Home');
    const chosen = map.getByRole('option', { selected: true });
    const table = page.getByRole('grid', { name: 'Items by size' });
    // What is too small for fields of its own is the largest field together; in the table its largest item is chosen.
    expect(await chosen.getAttribute('aria-label')).toMatch(/smaller ones together/);
    await expect(table.getByRole('row', { selected: true })).toBeVisible();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => chosen.getAttribute('aria-label')).not.toMatch(/smaller ones together/);
    const first = await chosen.getAttribute('aria-label');
    const nameOf = (label: string | null) => label?.replace(/ \S+ \S+ removable · .*$/, '') ?? '';
    await expect(
      table.getByRole('row', { selected: true }).getByText(nameOf(first), { exact: true })
    ).toBeVisible();
    await table.focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => chosen.getAttribute('aria-label')).not.toBe(first);
  });

  await test.step('copies the items as CSV', async () => {
    await page.getByRole('button', { name: 'CSV' }).click();
    await expect
      .poll(() => app.evaluate(({ clipboard }) => clipboard.readText()))
      .toMatch(/^name,records,bytes/);
  });

  await test.step('Enter on a stream leads to it', async () => {
    await page.getByRole('option', { name: /^metrics \d/ }).click();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('grid', { name: 'Streams' })).toBeVisible();
  });
});

test('sums up by category, compares thresholds, and names the days', async ({ sample }) => {
  const { page } = sample;
  await count(sample);
  await page.getByRole('combobox', { name: 'Group by' }).selectOption('category');
  await expect(page.getByRole('option', { name: /^session \d/ })).toBeVisible();
  await page.getByRole('combobox', { name: 'Group by' }).selectOption('stream');
  await expect(page.getByRole('option', { name: /^metrics \d/ })).toBeVisible();
  await page.getByRole('combobox', { name: 'Group by' }).selectOption('category');
  await page.getByRole('tab', { name: 'Thresholds compared' }).click();
  await expect(page.getByText(/^Times from a short measurement/)).toBeVisible();
  await page.getByRole('tab', { name: 'Expiry calendar' }).click();
  await expect(page.getByRole('table', { name: 'Expiry calendar' }).getByRole('row').nth(1)).toBeVisible();
  await expectAccessible(page);
});

test('after a scavenge the count says what it is of, and the threshold slider of the old plan is gone', async ({
  sample
}) => {
  const { page, show } = sample;
  await count(sample);
  await show('Scavenge');
  const steps = page.getByRole('navigation', { name: 'Steps of the scavenge' });
  await page.getByRole('button', { name: /^Make the plan/ }).click();
  await expect(page.getByRole('button', { name: /^Remove .* from / })).toBeVisible();
  await steps.getByRole('button', { name: 'Options' }).click();
  await expect(page.getByRole('slider', { name: 'Threshold' })).toBeVisible();
  await steps.getByRole('button', { name: 'Plan' }).click();
  await page.getByRole('button', { name: /^Remove .* from / }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Remove .* from / })
    .click();
  await expect(page.getByText('The scavenge is complete.')).toBeVisible();
  await steps.getByRole('button', { name: 'Options' }).click();
  await expect(page.getByRole('slider', { name: 'Threshold' })).toHaveCount(0);
  await show('Usage');
  await expect(page.getByText(/This shows the state before “Scavenge sample”, which ended /)).toBeVisible();
});
