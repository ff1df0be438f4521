/** The command of an installed package: plain Node, no display, no library of the window, no environment. */
import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };
import { commandLauncher, scratchDirectory } from './installed.ts';

function winnow(launcher: string, ...args: string[]): string {
  const env = { PATH: '/usr/bin:/bin', HOME: scratchDirectory() };
  return execFileSync(launcher, args, { env, cwd: '/', encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

test('says its version through a link on the PATH', () => {
  const link = path.join(scratchDirectory(), 'winnow');
  symlinkSync(commandLauncher, link);
  expect(winnow(link, '--version').trim()).toBe(packageFile.version);
});

test('writes a sample database and reads it with the engine in its worker', () => {
  const directory = path.join(scratchDirectory(), 'sample');
  winnow(commandLauncher, 'sample', directory, '--size', '2MiB', '--seed', '7', '--yes', '--quiet');
  const report = JSON.parse(winnow(commandLauncher, 'inspect', directory, '--json')) as {
    chunkCount: { physical: number };
  };
  expect(report.chunkCount.physical).toBeGreaterThan(1);
});
