/** The command line in a checkout, as the README starts it. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { expect, test } from './fixtures.ts';
import { checkout } from './installed.ts';

/** `npm run` from another directory, as a script does it. */
function npmRun(cwd: string, ...args: string[]) {
  return spawnSync('npm', ['--prefix', checkout, 'run', '-s', ...args], {
    cwd,
    env: ownEnvironment(),
    encoding: 'utf8'
  });
}

/** Without what npm tells its children: the inner npm would believe that the user stands where we do. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('npm_') && name !== 'INIT_CWD')
  );
}

test('stdout carries only what the command prints', async ({ scratchDirectory }) => {
  const { stdout, status } = npmRun(scratchDirectory(), 'winnow', '--', '--version');
  expect(stdout).toBe(`${packageFile.version}\n`);
  expect(status).toBe(0);
});

test('relative paths count from where the user stands, and the exit code comes through', async ({
  scratchDirectory
}) => {
  const here = scratchDirectory();
  mkdirSync(path.join(here, 'nothing-in-it'));
  const { stdout, status } = npmRun(here, 'winnow', '--', 'inspect', './nothing-in-it', '--json');
  const { error } = JSON.parse(stdout) as { error: { code: string; message: string } };
  expect(error.code).toBe('DatabaseNotFound');
  expect(status).toBe(10);
});

test('one Ctrl+C stops in an orderly way, although terminal and npm both send it', async ({
  scratchDirectory
}) => {
  const here = scratchDirectory();
  npmRun(here, 'winnow', '--', 'sample', 'db', '--size', '64MiB', '--yes', '--quiet');
  const args = ['winnow', '--', 'scavenge', 'db', '--single-node', '--yes', '--json', '--progress', 'json'];
  const child = spawn('npm', ['--prefix', checkout, 'run', '-s', ...args], {
    cwd: here,
    env: ownEnvironment(),
    detached: true // a group of its own, like the foreground group of a terminal
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  await once(child.stderr, 'data'); // the first progress: it is at work
  process.kill(-child.pid!, 'SIGINT');
  const [code] = (await once(child, 'close')) as [number | null];
  expect(code).toBe(130);
  expect(JSON.parse(stdout)).toMatchObject({ result: 'stopped' });
});
