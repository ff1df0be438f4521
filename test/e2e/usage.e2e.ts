/** What takes the space, in the window: counted by itself, gone down into, moved through by keys, saved; parts below. */
import { expectAccessible, expectAccessibleInThemes } from './axe.ts';
import { expect, test, type SampleWindow } from './fixtures.ts';

/** Has the sample counted. */
async function count({ page, show }: SampleWindow): Promise<void> {
  await show('Usage');
  await expect(page.getByText(/removable \(\d+(\.\d)? %\)/)).toBeVisible();
}

test('two clicks lead from the whole log to a stream of the largest category', async ({ seenSample }) => {
  const { app, page } = seenSample;
  const map = page.getByRole('listbox', { name: 'Map of space usage' });
  const table = page.getByRole('grid', { name: 'Items by size' });
  const path = page.getByRole('navigation', { name: 'Where this is' });

  await test.step('counts the sample by itself, by category', async () => {
    await count(seenSample);
    await expect(map.getByRole('option', { name: /^session \d/ })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('what is pointed at in one is marked in the other, with a card of what it is', async () => {
    await map.getByRole('option', { name: /^session \d/ }).hover();
    await expect(page.locator('.card').getByText('session', { exact: true })).toBeVisible();
    await expect(table.locator('.name.hovered')).toHaveText('session');
  });

  await test.step('keys move through map and table, which have the same one chosen', async () => {
    await map.focus();
    await page.keyboard.press('Home');
    const chosen = map.getByRole('option', { selected: true });
    const nameOf = (label: string | null) => label?.replace(/ \S+ \S+ \S+ % removable$/, '') ?? '';
    const first = await chosen.getAttribute('aria-label');
    await expect(
      table.getByRole('row', { selected: true }).getByText(nameOf(first), { exact: true })
    ).toBeVisible();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => chosen.getAttribute('aria-label')).not.toBe(first);
    await table.focus();
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('button', { name: /^Actions for / }).first()).toBeVisible();
  });

  await test.step('a click goes into a category, another into a stream, and the path leads back', async () => {
    await map.getByRole('option', { name: /^account \d/ }).click();
    await map
      .getByRole('option', { name: /^account-\d+ \d/ })
      .first()
      .click();
    await expect(map.getByRole('option', { name: /^Deposited \d/ })).toBeVisible();
    await expect(path.getByText(/^account-\d+$/)).toBeVisible();
    await expectAccessible(page);
    await path.getByRole('button', { name: 'All' }).click();
    await expect(map.getByRole('option', { name: /^session \d/ })).toBeVisible();
  });

  await test.step('copies the items as CSV', async () => {
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Copy as CSV' }).click();
    await expect
      .poll(() => app.evaluate(({ clipboard }) => clipboard.readText()))
      .toMatch(/^name,records,bytes/);
  });

  await test.step('the menu of a stream leads to it', async () => {
    await page.getByRole('combobox', { name: 'Group by' }).selectOption('stream');
    await map.getByRole('option', { name: /^metrics \d/ }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Show the stream' }).click();
    await expect(page.getByRole('grid', { name: 'Streams' })).toBeVisible();
  });
});

test('compares thresholds on a curve, names days, growth and the price of projections, and works out a rule', async ({
  seenSample
}) => {
  const { page } = seenSample;
  await count(seenSample);
  await page.getByRole('tab', { name: 'Expiry calendar' }).click();
  await expect(page.getByRole('img', { name: /^Expiry of the next twelve weeks/ })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Expiry calendar' }).getByRole('row').nth(1)).toBeVisible();
  await expect(page.getByText('With regular ones', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'How this is worked out' }).click();
  await expect(page.getByRole('img', { name: /^Space taken on the next days/ })).toBeVisible();
  await expect(
    page.getByRole('grid', { name: 'Growth by category' }).getByRole('row', { name: /^order/ })
  ).toBeVisible();
  await expectAccessibleInThemes(page);
  await page.getByRole('tab', { name: 'Projections' }).click();
  await expect(
    page.getByRole('table', { name: 'What projections wrote' }).getByText('$by_category')
  ).toBeVisible();
  await expect(
    page.getByRole('grid', { name: 'Links by category' }).getByRole('row', { name: /^order/ })
  ).toBeVisible();
  await expectAccessibleInThemes(page);
  await page.getByRole('tab', { name: 'What if' }).click();
  await page.getByRole('combobox', { name: 'Category' }).selectOption('order');
  await page.getByRole('button', { name: 'Work it out' }).click();
  await expect(page.getByText(/^Removable then: .*, now: 0 B\.$/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Thresholds compared' }).click();
  await expect(page.getByText(/^Times from a short measurement/)).toBeVisible();
  await page.getByRole('radiogroup').getByRole('radio').nth(1).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Use in Scavenge' }).click();
  await expect(page.getByRole('button', { name: /^Make the plan/ })).toBeVisible();
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
