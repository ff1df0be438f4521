/** The schedule of backups from the command line. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { BACKUP_SCHEMAS } from '../../../src-main/contract/operations/backup-reports.ts';
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
  expect(BACKUP_SCHEMAS['backup-schedule'].parse(shown)).toMatchObject({
    target: root,
    schedule: { words: 'At 01:00', retention: { daily: 7 }, waiting: null, last: null }
  });
  // Nothing of ours has run for three nights.
  const file = path.join(root, 'home', 'nodes.json');
  const { nodes } = JSON.parse(fs.readFileSync(file, 'utf8')) as { nodes: { backupSchedule: object }[] };
  nodes[0]!.backupSchedule = { ...nodes[0]!.backupSchedule, handledMs: Date.now() - 3 * 86_400_000 };
  fs.writeFileSync(file, JSON.stringify({ nodes }));
  expect((await winnow(db)).stdout).toMatch(/\ndue {4}\S+T01:00:00\S+ {2}3 times have passed;/);
  expect((await winnow(db, '--off')).stdout).toBe('There is no schedule.\n');
});
