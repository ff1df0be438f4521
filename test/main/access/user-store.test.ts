import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isPassword } from '../../../src-main/access/password-hash.ts';
import { UserStore } from '../../../src-main/access/user-store.ts';
import { COMMAND_LINE } from '../../support/command-line.ts';

let directory: string;
let file: string;
beforeEach(() => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-users-'));
  file = path.join(directory, 'users.json');
});
afterEach(() => fs.rmSync(directory, { recursive: true }));

describe('the users file', () => {
  it('keeps users with roles, and their passwords as hashes only its owner can read', async () => {
    const store = new UserStore(file);
    await store.add('alice', ['$ops'], 'correct horse');
    await store.add('bob', [], 'battery staple');
    const alice = new UserStore(file).find('alice');
    expect(alice?.roles).toEqual(['$ops']);
    expect(await isPassword('correct horse', alice!.password)).toBe(true);
    expect(await isPassword('correct horsf', alice!.password)).toBe(false);
    expect(fs.readFileSync(file, 'utf8')).not.toContain('correct');
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  });

  it('changes a password and removes a user; another process sees it', async () => {
    const store = new UserStore(file);
    const other = new UserStore(file);
    await store.add('alice', ['$admins'], 'first password');
    expect(other.find('alice')).toBeDefined();
    await store.changePassword('alice', 'second password');
    expect(await isPassword('second password', other.find('alice')!.password)).toBe(true);
    store.remove('alice');
    expect(other.find('alice')).toBeUndefined();
  });

  it.each([
    ['a name with a colon', 'a:b', 'long enough'],
    ['a name with a space', 'a b', 'long enough'],
    ['no name', '', 'long enough'],
    ['a short password', 'alice', 'short'],
    ['an endless password', 'alice', 'x'.repeat(1001)]
  ])('refuses %s', async (_what, name, password) => {
    await expect(new UserStore(file).add(name, [], password)).rejects.toMatchObject({
      code: 'InvalidRequest'
    });
    expect(fs.existsSync(file)).toBe(false);
  });

  it('refuses a second user of a name, and changes of one there is not', async () => {
    const store = new UserStore(file);
    await store.add('alice', [], 'long enough');
    await expect(store.add('alice', [], 'long enough')).rejects.toThrow('already');
    await expect(store.changePassword('bob', 'long enough')).rejects.toThrow('no user "bob"');
    expect(() => store.remove('bob')).toThrow('no user "bob"');
  });

  it.each(['not json', '{"users":[{"name":"x"}]}', '{"users":[{"name":"x","roles":["$root"]}]}'])(
    'is refused, not taken for empty, when it holds %s',
    (text) => {
      fs.writeFileSync(file, text);
      expect(() => new UserStore(file).list()).toThrow(`The users file ${file} cannot be read.`);
    }
  );

  it('gets an administrator with a random password when a service starts without one', async () => {
    const store = new UserStore(file);
    const { passwordFile } = await store.createAdministrator();
    const password = fs.readFileSync(passwordFile, 'utf8').trim();
    expect(fs.statSync(passwordFile).mode & 0o777).toBe(0o600);
    expect(await isPassword(password, store.find('admin')!.password)).toBe(true);
  });

  it('keeps the file with that password until it was used', async () => {
    const store = new UserStore(file);
    const { passwordFile } = await store.createAdministrator();
    const password = fs.readFileSync(passwordFile, 'utf8').trim();
    await store.add('alice', ['$ops'], password);
    store.noteLogIn('admin', 'another password');
    store.noteLogIn('alice', password);
    expect(fs.existsSync(passwordFile)).toBe(true);
    store.noteLogIn('admin', password);
    expect(fs.existsSync(passwordFile)).toBe(false);
    store.noteLogIn('admin', password);
  });

  it('removes it when the password is no longer one', async () => {
    const store = new UserStore(file);
    const { passwordFile } = await store.createAdministrator();
    await store.changePassword('admin', 'another password');
    expect(fs.existsSync(passwordFile)).toBe(false);
    store.remove('admin');
    fs.writeFileSync(passwordFile, 'of earlier days', { mode: 0o644 });
    await store.createAdministrator();
    expect(fs.statSync(passwordFile).mode & 0o777).toBe(0o600);
    store.remove('admin');
    expect(fs.existsSync(passwordFile)).toBe(false);
  });
});

function winnow(words: string[], input: string): Promise<{ exitCode: number | null; stdout: string }> {
  const child = spawn(process.execPath, [COMMAND_LINE, ...words], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, WINNOW_HOME: directory }
  });
  child.stdin.end(input);
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  return new Promise((resolve) => child.on('close', (exitCode) => resolve({ exitCode, stdout })));
}

describe('winnow user and winnow license', () => {
  it('add, list and remove users; the password comes by stdin', async () => {
    const added = await winnow(
      ['user', 'add', 'alice', '--role', 'ops', '--role', 'admin', '--password-stdin', '--yes', '--json'],
      'correct horse\n'
    );
    expect(added.exitCode).toBe(0);
    const listed = await winnow(['user', 'list', '--json'], '');
    expect(JSON.parse(listed.stdout)).toEqual({ users: [{ name: 'alice', roles: ['$ops', '$admins'] }] });
    expect(await isPassword('correct horse', new UserStore(file).find('alice')!.password)).toBe(true);
    expect((await winnow(['user', 'remove', 'alice', '--yes'], '')).exitCode).toBe(0);
    expect(new UserStore(file).list()).toEqual([]);
  });

  it('ask before they write: without a terminal --yes is needed', async () => {
    expect((await winnow(['user', 'add', 'alice', '--password-stdin'], 'correct horse\n')).exitCode).toBe(2);
    expect((await winnow(['user', 'add', 'alice', '--role', 'root', '--yes'], '')).exitCode).toBe(2);
    expect(fs.existsSync(file)).toBe(false);
  });

  it('tell of the licence; without one the exit code is 16', async () => {
    expect((await winnow(['license', 'show', '--json'], '')).exitCode).toBe(16);
    const { exitCode, stdout } = await winnow(['license', 'check', 'evaluation', '--json'], '');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ isValid: true, isEvaluation: true });
  });
});
