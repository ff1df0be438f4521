/** The explain panel over a real database: from a chunk, a stream and an event, by mouse and by keyboard. */
import { expectAccessibleInThemes } from './axe.ts';
import { expect, test } from './fixtures.ts';

test('a chunk tells whether it is rewritten, and its records by rule', async ({ seenSample }) => {
  const { page, show } = seenSample;
  await show('Chunks');
  await page.locator('[data-chunk="3"]').click();
  await page.getByRole('button', { name: 'Why kept?' }).click();
  const panel = page.getByRole('complementary', { name: 'Explain' });
  await expect(
    panel.getByText(
      /^Chunk 3 has weight [\d,]+, above the threshold of 0: [\d,]+ of its records are removed\.$/
    )
  ).toBeVisible();
  await expect
    .poll(() => panel.getByRole('table', { name: 'Records by rule' }).getByRole('row').count())
    .toBeGreaterThan(3);
  await expectAccessibleInThemes(page);
  // Here it lies over the view: turning to the view, or to another one, closes it.
  await page.locator('[data-chunk="2"]').click();
  await expect(panel).toBeHidden();
  await page.getByRole('button', { name: 'Why kept?' }).click();
  await expect(panel).toBeVisible();
  await page.keyboard.press('Control+3');
  await expect(page.locator('#view')).toContainText(/position/i);
  await expect(panel).toBeHidden();
});

test('an event of a stream tells its rule, its chain, and until when, by keyboard alone', async ({
  seenSample
}) => {
  const { page, show } = seenSample;
  await show('Streams');
  await page.getByRole('searchbox').fill('metrics');
  await page.getByRole('row', { name: /^metrics/ }).click();
  await page.getByRole('button', { name: 'Why kept?' }).focus();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary', { name: 'Explain' });
  const ranges = panel.getByRole('list', { name: 'Events by number' });
  await expect(ranges.getByText(/^\$maxAge of 2 days discards them/)).toBeVisible();
  await expectAccessibleInThemes(page);
  const first = ranges.getByRole('button').first();
  await first.focus();
  await page.keyboard.press('Enter');
  await expect(panel.getByRole('heading', { name: 'Event 0 of metrics' })).toBeVisible();
  await expect(panel.getByText(/^\$maxAge of 2 days discards it since/).first()).toBeVisible();
  await expect(panel.getByRole('listitem')).toHaveCount(5);
  await expectAccessibleInThemes(page);
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
});
