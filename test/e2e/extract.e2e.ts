/** Events taken out as a file, and a support bundle, in a real window over the sample database. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expectAccessibleInThemes } from './axe.ts';
import { expect, test } from './fixtures.ts';

test('events of a category become a file in a chosen folder, and a bundle holds none of their names', async ({
  sample,
  home
}) => {
  test.slow();
  const { app, page, show } = sample;
  const output = path.join(home, 'given-away');
  mkdirSync(output);
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
  }, output);

  await show('Streams');
  await page.getByRole('button', { name: 'Categories' }).click();
  const row = page.getByRole('row', { name: /^account/ }).first();
  await row.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Extract events…' }).click();
  const events = page.getByRole('region', { name: 'Extract events' });
  await expect(events.getByLabel('Categories')).toHaveValue('account');
  await expect(events.getByRole('button', { name: 'Extract', exact: true })).toBeDisabled();
  await page.getByRole('button', { name: 'Choose a folder…' }).click();
  await expectAccessibleInThemes(page);
  await events.getByRole('button', { name: 'Extract', exact: true }).click();
  await expect(events.getByText(/events extracted; all of the log/)).toBeVisible({ timeout: 60_000 });
  const [file] = readdirSync(output);
  expect(file).toMatch(/^sample-events-\d{4}-\d\d-\d\d\.jsonl$/);
  const lines = readFileSync(path.join(output, file!), 'utf8').trimEnd().split('\n');
  const streams = new Set(lines.map((line) => (JSON.parse(line) as { stream: string }).stream));
  expect([...streams].every((stream) => stream.startsWith('account-'))).toBe(true);
  await expect(events.getByText(lines.length.toLocaleString('en-US'), { exact: true })).toBeVisible();

  const bundle = page.getByRole('region', { name: 'Support bundle' });
  await bundle.getByRole('checkbox', { name: 'Headers only' }).click();
  await bundle.getByRole('button', { name: 'Make the bundle' }).click();
  await expect(bundle.getByText(/^The bundle is made: /)).toBeVisible({ timeout: 120_000 });
  const made = readdirSync(output).find((name) => /^sample-bundle-[\d-]+$/.test(name))!;
  const chunk = readFileSync(path.join(output, made, 'chunk-000000.000000'));
  expect([...streams].some((stream) => chunk.includes(stream))).toBe(false);
  expect(existsSync(path.join(output, `${made}.key`))).toBe(true);
  expect(existsSync(path.join(output, `${made}.tar.zst`))).toBe(true);
  await expectAccessibleInThemes(page);
});
