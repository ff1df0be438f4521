import { loadSettings } from '../../../../src-main/settings/settings.ts';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { OperationStopped } from '../../../../src-core/index.ts';
import { VERB_NAMES } from '../../../../src-main/contract/verbs/channels.ts';
import { CALL_NAMES, WORK_NAMES } from '../../../../src-main/contract/verbs/operation-names.ts';
import { MOST_RUNNING, MOST_RUNNING_OF_USER, ServedPage } from '../../../../src-main/http/ui/served-page.ts';
import { cookieName, setCookie, tokenIn } from '../../../../src-main/http/ui/session-cookie.ts';
import { MOST_OF_USER, MOST_SESSIONS, Sessions } from '../../../../src-main/http/ui/sessions.ts';
import { CALL_ACCESS, VERB_ACCESS, WORK_ACCESS, accessOf } from '../../../../src-main/http/ui/verb-access.ts';
import { fakeEngine } from '../../verbs/fake-engine.ts';
import { builtPage } from './served-page-run.ts';
import type { User } from '../../../../src-main/access/user-store.ts';

const password = { salt: 's', hash: 'h', cost: 2, blockSize: 1, parallelism: 1 };
const users = { find: (name: string): User => ({ name, roles: [], password }) };

describe('sessions', () => {
  it('are bounded for each user; the one unused for longest goes', () => {
    const sessions = new Sessions(users, () => 0);
    const tokens = Array.from({ length: MOST_OF_USER }, () => sessions.begin('ops')!);
    sessions.use(tokens[0]);
    sessions.begin('ops');
    expect(tokens.map((token) => sessions.isOpen(token)).slice(0, 3)).toEqual([true, false, true]);
  });

  it('are bounded together', () => {
    const sessions = new Sessions(users, () => 0);
    const tokens = Array.from({ length: MOST_SESSIONS + 5 }, (_, index) => sessions.begin(`user-${index}`)!);
    expect(tokens.filter((token) => sessions.isOpen(token))).toHaveLength(MOST_SESSIONS);
    expect(new Set(tokens).size).toBe(tokens.length);
  });
});

describe('the cookie', () => {
  const plain = { host: '127.0.0.1', port: 2113, isTls: false, publicNames: [] };
  const tls = { ...plain, isTls: true };

  it('is sent over TLS only, by this host only, where there is TLS', () => {
    expect(setCookie(tls, 'abc')).toBe(
      '__Host-winnow-session-2113=abc; Path=/; HttpOnly; SameSite=Strict; Secure'
    );
    expect(setCookie(plain, 'abc')).not.toContain('Secure');
  });

  it('is found among others, by its whole name', () => {
    expect(tokenIn(`a=b; ${cookieName(plain)}=abc; x=y`, plain)).toBe('abc');
    expect(tokenIn(`x${cookieName(plain)}=abc`, plain)).toBeUndefined();
    expect(tokenIn(`${cookieName(plain)}=`, plain)).toBeUndefined();
    expect(tokenIn(`${cookieName(plain)}=abc`, tls)).toBeUndefined();
    expect(tokenIn(undefined, plain)).toBeUndefined();
  });
});

describe('the work of all pages', () => {
  it('is bounded for each user and for all, and nothing is started by a service that is ending', async () => {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'winnow-page-'));
    const engine = fakeEngine();
    engine.answers.verifyDatabase = (_request, { signal }) =>
      new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(new OperationStopped()), { once: true })
      );
    const page = new ServedPage({
      engine,
      directory: builtPage(path.join(directory, 'page')),
      location: { dataDirectory: directory },
      saidSingleNode: true,
      clusterSize: undefined,
      winnowHome: path.join(directory, 'home'),
      clock: () => 0,
      allowedPaths: [],
      settings: loadSettings({ unknownNames: 'refuse' }),
      activity: { list: () => [] },
      onWork: () => undefined
    });
    const { openNodeId: nodeId } = await page.stateFor({ name: 'joe', roles: [] });
    const start = (): unknown =>
      page.handlers.startWork({ name: 'verifyDatabase', nodeId: nodeId ?? '', request: {} });
    const startAs = (name: string): Promise<unknown> =>
      page.answer({ name, roles: [] }, 'startWork', {
        name: 'verifyDatabase',
        nodeId: nodeId ?? '',
        request: {}
      });
    for (let count = 0; count < MOST_RUNNING_OF_USER; count++) await startAs('joe');
    await expect(startAs('joe')).rejects.toThrow('4 operations of yours are already running');
    for (let count = MOST_RUNNING_OF_USER; count < MOST_RUNNING; count++) await startAs('ann');
    await expect(startAs('ops')).rejects.toThrow('8 operations are already running');
    expect(start).toThrow('8 operations are already running');
    await page.close();
    expect(page.work.running()).toEqual([]);
    expect(start).toThrow('The service is shutting down');
    fs.rmSync(directory, { recursive: true, force: true });
  });
});

describe('who may ask what', () => {
  it('is said for every verb, question and work of the contract', () => {
    expect(VERB_NAMES.filter((name) => !(name in VERB_ACCESS))).toEqual([]);
    expect(CALL_NAMES.filter((name) => !(name in CALL_ACCESS))).toEqual([]);
    expect(WORK_NAMES.filter((name) => !(name in WORK_ACCESS))).toEqual([]);
  });

  it('of names that are not there: nobody', () => {
    const none = (): undefined => undefined;
    for (const verb of ['', 'nothing', 'constructor', '__proto__']) {
      expect(accessOf(verb, {}, none)).toBe('absent');
      expect(accessOf('call', { name: verb }, none)).toBe('absent');
      expect(accessOf('startWork', { name: verb }, none)).toBe('absent');
    }
    for (const request of [undefined, null, 'text', 1, []]) {
      expect(accessOf('call', request, none)).toBe('absent');
    }
  });

  it('stopping work needs what starting it needs', () => {
    expect(accessOf('stopWork', { id: '1' }, () => 'runScavenge')).toBe('operator');
    expect(accessOf('stopWork', { id: '1' }, () => 'verifyDatabase')).toBe('user');
    expect(accessOf('stopWork', { id: '1' }, () => 'planBackupErasure')).toBe('user');
    expect(accessOf('stopWork', { id: '1' }, () => 'eraseInBackup')).toBe('operator');
    expect(accessOf('stopWork', { id: '1' }, () => 'exportDatabase')).toBe('operator');
    expect(accessOf('forgetWork', { id: '1' }, () => 'createBackup')).toBe('operator');
  });
});
