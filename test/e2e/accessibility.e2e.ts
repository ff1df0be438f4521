/**
 * Every view of the window under axe (WCAG 2.2 AA), light and dark, with content; and the ways that lead through it
 * without a mouse.
 */
import type { Page } from 'playwright-core';
import { expectAccessibleInThemes } from './axe.ts';
import { expect, test } from './fixtures.ts';

/** Presses a key until the focus is where it is wanted; fails when it never comes there. */
async function pressUntil(page: Page, key: string, isThere: () => Promise<boolean>): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (await isThere()) return;
    await page.keyboard.press(key);
  }
  throw new Error(`60 times ${key} did not lead there`);
}

const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent.trim() ?? '');

test('axe finds nothing on the first screen', async ({ window }) => {
  const { page } = window;
  await expect(page.getByRole('button', { name: 'Open a data directory' })).toBeVisible();
  await expectAccessibleInThemes(page);
});

test('axe finds nothing in any view of a node', async ({ seenSample }) => {
  const { page } = seenSample;
  const tabs = page.getByRole('tab');
  const names = await tabs.allInnerTexts();
  expect(names.length).toBeGreaterThanOrEqual(8);
  for (const name of names) {
    await page.getByRole('tab', { name, exact: true }).click();
    await expect(page.locator('#view')).toHaveText(/\S/, { useInnerText: true });
    await expectAccessibleInThemes(page);
  }
});

test('axe finds nothing beside a chunk, its records and its bytes', async ({ seenSample }) => {
  const { page, show } = seenSample;
  await show('Chunks');
  await page.locator('[data-chunk="3"]').click();
  await expect(page.getByText('Lowest version a reader must know')).toBeVisible();
  await expectAccessibleInThemes(page);
  await page.getByRole('button', { name: 'Show the records' }).click();
  await page.getByRole('grid').getByRole('row').nth(2).click();
  await expect(page.getByRole('region', { name: 'Bytes of the record' })).toBeVisible();
  await expectAccessibleInThemes(page);
});

test('axe finds nothing beside a stream and its events', async ({ seenSample }) => {
  const { page, show } = seenSample;
  await show('Streams');
  await page.getByRole('row', { name: /^metrics/ }).click();
  await page.getByRole('grid', { name: 'Events, as a reader sees them' }).getByRole('row').first().click();
  await expect(page.getByRole('region', { name: 'Bytes of the record' })).toBeVisible();
  await expectAccessibleInThemes(page);
});

test('axe finds nothing in a plan, in its confirmation, in what was found, and in the palette', async ({
  sample
}) => {
  const { page, show } = sample;
  await show('Scavenge');
  await page.getByRole('button', { name: 'Make the plan' }).click();
  const remove = page.getByRole('button', { name: /^Remove/ });
  await expect(remove).toBeVisible();
  await expectAccessibleInThemes(page);
  await remove.click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectAccessibleInThemes(page);
  await page.keyboard.press('Escape');
  await show('Check and repair');
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await expect(page.getByText(/^No damage found/)).toBeVisible();
  await expectAccessibleInThemes(page);
  await page.keyboard.press('Control+K');
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeVisible();
  await expectAccessibleInThemes(page);
  await page.keyboard.press('Escape');
});

test('views and their rows are reached and chosen by keys alone, with a ring around what has the focus', async ({
  sample
}) => {
  const { page, show } = sample;
  await show('Overview');
  await page.getByRole('tab', { name: 'Overview' }).focus();
  await pressUntil(page, 'ArrowDown', async () => (await focusedText(page)).startsWith('Streams'));
  const ring = await page.evaluate(() => {
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement!);
    return `${outlineStyle} ${outlineWidth}`;
  });
  expect(ring).toBe('solid 2px');
  await page.keyboard.press('Enter');
  const isInGrid = () =>
    page.evaluate(
      () =>
        document.activeElement?.closest('[role=grid]') !== null && document.activeElement !== document.body
    );
  await expect(page.getByRole('searchbox')).toBeVisible();
  await expect(page.getByRole('grid', { name: 'Streams' }).getByRole('row').first()).toBeVisible();
  await pressUntil(page, 'Tab', isInGrid);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('grid', { name: 'Events, as a reader sees them' })).toBeVisible();
});
