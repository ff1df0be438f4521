/** A window on a system that speaks German: its menu, its views in the smallest window, and another choice in Settings. */
import type { Page } from 'playwright-core';
import { lookAtPage, waitsFor } from '../campaign/window-tour/page-look.ts';
import { expect, test } from './fixtures.ts';

const GERMAN = { environment: { LANGUAGE: 'de' }, width: 1024, height: 640 };

const languageOf = (page: Page): Promise<string> => page.evaluate(() => document.documentElement.lang);

test('every view fits the smallest window in German', async ({ openWindow, sampleDirectory }) => {
  const { page } = await openWindow({ ...GERMAN, words: [sampleDirectory] });
  await expect(page.locator('.overview .health').getByText(/^in Ordnung, Stand/)).toBeVisible();
  const names = await page.getByRole('tab').allInnerTexts();
  expect(names).toContain('Wiederherstellen');
  for (const name of names) {
    await page.getByRole('tab', { name, exact: true }).click();
    await expect(page.locator('#view')).toHaveText(/\S/, { useInnerText: true });
    await expect.poll(() => waitsFor(page)).toBe('');
    await expect.poll(() => lookAtPage(page), name).toEqual([]);
  }
});

test('the language of the system is shown, and another one that is chosen is kept', async ({
  openWindow
}) => {
  const german = await openWindow(GERMAN);
  const labels = (): Promise<(string | undefined)[]> =>
    german.app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.map(({ label }) => label) ?? []);
  expect(await languageOf(german.page)).toBe('de');
  await expect(german.page.getByRole('heading', { name: 'Datenbank öffnen' })).toBeVisible();
  expect(await labels()).toContain('&Ansicht');
  await german.page.keyboard.press('Control+,');
  await german.page.getByRole('combobox', { name: 'Sprache' }).selectOption('English');
  await expect(german.page.getByRole('combobox', { name: 'Language' })).toHaveValue('en');
  expect(await languageOf(german.page)).toBe('en');
  await expect.poll(labels).toContain('&View');
  await german.close();
  const again = await openWindow(GERMAN);
  expect(await languageOf(again.page)).toBe('en');
});
