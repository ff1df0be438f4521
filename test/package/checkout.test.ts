/** The command line in a checkout, as the README starts it. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };
import { checkout, scratchDirectory } from './installed.ts';

/** `npm run` from another directory, as a script does it. */
function npmRun(cwd: string, ...args: string[]) {
  // What npm tells its children would make the inner npm believe that the user stands where we do.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('npm_') && name !== 'INIT_CWD')
  );
  return spawnSync('npm', ['--prefix', checkout, 'run', '-s', ...args], { cwd, env, encoding: 'utf8' });
}

test('stdout carries only what the command prints', () => {
  const { stdout, status } = npmRun(scratchDirectory(), 'winnow', '--', '--version');
  expect(stdout).toBe(`${packageFile.version}\n`);
  expect(status).toBe(0);
});

test('relative paths count from where the user stands, and the exit code comes through', () => {
  const here = scratchDirectory();
  mkdirSync(path.join(here, 'nothing-in-it'));
  const { stdout, status } = npmRun(here, 'winnow', '--', 'inspect', './nothing-in-it', '--json');
  const { error } = JSON.parse(stdout) as { error: { code: string; message: string } };
  expect(error.code).toBe('DatabaseNotFound');
  expect(status).toBe(10);
});
