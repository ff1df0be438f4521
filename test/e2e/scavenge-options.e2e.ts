/** Options of a scavenge that are set in the window, and their effect in the run: the time to stop, the engine's own; and the plan as files. */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, readSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { runWinnow } from '../main/cli/run-winnow.ts';
import { expectAccessibleInThemes } from './axe.ts';
import { answerSaveDialog } from './file-dialogs.ts';
import { expect, test } from './fixtures.ts';

async function startPlanned(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Make the plan/ }).click();
  await page.getByRole('button', { name: /^Remove/ }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Remove/ })
    .click();
}

test('a run stops at the time that was given, says what is left, and leaves a sound database to be resumed', async ({
  sample
}) => {
  const { app, page, show } = sample;
  await show('Scavenge');
  // So slow that it would take an hour.
  await page.getByLabel('Speed', { exact: true }).fill('1');
  await page.getByRole('button', { name: /^Make the plan/ }).click();
  await expect(page.getByRole('button', { name: /^Remove/ })).toBeVisible();
  await page
    .getByRole('navigation', { name: 'Steps of the scavenge' })
    .getByRole('button', { name: 'Options' })
    .click();
  // Of this machine's zone, and a minute that is not yet over when the run begins.
  const at = new Date(Date.now() + 75_000);
  at.setSeconds(0, 0);
  const time = [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
  await page.getByLabel('Stop at').fill(time);
  await expect(page.getByText(/^Stops \d{4}-/)).toBeVisible();
  await expectAccessibleInThemes(page);
  await startPlanned(page);
  await expect(page.getByRole('region', { name: 'Run', exact: true })).toBeVisible();

  const result = page.getByRole('region', { name: 'Result', exact: true });
  await expect(result.getByText('The scavenge was stopped.')).toBeVisible();
  expect(Date.now()).toBeGreaterThanOrEqual(at.getTime());
  expect(Date.now() - at.getTime()).toBeLessThan(30_000);
  await expect(result.getByText(/It stopped at .*, as asked\./)).toBeVisible();
  await expect(result.getByRole('table', { name: 'Expected and actual' })).toBeVisible();
  await expect(result.getByRole('button', { name: 'Verify now' })).toBeVisible();
  await app.evaluate(({ dialog }) => {
    dialog.showMessageBox = (() =>
      Promise.resolve({ response: 0 })) as unknown as typeof dialog.showMessageBox;
  });
  // The time belonged to that run: the one that resumes it is not stopped by it.
  await result.getByRole('button', { name: 'Resume scavenge' }).click();
  const speed = page.getByRole('region', { name: 'Run', exact: true }).getByLabel('Speed now');
  await speed.fill('100');
  await speed.press('Enter');
  await expect(page.getByText('The scavenge is complete.')).toBeVisible();
  await page
    .getByRole('region', { name: 'Result', exact: true })
    .getByRole('button', { name: 'Verify now' })
    .click();
  await expect(page.getByText(/^No damage found/)).toBeVisible();
});

test('the folded options reach the engine, and the plan is saved as files', async ({ sample }) => {
  test.slow();
  const { app, page, show, home, directory } = sample;
  await show('Scavenge');
  await page.getByLabel('Threads').fill('2');
  await page.locator('summary', { hasText: 'More options' }).click();
  await page.getByLabel('At most', { exact: true }).fill('500');
  await page.getByLabel('Stop after').selectOption({ label: 'Calculation' });
  await page.getByLabel('Cache of the state').fill('64');
  await page.getByLabel('Page size of the state').fill('32');
  await page.getByLabel('Stream hashes remembered').fill('1234');
  await page.getByLabel('History kept').fill('30');
  await expectAccessibleInThemes(page);
  await page.getByRole('button', { name: /^Make the plan/ }).click();
  await expect(page.getByRole('button', { name: /^Remove/ })).toBeVisible();

  const saved = path.join(home, 'saved');
  mkdirSync(saved);
  for (const [tab, by] of [
    ['By rule', 'rule'],
    ['By category', 'category'],
    ['By stream', 'stream']
  ] as const) {
    await page.getByRole('tab', { name: tab }).click();
    for (const form of ['csv', 'json'] as const) {
      const file = path.join(saved, `${by}.${form}`);
      await answerSaveDialog(app, file);
      await page.getByRole('button', { name: `Export ${form.toUpperCase()}…` }).click();
      await expect.poll(() => existsSync(file)).toBe(true);
      const text = readFileSync(file, 'utf8');
      if (form === 'json') expect(JSON.parse(text)).toBeTruthy();
      else expect(text.trimEnd().split(/\r?\n/).length).toBeGreaterThan(1);
    }
  }

  await page.getByRole('button', { name: /^Remove/ }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Remove/ })
    .click();
  const result = page.getByRole('region', { name: 'Result', exact: true });
  await expect(result.getByText('The scavenge was stopped.')).toBeVisible();
  const phases = result.getByRole('list', { name: 'Time per phase' }).getByRole('listitem');
  await expect(phases.last()).toContainText('Calculation');

  const state = openSync(path.join(directory, 'index', 'scavenging', 'scavenging.db'), 'r');
  const header = Buffer.alloc(18);
  readSync(state, header, 0, 18, 0);
  closeSync(state);
  expect(header.readUInt16BE(16)).toBe(32 * 1024);
  const recorded = readFileSync(path.join(home, 'activity.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { operation: string; options: Record<string, unknown> });
  expect(recorded.find(({ operation }) => operation === 'runScavenge')?.options).toMatchObject({
    threads: 2,
    bytesPerSecond: 500 * 1024 * 1024,
    stopAfter: 'calculation',
    cacheSizeBytes: 64 * 1024 * 1024,
    pageSize: 32,
    hashUsersCacheCapacity: 1234
  });
});

test('a run judges ages as of the effective time that was given', async ({ sample }) => {
  test.slow();
  const { page, show, home, directory } = sample;
  await show('Scavenge');
  await page.locator('summary', { hasText: 'More options' }).click();
  await page.getByRole('textbox', { name: 'Effective time' }).fill('2026-06-30');
  await page.getByLabel('Time of day').fill('05:30');
  await startPlanned(page);
  const result = page.getByRole('region', { name: 'Result', exact: true });
  await expect(page.getByText('The scavenge is complete.')).toBeVisible();
  await expect(result.getByRole('button', { name: 'Verify now' })).toBeVisible();
  const asked = new Date('2026-06-30T05:30').toISOString();
  const recorded = readFileSync(path.join(home, 'activity.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { operation: string; options: Record<string, unknown> });
  expect(recorded.find(({ operation }) => operation === 'runScavenge')?.options['now']).toBe(asked);
  const inspected = await runWinnow(['inspect', directory, '--json'], { environment: { WINNOW_HOME: home } });
  const { scavengePoints } = JSON.parse(inspected.stdout) as { scavengePoints: { effectiveNow: string }[] };
  expect(scavengePoints.map(({ effectiveNow }) => new Date(effectiveNow).toISOString())).toEqual([asked]);
});

test('a plan in a maintenance window says what each night does, and when it is through', async ({
  sample
}) => {
  const { page, show } = sample;
  await show('Scavenge');
  await page.getByLabel('Maintenance window from').fill('02:00');
  await page.getByLabel('to', { exact: true }).fill('02:20');
  const pictures = process.env['WINDOW_PICTURES'];
  const picture = async (name: string): Promise<void> => {
    if (pictures === undefined) return;
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      for (const [width, height] of [
        [1280, 800],
        [1920, 1080]
      ] as const) {
        await page.setViewportSize({ width, height });
        await page.screenshot({ path: path.join(pictures, `${name}-${scheme}-${width}.png`) });
      }
    }
  };
  await picture('window-options');
  await page.getByRole('button', { name: /^Make the plan/ }).click();
  const nights = page.getByRole('region', { name: 'Maintenance window' });
  await expect(nights.getByText(/^Through \d{4}-.*, in \d+ nights?\./)).toBeVisible();
  await expect(nights.getByRole('row')).not.toHaveCount(1);
  await picture('window-nights');
  await expectAccessibleInThemes(page);
});
