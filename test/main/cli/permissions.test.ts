/** A user without rights: each command says what may not be done where, changes nothing, and never blames the data. */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync
} from 'node:fs';
import { accessSync, constants, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COMMAND_LINE } from '../../support/command-line.ts';
import { removeUnpacked, unpackDatabase } from '../../support/golden.ts';

const NOBODY = { uid: 65534, gid: 65534 };
let place = '';
let directory = '';
beforeEach(() => {
  place = mkdtempSync(path.join(tmpdir(), 'winnow-permissions-'));
  chmodSync(place, 0o755);
  directory = path.join(place, 'data');
  cpSync(unpackDatabase({ name: 'rules', folder: 'before' }), directory, { recursive: true });
  chmodSync(directory, 0o755);
  mkdirSync(path.join(place, 'home'));
  chownSync(path.join(place, 'home'), NOBODY.uid, NOBODY.gid);
});
afterEach(() => {
  rmSync(place, { recursive: true, force: true });
  removeUnpacked();
});

async function asNobody(...words: string[]): Promise<{ exitCode: number | null; said: string }> {
  return withHome(path.join(place, 'home'), words);
}

async function withHome(home: string, words: string[]): Promise<{ exitCode: number | null; said: string }> {
  const child = spawn(process.execPath, [COMMAND_LINE, ...words, '--quiet'], {
    ...NOBODY,
    stdio: ['ignore', 'ignore', 'pipe'],
    // What never ends must not outlive the test.
    ...{ timeout: 50_000, killSignal: 'SIGKILL' },
    env: { PATH: process.env['PATH'], WINNOW_HOME: home, HOME: home }
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return { exitCode, said };
}

/** Of the whole directory. */
function contentOf(): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => {
      const { size, mtimeMs } = statSync(path.join(directory, name));
      return `${name} ${size} ${mtimeMs}`;
    })
    .sort();
}

/** Only root may become another user, and that one must be able to read the program. */
const isPossible =
  process.getuid?.() === 0 &&
  [process.execPath, COMMAND_LINE].every((file) => {
    for (let above = path.dirname(file); above !== path.dirname(above); above = path.dirname(above)) {
      if ((statSync(above).mode & 0o001) === 0) return false;
    }
    accessSync(file, constants.R_OK);
    return true;
  });

describe.runIf(isPossible)('a user who', () => {
  it('may not enter the data directory is told so by every command', async () => {
    chmodSync(directory, 0o700);
    for (const words of [['inspect'], ['verify'], ['doctor'], ['scavenge', '--yes', '--single-node']]) {
      const { exitCode, said } = await asNobody(...words, directory);
      expect([words, exitCode]).toEqual([words, 15]);
      expect(said).toMatch(
        /permission denied[^]*Give this user permission for it, or run as the user who owns/
      );
      expect(said).not.toMatch(/damage|at Object|node:/);
    }
  });

  it('may not read one chunk is told which, and that chunk is not called damaged', async () => {
    const chunk = readdirSync(directory)
      .filter((name) => name.startsWith('chunk-'))
      .sort()[1]!;
    chmodSync(path.join(directory, chunk), 0o600);
    for (const words of [['inspect'], ['verify'], ['repair', '--dry-run'], ['scavenge', '--yes']]) {
      const { exitCode, said } = await asNobody(...words, directory);
      expect([words, exitCode]).toEqual([words, 15]);
      expect(said).toContain(`Could not open ${path.join(directory, chunk)}: EACCES`);
    }
  });

  it.each(['data', 'index'])(
    'may not write in the %s directory starts no scavenge, and nothing is written',
    async (part) => {
      for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
        chownSync(path.join(directory, name), NOBODY.uid, NOBODY.gid);
      }
      chownSync(directory, NOBODY.uid, NOBODY.gid);
      const closed = part === 'data' ? directory : path.join(directory, 'index');
      chmodSync(closed, 0o555);
      const before = contentOf();
      const { exitCode, said } = await asNobody('scavenge', '--yes', '--single-node', directory);
      expect([exitCode, said]).toEqual([
        15,
        expect.stringContaining(`Nothing can be written in ${closed}: this user may not`)
      ]);
      expect(contentOf()).toEqual(before);
      expect((await asNobody('verify', directory)).exitCode).toBe(0);
      expect((await asNobody('plan', '--single-node', directory)).exitCode).toBe(0);
      chmodSync(closed, 0o755);
      expect((await asNobody('scavenge', '--yes', '--single-node', directory)).exitCode).toBe(0);
      expect(existsSync(path.join(directory, 'index', 'scavenging'))).toBe(true);
    }
  );

  it('may not read the scavenge state is told that it was not checked, and it is not called damaged', async () => {
    for (const name of ['', ...readdirSync(directory, { recursive: true, encoding: 'utf8' })]) {
      chownSync(path.join(directory, name), NOBODY.uid, NOBODY.gid);
    }
    expect((await asNobody('scavenge', '--yes', '--single-node', directory)).exitCode).toBe(0);
    const state = path.join(directory, 'index', 'scavenging', 'scavenging.db');
    chownSync(state, 0, 0);
    chmodSync(state, 0o600);
    expect(statSync(state).size).toBeGreaterThan(0);
    for (const words of [['verify'], ['doctor', '--thorough'], ['repair', '--dry-run']]) {
      const { exitCode, said } = await asNobody(...words, directory);
      expect({ words, exitCode, said }).toMatchObject({ words, exitCode: 0 });
    }
  });

  it('has a home that may only be read gets the same answers, and nothing in it changes', async () => {
    for (const name of ['', ...readdirSync(directory, { recursive: true, encoding: 'utf8' })]) {
      chownSync(path.join(directory, name), NOBODY.uid, NOBODY.gid);
    }
    const home = path.join(place, 'home');
    expect((await asNobody('verify', directory)).exitCode).toBe(0);
    expect((await asNobody('scavenge', '--yes', '--single-node', directory)).exitCode).toBe(0);
    const names = (): string[] => readdirSync(home, { recursive: true, encoding: 'utf8' }).sort();
    const before = names();
    expect(before).toContain('activity.jsonl');
    for (const name of ['', ...before]) {
      chownSync(path.join(home, name), 0, 0);
      chmodSync(path.join(home, name), statSync(path.join(home, name)).isDirectory() ? 0o555 : 0o444);
    }
    const target = path.join(place, 'backups');
    mkdirSync(target);
    chownSync(target, NOBODY.uid, NOBODY.gid);
    for (const words of [
      ...['inspect', 'verify', 'doctor', 'usage', 'streams', 'history'].map((word) => [word, directory]),
      ...[['activity'], ['cluster', 'list'], ['config'], ['repair', '--dry-run', directory]],
      ['backup', 'create', directory, '--to', target, '--yes'],
      ['scavenge', '--yes', '--single-node', '--scavenge-point', 'new', directory],
      ['index', 'rebuild', '--yes', directory]
    ]) {
      const { exitCode, said } = await asNobody(...words);
      expect({ words, exitCode, said }).toMatchObject({ words, exitCode: 0 });
    }
    expect(names()).toEqual(before);
  });

  it('a home that cannot be made ends no command late, and none by a signal', async () => {
    for (const name of ['', ...readdirSync(directory, { recursive: true, encoding: 'utf8' })]) {
      chownSync(path.join(directory, name), NOBODY.uid, NOBODY.gid);
    }
    const homes = ['/proc/nowhere', '/proc/nowhere/below', '/dev/null'];
    for (const home of homes.filter((each) => existsSync(path.dirname(each)) || each.includes('below'))) {
      for (const words of [
        ['scavenge', '--yes', '--single-node', '--scavenge-point', 'new', directory],
        ['usage', directory],
        ['diff', directory, directory, '--scratch', path.join(home, 'scratch')]
      ]) {
        const { exitCode, said } = await withHome(home, words);
        expect(exitCode, `${home}: ${words.join(' ')}: ${said}`).not.toBeNull();
        expect(exitCode, said).not.toBe(70);
        expect(said).not.toMatch(/\n {4}at /);
      }
    }
  });
});
