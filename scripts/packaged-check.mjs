// Proves the Debian package without installing it: makes it, unpacks it into a directory of its own, and runs the
// tests of test/package on that tree, so `winnow` and `winnow-window` are started as they lie on a user's PATH.
//   npm run package:check
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './build.mjs';

const { version } = (await import('../package.json', { with: { type: 'json' } })).default;
const installed = mkdtempSync(path.join(tmpdir(), 'winnow-deb-'));
// It is installed nowhere, so it may be made of the runtimes that are at hand.
const env = { ...process.env, WINNOW_INSTALLED: installed, WINNOW_TRIAL: '1' };
const playwright = path.join(root, 'node_modules/.bin/playwright');
const steps = [
  ['npm', 'run', '-s', 'package:deb'],
  ['dpkg-deb', '-x', `release/winnow_${version}+trial_amd64.deb`, installed],
  [playwright, 'test', '--project=package']
];
const isOk = steps.every(
  ([command, ...args]) => spawnSync(command, args, { cwd: root, env, stdio: 'inherit' }).status === 0
);
rmSync(installed, { recursive: true, force: true });
process.exitCode = isOk ? 0 : 1;
