/** The schedule of backups from the command line. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';
import { jsonOf, runWinnow } from './run-winnow.ts';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-schedule-'));
const winnow = (...words: string[]) =>
  runWinnow(['backup', 'schedule', ...words], { environment: { WINNOW_HOME: path.join(root, 'home') } });
afterAll(() => {
  removeUnpacked();
  fs.rmSync(root, { recursive: true, force: true });
});

it('is set, shown and removed, and refuses what is no time', async () => {
  const db = unpackDatabase({ name: 'plain', folder: 'after' });
  expect((await winnow(db)).stdout).toBe('There is no schedule.\n');
  expect((await winnow(db, '--every', 'nightly')).exitCode).toBe(2);
  const set = await winnow(
    db,
    '--every',
    '0 1 * * *',
    '--time-zone',
    'UTC',
    '--keep-daily',
    '7',
    '--to',
    root
  );
  expect(set.stdout).toMatch(/^0 1 \* \* \* \(UTC\), to .*\nnext {3}\S+T01:00:00/);
  const shown = jsonOf(await winnow(db, '--json'));
  expect(shown).toMatchObject({ target: root, schedule: { retention: { daily: 7 }, last: null } });
  expect((await winnow(db, '--off')).stdout).toBe('There is no schedule.\n');
});
