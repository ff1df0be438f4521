/** Backups encrypted for other keys in a real window: what opens them before and after, and what refuses. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runWinnow } from '../main/cli/run-winnow.ts';
import { expectAccessibleInThemes } from './axe.ts';
import { answerOpenDialog } from './file-dialogs.ts';
import { expect, test } from './fixtures.ts';

test.use({ sampleSize: 'small' });

test('the backups of a directory are encrypted for the keys of a team, which open them from then on', async ({
  sample,
  home
}) => {
  test.slow();
  const { app, page, show, directory } = sample;
  const at = (name: string): string => path.join(home, name);
  const winnow = (...words: string[]) => runWinnow(words, { environment: { WINNOW_HOME: home } });
  const done = async (...words: string[]): Promise<string> => {
    const { exitCode, stdout, stderr } = await winnow(...words);
    expect(exitCode, stderr).toBe(0);
    return stdout;
  };
  for (const name of ['old.key', 'anna.key', 'ben.key']) await done('backup', 'key', at(name));
  const publicKeys = ['anna.key', 'ben.key'].map(
    (name) => /age1[0-9a-z]+/.exec(readFileSync(at(name), 'utf8'))![0]
  );
  writeFileSync(at('team.pub'), `${publicKeys.join('\n')}\n`);
  const target = at('backups');
  await done('backup', 'create', directory, '--to', target, '--yes', '--key-file', at('old.key'));
  const { backups } = JSON.parse(await done('backup', 'list', target, '--json')) as {
    backups: { id: string }[];
  };
  const rows = page.getByRole('grid', { name: 'Backups in this directory' }).getByRole('row');
  await answerOpenDialog(app, target);
  await show('Backups');
  await page.getByRole('button', { name: 'Choose a directory…' }).click();
  await expect(rows).toHaveCount(1);

  const form = page.getByRole('form', { name: 'Encrypt backups for other keys' });
  const plan = page.getByRole('region', { name: 'Plan of the encryption' });
  await test.step('a file without keys is refused, and so is a plan without the old key', async () => {
    await rows.first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Encrypt backups for other keys…' }).click();
    await expect(form.getByRole('button', { name: 'Plan the encryption' })).toBeDisabled();
    writeFileSync(at('empty.pub'), '# nobody\n');
    await answerOpenDialog(app, at('empty.pub'));
    await form.getByRole('button', { name: 'Choose a key file…' }).click();
    await form.getByRole('button', { name: 'Plan the encryption' }).click();
    await expect(page.getByRole('alert')).toContainText('empty.pub');
    await page.getByRole('button', { name: 'Close', exact: true }).click();

    await rows.first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Encrypt backups for other keys…' }).click();
    await answerOpenDialog(app, at('team.pub'));
    await form.getByRole('button', { name: 'Choose a key file…' }).click();
    await expectAccessibleInThemes(page);
    await form.getByRole('button', { name: 'Plan the encryption' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'no key was given' })).toBeVisible();
  });

  await test.step('with the old key the plan names both new ones, and the run ends with the old one out', async () => {
    await answerOpenDialog(app, at('old.key'));
    await page
      .getByRole('region', { name: 'encrypted' })
      .first()
      .getByRole('button', { name: /key file/i })
      .click();
    await expect(plan).toContainText('1 backup');
    for (const key of publicKeys) await expect(plan).toContainText(key);
    await expectAccessibleInThemes(page);
    await page.getByRole('button', { name: 'Encrypt for these keys…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Encrypt for these keys' }).click();
    await expect(page.getByText('Encrypted again and read back: 1 backup.')).toBeVisible();
    await expect(
      page.getByText('The old keys open none of the backups in this directory any more.')
    ).toBeVisible();
    await expect(page.getByText(new RegExp(`^${backups[0]!.id} is now `))).toBeVisible();
    await expectAccessibleInThemes(page);
  });

  const restore = (key: string) =>
    winnow('restore', target, '--to', at(`restored-${key}`), '--key-file', at(key), '--yes', '--quiet');
  expect((await restore('old.key')).exitCode).toBe(14);
  expect((await restore('ben.key')).exitCode).toBe(0);
  await done('verify', at('restored-ben.key'), '--quiet');
});
