import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ACTIVITY_SCHEMAS } from '../../../src-main/contract/operations/activity-reports.ts';
import { jsonOf, runWinnow } from './run-winnow.ts';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-activity-'));
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));
const winnow = (...words: string[]) =>
  runWinnow(words, { environment: { WINNOW_HOME: path.join(root, 'home') } });

test('the command line lists what was done on this machine, and how it ended', async () => {
  expect((await winnow('activity')).stdout).toBe('No operations yet.\n');
  const missing = path.join(root, 'nowhere');
  expect((await winnow('verify', missing, '--quiet')).exitCode).toBe(10);
  const listed = await winnow('activity', '--json');
  expect(listed.exitCode).toBe(0);
  const { activities } = ACTIVITY_SCHEMAS.activity.parse(jsonOf(listed));
  expect(activities).toHaveLength(1);
  expect(activities[0]).toMatchObject({
    operation: 'verifyDatabase',
    door: 'commandLine',
    dataDirectory: missing,
    outcome: 'failed',
    error: { code: 'DatabaseNotFound' }
  });
  const { stdout } = await winnow('activity');
  expect(stdout).toContain('failed: DatabaseNotFound');
  expect(stdout).toMatch(/ Verify +command line /);
  expect(stdout).not.toContain('verifyDatabase');
});
