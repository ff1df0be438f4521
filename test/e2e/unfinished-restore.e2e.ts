/** Restores whose process was killed at different steps, and the buttons of the window that finish or undo them. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { RestorePhase } from '../../src-core/restore/restore-journal.ts';
import { NodeRegistry } from '../../src-main/settings/node-registry.ts';
import { unpackDatabase } from '../support/golden.ts';
import { expectAccessibleInThemes } from './axe.ts';
import { expect, test } from './fixtures.ts';

/** Loaded before the command: once the journal says the phase, the process ends at its next flush but one. */
function killingIn(phase: RestorePhase): string {
  const code = `
    import fs from 'node:fs';
    const { renameSync, fsyncSync } = fs;
    let left = Infinity;
    const count = () => { if (--left < 0) process.kill(process.pid, 'SIGKILL'); };
    fs.renameSync = (from, to) => {
      renameSync(from, to);
      if (String(to).endsWith('winnow-restore.json') && JSON.parse(fs.readFileSync(to)).phase === '${phase}') left = 1;
    };
    fs.fsyncSync = (descriptor) => { fsyncSync(descriptor); count(); };`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

/** What a server would read, by path, with its hash; not what a restore leaves beside it. */
function contentOf(directory: string): Record<string, string> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(directory, path.join(parentPath, name)))
    .filter(
      (name) => /^(chunk-|(writer|epoch)\.chk|index\/[^/]+$)/.test(name) && !name.includes('before-restore')
    );
  return Object.fromEntries(
    files.sort().map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(path.join(directory, name)))
        .digest('hex')
    ])
  );
}

const CASES = [
  { phase: 'copying', way: 'Finish the restore', says: 'The old database is unchanged so far.' },
  { phase: 'copying', way: 'Put the old files back', says: 'The old database is unchanged so far.' },
  { phase: 'movingAside', way: 'Put the old files back', says: 'a server refuses to start here' },
  { phase: 'movingIn', way: 'Finish the restore', says: 'a server refuses to start here' },
  { phase: 'movingIn', way: 'Put the old files back', says: 'a server refuses to start here' },
  { phase: 'finishing', way: 'Finish the restore', says: 'only the last step is missing' }
] as const;

test('a restore that was killed is finished, or the old files are put back, by the buttons of the window', async ({
  home,
  openWindow
}) => {
  test.slow();
  const winnow = (words: string[], hook: string[] = []) =>
    spawnSync(process.execPath, [...hook, 'out/main/cli.js', ...words], {
      encoding: 'utf8',
      env: { ...process.env, WINNOW_HOME: home }
    });
  const unpacked = unpackDatabase({ name: 'rules', folder: 'before' });
  const source = unpackDatabase({ name: 'plain', folder: 'after' });
  const target = path.join(home, 'backups');
  const made = winnow(['backup', 'create', source, '--to', target, '--yes']);
  expect(made.status, made.stderr).toBe(0);

  const registry = new NodeRegistry(home, Date.now);
  const nodes = CASES.map((entry, index) => {
    const name = `node-${index + 1}`;
    const directory = path.join(home, 'databases', name);
    mkdirSync(path.dirname(directory), { recursive: true });
    cpSync(unpacked, directory, { recursive: true });
    const killed = winnow(
      ['restore', target, '--to', directory, '--yes'],
      ['--import', killingIn(entry.phase)]
    );
    expect(killed.signal, killed.stderr).toBe('SIGKILL');
    const journal = readFileSync(path.join(directory, 'winnow-restore.json'), 'utf8');
    expect(JSON.parse(journal)).toMatchObject({ phase: entry.phase });
    registry.open({ dataDirectory: directory });
    return { ...entry, name, directory };
  });
  const [old, restored] = [contentOf(unpacked), contentOf(source)];
  expect(old).not.toEqual(restored);

  const { page, show } = await openWindow();
  for (const { name, directory, way, says, phase } of nodes) {
    await page
      .getByRole('navigation', { name: 'Nodes' })
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .click();
    await show('Overview');
    const notice = page.getByRole('region', { name: 'A restore of this directory is unfinished' });
    await expect(notice).toContainText(says);
    // Whatever else is wrong meanwhile is not for a repair.
    await expect(page.getByText(/^This node will not start/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Repair…' })).toHaveCount(0);
    await show('Check and repair');
    await expect(notice).toContainText(says);
    await expect(page.getByRole('button', { name: /^(Repair…|Plan a repair)$/ })).toHaveCount(0);

    if (phase === 'finishing')
      await expect(notice.getByRole('button', { name: 'Put the old files back' })).toHaveCount(0);
    if (name === 'node-1') await expectAccessibleInThemes(page);
    await notice.getByRole('button', { name: way }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: way }).click();
    const isUndone = way === 'Put the old files back';
    await expect(
      page.getByText(isUndone ? /^The restore was undone/ : 'The backup was restored.')
    ).toBeVisible();
    if (name === 'node-1' || name === 'node-2') await expectAccessibleInThemes(page);
    expect(contentOf(directory)).toEqual(isUndone ? old : restored);
    await show('Check and repair');
    await expect(page.getByText(/^This node will start/)).toBeVisible();
    await expect(notice).toHaveCount(0);
  }
});
