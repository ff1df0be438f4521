/** The explain panel over a real database: from a chunk, a stream and an event, by mouse and by keyboard. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAxe } from './axe.ts';
import { createSample, launchWindow, type ElectronWindow } from './electron-window.ts';
import { soon } from './soon.ts';

const LONG = { timeout: 60_000 };
let window: ElectronWindow;

beforeAll(async () => {
  window = await launchWindow();
  await createSample(window);
});
afterAll(() => window.close());

/** Under axe, in both themes. */
async function expectAccessible(): Promise<void> {
  const { page } = window;
  for (const theme of ['light', 'dark'] as const) {
    // The driver's own idea of the system's colours comes before that of the application.
    await page.emulateMedia({ colorScheme: theme });
    // Colours change over a moment; axe would measure one in between.
    await soon(() => page.evaluate(() => document.getAnimations().length)).toBe(0);
    expect((await runAxe(page)).faults, theme).toEqual([]);
  }
}

test('a chunk tells whether it is rewritten, and its records by rule', async () => {
  const { page, show } = window;
  await show('Chunks');
  await page.locator('[data-chunk="3"]').click();
  await page.getByRole('button', { name: 'Why kept?' }).click(LONG);
  const panel = page.getByRole('complementary', { name: 'Explain' });
  await panel
    .getByText(/^Chunk 3 has weight [\d]+, above the threshold of 0: \d+ of its records are removed\.$/)
    .waitFor(LONG);
  await soon(() =>
    panel.getByRole('table', { name: 'Records by rule' }).getByRole('row').count()
  ).toBeGreaterThan(3);
  await expectAccessible();
});

test('an event of a stream tells its rule, its chain, and until when, by keyboard alone', async () => {
  const { page, show, problems } = window;
  await show('Streams');
  await page.getByRole('searchbox').fill('metrics');
  await page.getByRole('row', { name: /^metrics/ }).click(LONG);
  await page.getByRole('button', { name: 'Why kept?' }).focus();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary', { name: 'Explain' });
  const ranges = panel.getByRole('list', { name: 'Events by number' });
  await ranges.getByText(/^\$maxAge of 2 days discards them/).waitFor(LONG);
  await expectAccessible();
  const first = ranges.getByRole('button').first();
  await first.focus();
  await page.keyboard.press('Enter');
  await panel.getByRole('heading', { name: 'Event 0 of metrics' }).waitFor(LONG);
  await panel
    .getByText(/^\$maxAge of 2 days discards it since/)
    .first()
    .waitFor(LONG);
  await soon(() => panel.getByRole('listitem').count()).toBe(5);
  await expectAccessible();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached', ...LONG });
  expect(problems).toEqual([]);
});
