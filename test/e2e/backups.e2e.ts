/**
 * Backups by the buttons of the window: a directory chosen, a backup taken, verified and rehearsed, the database
 * scavenged, the backup restored over it, and the files the same as before. The dialog of the system is answered by
 * the test.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { S3_BUCKET, S3_ENVIRONMENT, startS3Server, type S3Server } from '../support/s3-server.ts';
import { expectAccessibleInThemes } from './axe.ts';
import { answerOpenDialog } from './file-dialogs.ts';
import { expect, test as base, type SampleWindow } from './fixtures.ts';

const test = base.extend<{ store: S3Server }>({
  // eslint-disable-next-line no-empty-pattern
  store: async ({}, use) => {
    const store = await startS3Server();
    await use(store);
    await store.remove();
  }
});

/** SHA-256 of each chunk file, by name. */
function chunkHashes(directory: string): Map<string, string> {
  const names = readdirSync(directory).filter((name) => name.startsWith('chunk-'));
  return new Map(
    names.sort().map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(path.join(directory, name)))
        .digest('hex')
    ])
  );
}

const rowsOf = (page: Page) => page.getByRole('grid', { name: 'Backups in this directory' }).getByRole('row');

/** A new directory beside the database, chosen for its backups in the dialog of the system. */
async function chooseDirectory({ app, page, show, home }: SampleWindow): Promise<string> {
  const backups = path.join(home, 'backups');
  mkdirSync(backups);
  await answerOpenDialog(app, backups);
  await show('Backups');
  await page.getByRole('button', { name: 'Choose a directory…' }).click();
  await expect(page.getByText('There are no backups in this directory yet.')).toBeVisible();
  return backups;
}

test.use({ sampleSize: 'small' });

test('a directory for backups is chosen in a dialog and remembered', async ({ sample }) => {
  const { page } = sample;
  const backups = await chooseDirectory(sample);
  await page.reload();
  await expect(page.locator('html[data-ready=true]')).toBeVisible();
  await expect(page.getByText(backups, { exact: true })).toBeVisible();
});

test('a backup is taken, verified and rehearsed, and restored over the scavenged database', async ({
  sample
}) => {
  const { page, show, directory } = sample;
  const rows = rowsOf(page);
  const before = chunkHashes(directory);
  await chooseDirectory(sample);
  /** How many the plan says that the backup copies. */
  let plannedFiles = '';

  await test.step('a full backup shows its plan, is taken, and stands in the catalogue', async () => {
    await page.getByRole('combobox', { name: 'Backup kind' }).selectOption('full');
    await page.getByRole('button', { name: 'Plan a backup' }).click();
    const copy = page.getByRole('button', { name: /^Copy [\d.]+ MiB$/ });
    await expect(copy).toBeVisible();
    const planned = await page.getByRole('region', { name: 'Backup plan' }).innerText();
    plannedFiles = /Files\s+([\d,]+)/.exec(planned)![1]!;
    await copy.click();
    await expect(page.getByText(/^The backup \S+ is complete\.$/)).toBeVisible();
    await expect(rows).toHaveCount(1);
    await expect(rows.first()).toHaveText(/full[\s\S]*not yet/, { useInnerText: true });
  });

  await test.step('it is verified and rehearsed, and the catalogue says so', async () => {
    await page.getByRole('button', { name: 'Verify new backup' }).click();
    await expect(page.getByText('The backup is intact.')).toBeVisible();
    await rows.first().click();
    await expect(page.getByText(`${plannedFiles} files, `).first()).toBeVisible();
    await page.getByRole('button', { name: 'Rehearse backup', exact: true }).click();
    await expect(page.getByText(/^The rehearsal passed/)).toBeVisible();
    await expect(rows.locator('.signed.ok').nth(1)).toBeVisible();
  });

  await test.step('a backup after a scavenge is differential, and the older one can be pruned in the plan', async () => {
    await show('Scavenge');
    await page.getByRole('button', { name: 'Make the plan' }).click();
    await page.getByRole('button', { name: /^Remove/ }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Remove/ })
      .click();
    await expect(page.getByText('The scavenge is complete.')).toBeVisible();
    expect(chunkHashes(directory)).not.toEqual(before);
    await show('Backups');
    await page.getByRole('button', { name: 'Plan a backup' }).click();
    await page.getByRole('button', { name: /^Copy [\d.]+ MiB$/ }).click();
    await expect(page.getByText(/^The backup \S+ is complete\.$/)).toBeVisible();
    await expect(rows.nth(1)).toBeVisible();
    await expect(rows.first()).toContainText('differential', { useInnerText: true });
    await page.getByRole('spinbutton', { name: 'the last' }).fill('1');
    await page.getByRole('spinbutton', { name: 'weekly' }).fill('0');
    await page.getByRole('spinbutton', { name: 'monthly' }).fill('0');
    await page.getByRole('button', { name: 'Plan pruning' }).click();
    await expect(page.getByText(/^Would keep 1, remove 1 and free /)).toBeVisible();
    await page.getByRole('button', { name: 'Discard plan' }).click();
    await expect(page.getByRole('region', { name: 'Pruning plan' })).toHaveCount(0);
  });

  await test.step('the older backup is restored over the scavenged database, after its plan and a confirmation', async () => {
    await rows.nth(1).click();
    await page.getByRole('button', { name: 'Restore backup…' }).click();
    await page.getByText('Truncate the log during the restore').click();
    await page.getByRole('button', { name: /this node/ }).click();
    const plan = page.getByRole('region', { name: 'Restore plan' });
    await expect(plan.getByText(/^a log that ends at [\d,]+$/)).toBeVisible();
    const aside = /\S+before-restore-\S+/.exec(await plan.innerText())![0];
    await page.getByRole('button', { name: 'Replace sample…' }).click();
    const dialog = page.getByRole('alertdialog');
    expect(await dialog.innerText()).toMatch(/nothing is deleted/);
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await dialog.getByRole('button', { name: 'Replace sample' }).click();
    await expect(page.getByText('The backup was restored.')).toBeVisible();
    expect(existsSync(aside)).toBe(true);
    await expect(page.getByText(aside)).toBeVisible();
    expect(chunkHashes(directory)).toEqual(before);
  });

  await test.step('the full backup that is advised then is taken by its button', async () => {
    await page.getByRole('button', { name: 'Take a full backup' }).click();
    await expect(page.getByText(/^The backup \S+ is complete\.$/)).toBeVisible();
    await expect(rows.nth(2)).toBeVisible();
    await expect(rows.first()).toContainText('full', { useInnerText: true });
  });

  await test.step('backups of one hour are one mark with their number, and a click goes to the next', async () => {
    const timeline = page.getByRole('img', { name: 'Backups over time' });
    await expect(timeline.locator('.number')).toHaveText(['3']);
    await expect(timeline.locator('g.whole')).toHaveCount(0);
    const selected = page
      .getByRole('grid', { name: 'Backups in this directory' })
      .locator('[aria-selected=true]');
    const seen = new Set<string>();
    for (let click = 0; click < 3; click++) {
      await timeline.locator('rect').dispatchEvent('click');
      await expect.poll(async () => seen.has(await selected.innerText())).toBe(false);
      seen.add(await selected.innerText());
    }
  });

  await test.step('the restored database is whole', async () => {
    await show('Check and repair');
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await expect(page.getByText(/^No damage found/)).toBeVisible();
  });
});

test('a schedule takes backups while the window is open, removes older ones, and says what it missed and what failed', async ({
  sample
}) => {
  test.slow();
  const { app, page } = sample;
  const backups = await chooseDirectory(sample);
  const rows = rowsOf(page);
  const names = () => readdirSync(backups).filter((name) => /^\d{8}T/.test(name));
  const setClockOnBy = (days: number) =>
    app.evaluate((_electron, ms) => {
      const before = Date.now.bind(Date);
      Date.now = () => before() + ms;
    }, days * 86_400_000);

  await page.getByRole('button', { name: 'No schedule yet' }).click();
  const panel = page.getByRole('region', { name: 'Schedule of backups' });
  await panel.getByRole('spinbutton', { name: 'the last' }).fill('1');
  await panel.getByRole('spinbutton', { name: 'daily' }).fill('0');
  await expect(panel.getByRole('img', { name: 'Backups of the coming week: 7 backups' })).toBeVisible();
  await expectAccessibleInThemes(page);
  await panel.getByRole('button', { name: 'Set the schedule' }).click();
  await expect(page.getByRole('button', { name: 'At 01:00, keep the last 1' })).toBeVisible();

  await setClockOnBy(1);
  await expect(rows).toHaveCount(1);
  await expect(page.getByText('Every byte of it was verified.')).toBeVisible();
  const [first] = names();

  await setClockOnBy(3);
  await expect(page.getByText(/after 2 missed times$/)).toBeVisible();
  await expect.poll(names).not.toContain(first);
  expect(names()).toHaveLength(1);

  renameSync(backups, `${backups}-away`);
  writeFileSync(backups, '');
  await setClockOnBy(1);
  await expect(page.getByText(/^last one failed: /)).toBeVisible();
  await page.getByRole('button', { name: 'At 01:00, keep the last 1' }).click();
  await expect(panel.getByText(/^The last one failed at /)).toBeVisible();
  await expectAccessibleInThemes(page);
  expect(readdirSync(`${backups}-away`).filter((name) => /^\d{8}T/.test(name))).toHaveLength(1);
});

test('backups are kept in an object store by its name, compressed where that is wanted', async ({
  store,
  openSample
}) => {
  const { page, show } = await openSample({ environment: S3_ENVIRONMENT });
  await show('Backups');
  await page.getByRole('button', { name: 'Object store…' }).click();
  await page.getByLabel('Location').fill(`s3://${S3_BUCKET}/sample`);
  await page.getByLabel('Endpoint').fill(store.endpoint);
  await expectAccessibleInThemes(page);
  await page.getByRole('button', { name: 'Use this store' }).click();
  await expect(page.getByText(`s3://${S3_BUCKET}/sample`, { exact: true })).toBeVisible();
  await expect(page.getByText('There are no backups in this directory yet.')).toBeVisible();
  await page.getByLabel('Compress').check();
  await page.getByRole('button', { name: 'Plan a backup' }).click();
  await page.getByRole('button', { name: /^Copy [\d.]+ MiB$/ }).click();
  await expect(page.getByText(/^The backup \S+ is complete\.$/)).toBeVisible();
  await expect(rowsOf(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Verify new backup' }).click();
  await expect(page.getByText('The backup is intact.')).toBeVisible();
});
