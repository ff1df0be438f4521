/** The command of an installed package: plain Node, no display, no library of the window, no environment. */
import { execFileSync, spawn } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { expect, test } from './fixtures.ts';
import { commandLauncher } from './installed.ts';

function winnow(home: string, launcher: string, ...args: string[]): string {
  const env = { PATH: '/usr/bin:/bin', HOME: home };
  return execFileSync(launcher, args, { env, cwd: '/', encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

test('says its version through a link on the PATH', async ({ scratchDirectory }) => {
  const link = path.join(scratchDirectory(), 'winnow');
  symlinkSync(commandLauncher, link);
  expect(winnow(scratchDirectory(), link, '--version').trim()).toBe(packageFile.version);
});

test('writes a sample database and reads it with the engine in its worker', async ({ scratchDirectory }) => {
  const directory = path.join(scratchDirectory(), 'sample');
  winnow(
    scratchDirectory(),
    commandLauncher,
    'sample',
    directory,
    '--size',
    '2MiB',
    '--seed',
    '7',
    '--yes',
    '--quiet'
  );
  const report = JSON.parse(winnow(scratchDirectory(), commandLauncher, 'inspect', directory, '--json')) as {
    chunkCount: { physical: number };
  };
  expect(report.chunkCount.physical).toBeGreaterThan(1);
});

test('serves the window to a browser, from files that plain Node can read', async ({ scratchDirectory }) => {
  const home = scratchDirectory();
  const directory = path.join(home, 'sample');
  winnow(scratchDirectory(), commandLauncher, 'sample', directory, '--size', '2MiB', '--yes', '--quiet');
  const env = { PATH: '/usr/bin:/bin', HOME: home };
  const words = ['serve', directory, '--ui', '--port', '0', '--quiet'];
  const service = spawn(commandLauncher, words, { env, cwd: '/', stdio: ['ignore', 'pipe', 'ignore'] });
  const hasEnded = new Promise((resolve) => service.on('close', resolve));
  try {
    const line = await new Promise<string>((resolve, reject) => {
      service.stdout.setEncoding('utf8').once('data', resolve);
      void hasEnded.then((code) => reject(new Error(`the service ended with ${String(code)}`)));
    });
    const { listening } = JSON.parse(line) as { listening: string };
    const page = await (await fetch(`${listening}/`)).text();
    const [, script] = /<script type="module"[^>]* src="\.?(\/assets\/[^"]+)"/.exec(page) ?? [];
    expect(script).toBeDefined();
    expect((await fetch(`${listening}${script ?? ''}`)).headers.get('content-type')).toContain('javascript');
  } finally {
    service.kill('SIGTERM');
    await hasEnded;
  }
});
