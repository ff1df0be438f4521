/**
 * Every view of the window under axe (WCAG 2.2 AA), light and dark, with content; and the ways that lead through it
 * without a mouse.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAxe } from './axe.ts';
import { createSample, launchWindow, type ElectronWindow } from './electron-window.ts';
import { soon } from './soon.ts';

let window: ElectronWindow;

beforeAll(async () => {
  window = await launchWindow();
});
afterAll(() => window.close());

async function expectNoFaults(): Promise<void> {
  const { page } = window;
  for (const theme of ['light', 'dark'] as const) {
    // The driver's own idea of the system's colours comes before that of the application.
    await page.emulateMedia({ colorScheme: theme });
    // Colours change over a moment; axe would measure one in between.
    await soon(() => page.evaluate(() => document.getAnimations().length)).toBe(0);
    const { faults, passes } = await runAxe(page);
    expect(faults, theme).toEqual([]);
    expect(passes).toBeGreaterThan(5);
  }
}

/** Presses a key until the focus is where it is wanted; fails when it never comes there. */
async function pressUntil(key: string, isThere: () => Promise<boolean>): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (await isThere()) return;
    await window.page.keyboard.press(key);
  }
  throw new Error(`60 times ${key} did not lead there`);
}

const focusedText = () => window.page.evaluate(() => document.activeElement?.textContent.trim() ?? '');

test('axe finds nothing on the first screen', async () => {
  await window.page.getByRole('button', { name: 'Open a data directory' }).waitFor();
  await expectNoFaults();
  await createSample(window);
});

test('axe finds nothing in any view of a node', async () => {
  const { page } = window;
  const tabs = page.getByRole('tab');
  const names = await tabs.allInnerTexts();
  expect(names.length).toBeGreaterThanOrEqual(8);
  for (const name of names) {
    await page.getByRole('tab', { name, exact: true }).click();
    await soon(() => page.locator('#view').innerText()).toMatch(/\S/);
    await expectNoFaults();
  }
}, 300_000);

test('axe finds nothing beside a chunk, its records and its bytes', async () => {
  const { page, show } = window;
  await show('Chunks');
  await page.locator('[data-chunk="3"]').click();
  await page.getByText('Lowest version a reader must know').waitFor();
  await expectNoFaults();
  await page.getByRole('button', { name: 'Show the records' }).click();
  await page.getByRole('grid').getByRole('row').nth(2).click();
  await page.getByRole('region', { name: 'Bytes of the record' }).waitFor();
  await expectNoFaults();
});

test('axe finds nothing beside a stream and its events', async () => {
  const { page, show } = window;
  await show('Streams');
  await page.getByRole('row', { name: /^metrics/ }).click();
  await page.getByRole('grid', { name: 'Events, as a reader sees them' }).getByRole('row').first().click();
  await page.getByRole('region', { name: 'Bytes of the record' }).waitFor();
  await expectNoFaults();
});

test('axe finds nothing in a plan, in its confirmation, in what was found, and in the palette', async () => {
  const { page, show } = window;
  await show('Scavenge');
  await page.getByRole('button', { name: 'Make the plan' }).click();
  const remove = page.getByRole('button', { name: /^Remove/ });
  await remove.waitFor({ timeout: 60_000 });
  await expectNoFaults();
  await remove.click();
  await page.getByRole('alertdialog').waitFor();
  await expectNoFaults();
  await page.keyboard.press('Escape');
  await show('Verify');
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await page.getByText(/^No damage found/).waitFor({ timeout: 60_000 });
  await expectNoFaults();
  await page.keyboard.press('Control+K');
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  await expectNoFaults();
  await page.keyboard.press('Escape');
});

test('views and their rows are reached and chosen by keys alone, with a ring around what has the focus', async () => {
  const { page, show } = window;
  await show('Overview');
  await page.getByRole('tab', { name: 'Overview' }).focus();
  await pressUntil('ArrowRight', async () => (await focusedText()).startsWith('Streams'));
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
  await page.getByRole('searchbox').waitFor();
  await pressUntil('Tab', isInGrid);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('grid', { name: 'Events, as a reader sees them' }).waitFor();
});
