/** The bounds of docs/proof.md, "Large", with few things: what the script lays down, asks and judges is in order, in seconds. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';

const SUBJECTS = ['large event', 'runs in the log', 'runs in the home', 'backups', 'findings'];
const root = path.resolve(import.meta.dirname, '../../..');

it('commands keep to their bound of memory where there is much of something', { timeout: 600_000 }, () => {
  const chosen = SUBJECTS.flatMap((name) => ['--only', name]);
  const words = [path.join(root, 'scripts/scale.mjs'), '--small', '--commands', ...chosen];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', cwd: root });
  expect(stdout + stderr).not.toContain('NOT KEPT');
  expect(status, stderr).toBe(0);
  expect(stdout.match(/^ {2}command .+: \d+\.\d+ s, \d+ MiB$/gm)).toHaveLength(36);
});
