/** What the menu of a row offers in the tables of Index, History and Activity; and the question "what if" beside a plan. */
import { expect, test } from './fixtures.ts';

test('rows of the index, of past scavenges and of the activity have the actions that one expects', async ({
  sample
}) => {
  const { page, show } = sample;
  await show('Overview');
  await page.getByRole('button', { name: 'Compute the plan' }).click();
  await expect(page.getByText(/^A scavenge would free/)).toBeVisible();
  await show('Index');
  await page
    .getByRole('grid', { name: 'Index', exact: true })
    .getByRole('row')
    .first()
    .click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: 'Copy the MD5' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Show its entries' }).click();
  const entries = page.getByRole('grid', { name: /^Entries of/ });
  await entries.getByRole('row').first().click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Why kept?' }).click();
  await expect(page.getByRole('complementary', { name: 'Explain' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Activity' }).first().click();
  const activity = page.getByRole('grid', { name: 'Operations' });
  await activity.getByRole('row').first().click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: 'Copy details' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Show only operations like this' }).click();
  await expect(page.getByRole('searchbox', { name: /^Find an operation/ })).not.toHaveValue('');
});

test('beside a plan one can ask what another maximum age of a category would remove', async ({ sample }) => {
  const { page, show } = sample;
  await show('Scavenge');
  await page.getByRole('button', { name: 'Make the plan' }).click();
  await page.getByText('What if a category had another maximum age or count?').click();
  await page.getByRole('button', { name: 'Work it out' }).click();
  await expect(page.getByText(/^Removable then: /)).toBeVisible();
});
