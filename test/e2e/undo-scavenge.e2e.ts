/** A scavenge that keeps what it replaces is undone in the window; then another one's space is freed. */
import path from 'node:path';
import { directoryTree } from '../support/directory-tree.ts';
import { expectAccessibleInThemes } from './axe.ts';
import { expect, test } from './fixtures.ts';

test('a scavenge is undone from its result, to the byte, and the space of another is freed', async ({
  sample
}) => {
  const { page, show, directory } = sample;
  const picture = process.env['WINNOW_UNDO_PICTURES'];
  const take = async (name: string): Promise<void> => {
    if (picture === undefined) return;
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.waitForFunction(() => document.getAnimations().length === 0);
      await page.screenshot({ path: path.join(picture, `${name}-${scheme}.png`) });
    }
    await page.emulateMedia({ colorScheme: null });
  };
  const before = directoryTree(directory);
  const scavenge = async (): Promise<void> => {
    await page.getByRole('button', { name: /^Make the plan/ }).click();
    await expect(page.getByRole('button', { name: /^Remove/ })).toBeVisible();
    await expect(page.getByText(/of replaced files and needs/)).toBeVisible();
    await take('plan');
    await page.getByRole('button', { name: /^Remove/ }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Remove/ })
      .click();
    await expect(page.getByText('The scavenge is complete.')).toBeVisible();
  };

  await show('Scavenge');
  await page.getByLabel('Keep what is replaced').fill('7');
  await take('options');
  await scavenge();
  const kept = page.getByRole('region', { name: 'Scavenges that can be undone' });
  await expect(kept.getByText(/^Replaced files kept:/)).toBeVisible();
  await take('result');
  await kept.getByRole('button', { name: 'Undo this scavenge' }).click();
  await expect(
    kept.getByText('The directory becomes what it was before the scavenge, to the byte.')
  ).toBeVisible();
  await expectAccessibleInThemes(page);
  await kept.scrollIntoViewIfNeeded();
  await take('undo-plan');
  await kept.getByRole('button', { name: 'Undo the scavenge' }).click();
  await take('undo-confirm');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Undo the scavenge' }).click();
  await expect(page.getByText('The scavenge is undone.')).toBeVisible();
  await take('undone');
  expect(directoryTree(directory)).toEqual(before);

  await page
    .getByRole('navigation', { name: 'Steps of the scavenge' })
    .getByRole('button', { name: 'Options' })
    .click();
  await scavenge();
  await show('Overview');
  await expect(page.getByText('Replaced files kept')).toBeVisible();
  await take('overview');
  await show('Scavenge');
  await kept.getByRole('button', { name: 'Free the space now' }).click();
  await take('forget-confirm');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Free the space now' }).click();
  await expect(kept).toBeHidden();
  expect(Object.keys(directoryTree(directory)).filter((name) => name.startsWith('winnow-replaced'))).toEqual(
    []
  );
});
