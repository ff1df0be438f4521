/** Events taken out as a file, streams as a new database, and a support bundle, in a real window over the sample database. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runWinnow } from '../main/cli/run-winnow.ts';
import { expectAccessibleInThemes } from './axe.ts';
import { answerOpenDialog } from './file-dialogs.ts';
import { expect, test } from './fixtures.ts';

async function winnow(home: string, ...words: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runWinnow(words, { environment: { WINNOW_HOME: home } });
  expect(exitCode, stderr).toBe(0);
  return stdout;
}

const streamsIn = (file: string): Set<string> =>
  new Set(
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { stream: string }).stream)
  );

test.use({ sampleSize: 'small' });

test('events of a category become a file in a chosen folder, and a bundle holds none of their names', async ({
  sample,
  home
}) => {
  test.slow();
  const { app, page, show } = sample;
  const output = path.join(home, 'given-away');
  mkdirSync(output);
  await answerOpenDialog(app, output);

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
  await expect(events.getByText(/events extracted; all of the log/)).toBeVisible();
  const [file] = readdirSync(output);
  expect(file).toMatch(/^sample-events-\d{4}-\d\d-\d\d\.jsonl$/);
  const lines = readFileSync(path.join(output, file!), 'utf8').trimEnd().split('\n');
  const streams = new Set(lines.map((line) => (JSON.parse(line) as { stream: string }).stream));
  expect([...streams].every((stream) => stream.startsWith('account-'))).toBe(true);
  await expect(events.getByText(lines.length.toLocaleString('en-US'), { exact: true })).toBeVisible();

  const bundle = page.getByRole('region', { name: 'Support bundle' });
  await bundle.getByRole('checkbox', { name: 'Headers only' }).click();
  await bundle.getByRole('button', { name: 'Make the bundle' }).click();
  await expect(bundle.getByText(/^The bundle is made: /)).toBeVisible();
  const made = readdirSync(output).find((name) => /^sample-bundle-[\d-]+$/.test(name))!;
  const chunk = readFileSync(path.join(output, made, 'chunk-000000.000000'));
  expect([...streams].some((stream) => chunk.includes(stream))).toBe(false);
  expect(existsSync(path.join(output, `${made}.key`))).toBe(true);
  expect(existsSync(path.join(output, `${made}.tar.zst`))).toBe(true);
  await expectAccessibleInThemes(page);
});

test('streams of an encrypted backup become a new database, and its events a file', async ({
  sample,
  home
}) => {
  test.slow();
  const { app, page, show, directory } = sample;
  const [output, target, keyFile] = ['given-away', 'backups', 'own.key'].map((name) =>
    path.join(home, name)
  ) as [string, string, string];
  mkdirSync(output);
  await winnow(home, 'backup', 'key', keyFile);
  const create = ['backup', 'create', directory, '--mode', 'full', '--compress', '--key-file', keyFile];
  await winnow(home, ...create, '--to', target, '--yes');
  const choose = (file: string): Promise<void> => answerOpenDialog(app, file);
  await choose(target);
  await show('Backups');
  await page.getByRole('button', { name: 'Choose a directory…' }).click();
  await page
    .getByRole('grid', { name: 'Backups in this directory' })
    .getByRole('row')
    .first()
    .click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Extract events…' }).click();
  await expect(page.getByRole('combobox', { name: 'Source' })).toHaveValue(/^\d{8}T/);
  await choose(keyFile);
  const opening = page.getByRole('region', { name: 'encrypted' });
  await opening.getByRole('button', { name: 'Key file…' }).click();
  await choose(output);
  await page.getByRole('button', { name: 'Choose a folder…' }).click();

  const streams = page.getByRole('region', { name: 'Export streams' });
  await expect(streams.getByRole('button', { name: 'Plan the export' })).toBeDisabled();
  await streams.getByLabel('Categories').fill('account');
  await streams.getByRole('button', { name: 'Plan the export' }).click();
  const plan = streams.getByRole('region', { name: 'Plan of the export' });
  await expect(plan).toContainText(/of chunk files, to position/);
  expect(readdirSync(output)).toEqual([]);
  await expectAccessibleInThemes(page);
  await plan.getByRole('button', { name: 'Make the new database' }).click();
  await expect(streams.getByText(/^The new database has [\d,]+ events/)).toBeVisible();
  await expectAccessibleInThemes(page);
  const made = path.join(
    output,
    readdirSync(output).find((name) => /^sample-export-[\d-]+$/.test(name))!
  );
  await winnow(home, 'verify', made);

  const events = page.getByRole('region', { name: 'Extract events' });
  await events.getByLabel('Categories').fill('account');
  await events.getByRole('button', { name: 'Extract', exact: true }).click();
  await expect(events.getByText(/events extracted; all of the log/)).toBeVisible();
  const file = path.join(
    output,
    readdirSync(output).find((name) => name.endsWith('.jsonl'))!
  );
  await winnow(home, 'extract', made, '--category', 'account', '--to', path.join(home, 'again.jsonl'));
  expect(streamsIn(path.join(home, 'again.jsonl'))).toEqual(streamsIn(file));
  expect(streamsIn(file).size).toBeGreaterThan(1);
});

test('a bundle has the key, the table of names and the configuration that were chosen', async ({
  sample,
  home
}) => {
  test.slow();
  const { app, page } = sample;
  const output = path.join(home, 'given-away');
  const [keyFile, configuration] = ['names.key', 'server.conf'].map((name) => path.join(home, name)) as [
    string,
    string
  ];
  mkdirSync(output);
  writeFileSync(keyFile, `${'5a'.repeat(32)}\n`);
  writeFileSync(configuration, 'ClusterSize: 3\nDefaultAdminPassword: hunter2\n');
  const choose = async (name: string, file: string): Promise<void> => {
    await answerOpenDialog(app, file);
    await page.getByRole('button', { name }).click();
  };
  await page.keyboard.press('Control+K');
  await page.getByRole('dialog').getByRole('combobox').fill('Make a support bundle');
  await page.keyboard.press('Enter');
  await choose('Choose a folder…', output);
  await choose('Choose a key…', keyFile);
  await choose('Choose a file…', configuration);
  const bundle = page.getByRole('region', { name: 'Support bundle' });
  await bundle.getByRole('checkbox', { name: 'Headers only' }).click();
  await bundle.getByRole('checkbox', { name: 'Also the table of names' }).click();
  await expectAccessibleInThemes(page);
  await bundle.getByRole('button', { name: 'Make the bundle' }).click();
  await expect(bundle.getByText(/^The bundle is made: /)).toBeVisible();
  const made = readdirSync(output).find((name) => /^sample-bundle-[\d-]+$/.test(name))!;
  const copy = readFileSync(path.join(output, made, 'configuration.yaml'), 'utf8');
  expect(copy).toContain('ClusterSize: 3');
  expect(copy).not.toContain('hunter2');
  expect(readFileSync(path.join(output, `${made}.names.jsonl`), 'utf8')).toContain('"account-');
  expect(existsSync(path.join(output, `${made}.key`))).toBe(false);
  await expect(bundle.getByText(keyFile, { exact: true }).last()).toBeVisible();
});
