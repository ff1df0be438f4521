import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Language, WorkSnapshot } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { appSchemeHandler } from '../../../src-main/window/app-scheme.ts';
import { closeQuestion } from '../../../src-main/window/close-question.ts';
import { CONTENT_SECURITY_POLICY } from '../../../src-main/contract/content-security-policy.ts';
import { hardenContents, hardenSession } from '../../../src-main/window/hardening.ts';
import { directoryToOpen } from '../../../src-main/window/open-argument.ts';

describe('the scheme of the page', () => {
  let root: string;
  let language: Language = 'en';
  let ask: (url: string, method?: string) => Promise<Response>;

  beforeAll(() => {
    root = mkdtempSync(path.join(tmpdir(), 'winnow-scheme-'));
    mkdirSync(path.join(root, 'renderer', 'assets'), { recursive: true });
    writeFileSync(path.join(root, 'renderer', 'index.html'), '<p>page</p>');
    writeFileSync(path.join(root, 'renderer', 'assets', 'a.js'), '1');
    writeFileSync(path.join(root, 'renderer', 'notes.txt'), 'private');
    writeFileSync(path.join(root, 'secret.js'), 'secret');
    const handle = appSchemeHandler(path.join(root, 'renderer'), () => language);
    ask = (url, method = 'GET') => handle(new Request(url, { method }));
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  test('serves the page and its files under the policy', async () => {
    const page = await ask('app://winnow/');
    expect([page.status, await page.text()]).toEqual([200, '<p>page</p>']);
    const script = await ask('app://winnow/assets/a.js');
    expect(script.headers.get('Content-Type')).toContain('text/javascript');
    for (const reply of [page, script]) {
      expect(reply.headers.get('Content-Security-Policy')).toBe(CONTENT_SECURITY_POLICY);
      expect(reply.headers.get('X-Content-Type-Options')).toBe('nosniff');
    }
  });

  test.each([
    ['app://winnow/..%2fsecret.js', 403],
    ['app://winnow/assets/..%2f..%2fsecret.js', 403],
    ['app://winnow/%00', 403],
    ['app://winnow/%', 403],
    ['app://other/index.html', 404],
    ['app://winnow/none.js', 404],
    ['app://winnow/notes.txt', 404],
    ['app://winnow/assets', 404]
  ])('refuses %s with %d', async (url, status) => {
    expect((await ask(url)).status).toBe(status);
  });

  test('writes the language into the page, and into nothing else', async () => {
    writeFileSync(path.join(root, 'renderer', 'page.html'), '<html lang="en"><p lang="en"></p></html>');
    language = 'de';
    const page = await ask('app://winnow/page.html');
    language = 'en';
    expect(await page.text()).toBe('<html lang="de"><p lang="en"></p></html>');
  });

  test('answers only to reading', async () => {
    expect((await ask('app://winnow/', 'POST')).status).toBe(404);
  });
});

describe('the content security policy', () => {
  const directives = new Map(
    CONTENT_SECURITY_POLICY.split('; ').map((directive) => {
      const [name, ...values] = directive.split(' ');
      return [name!, values];
    })
  );

  test('allows nothing that is not named', () => {
    expect(directives.get('default-src')).toEqual(["'none'"]);
  });

  test('allows no inline code, no evaluation and no foreign origin', () => {
    expect(directives.get('script-src')).toEqual(["'self'"]);
    expect(directives.get('connect-src')).toEqual(["'self'"]);
    expect(CONTENT_SECURITY_POLICY).not.toMatch(/unsafe-inline|unsafe-eval|https?:|\*/);
  });

  test('admits styles of our own files and six fixed texts by hash', () => {
    const [self, ...hashes] = directives.get('style-src')!;
    expect(self).toBe("'self'");
    expect(hashes).toHaveLength(6);
    expect(hashes.every((hash) => hash.startsWith("'sha256-"))).toBe(true);
  });
});

describe('hardening', () => {
  test('denies every permission, device and download', () => {
    const handlers: Record<string, (...values: unknown[]) => unknown> = {};
    const keep = (name: string) => (handler: (...values: unknown[]) => unknown) =>
      void (handlers[name] = handler);
    hardenSession({
      setPermissionRequestHandler: keep('request'),
      setPermissionCheckHandler: keep('check'),
      setDevicePermissionHandler: keep('device'),
      on: (name: string, handler: (...values: unknown[]) => unknown) => keep(name)(handler)
    } as unknown as Parameters<typeof hardenSession>[0]);
    const decide = vi.fn();
    handlers['request']!({}, 'media', decide);
    expect(decide).toHaveBeenCalledWith(false);
    expect([handlers['check']!(), handlers['device']!()]).toEqual([false, false]);
    const download = { preventDefault: vi.fn() };
    handlers['will-download']!(download);
    expect(download.preventDefault).toHaveBeenCalled();
  });

  test('stops navigation, new windows and web views of every web contents', () => {
    const handlers: Record<string, (event: unknown) => void> = {};
    let openWindow: () => unknown = () => undefined;
    const contents = {
      setWindowOpenHandler: (handler: () => unknown) => void (openWindow = handler),
      on: (name: string, handler: (event: unknown) => void) => void (handlers[name] = handler)
    };
    hardenContents(
      {
        on: (_name: string, handler: (event: unknown, contents: unknown) => void) => handler({}, contents)
      } as unknown as Parameters<typeof hardenContents>[0],
      (url) => url.startsWith('app://winnow/')
    );
    const isPrevented = (name: string, event: object): boolean => {
      const preventDefault = vi.fn();
      handlers[name]!({ ...event, preventDefault });
      return preventDefault.mock.calls.length > 0;
    };
    expect(openWindow()).toEqual({ action: 'deny' });
    expect(isPrevented('will-navigate', { url: 'https://example.org/' })).toBe(true);
    expect(isPrevented('will-navigate', { url: 'file:///etc/passwd' })).toBe(true);
    expect(isPrevented('will-navigate', { url: 'app://winnow/' })).toBe(false);
    expect(isPrevented('will-redirect', {})).toBe(true);
    expect(isPrevented('will-frame-navigate', { isMainFrame: false })).toBe(true);
    expect(isPrevented('will-attach-webview', {})).toBe(true);
  });
});

describe('the directory to open', () => {
  const open = (isPackaged: boolean, ...argv: string[]) =>
    directoryToOpen({ argv, isPackaged, workingDirectory: '/work' });

  test('is the first word after the program, relative to where it was started', () => {
    expect(open(true, '/opt/winnow', 'db')).toBe('/work/db');
    expect(open(true, '/opt/winnow', '--no-sandbox', '/data/db')).toBe('/data/db');
  });

  test('comes after the path of the application in a checkout', () => {
    expect(open(false, '/electron', '--inspect=0', '.', '--log-level=3', '/data/db')).toBe('/data/db');
    expect(open(false, '/electron', '.')).toBeUndefined();
  });
});

describe('the question at closing', () => {
  const work = (name: WorkSnapshot['name'], title: string): WorkSnapshot => ({ name, title }) as WorkSnapshot;

  test('names what runs and what closing means for it, the safe answer first', () => {
    const { box, closeButton } = closeQuestion([work('runScavenge', 'Scavenge node-1')]);
    expect(box.message).toBe('Scavenge node-1 is still running');
    expect(box.detail).toMatch(/resumes there/);
    expect([box.defaultId, box.cancelId, closeButton]).toEqual([0, 0, 1]);
  });

  test.each([
    ['runRestore', /finished or undone from the overview/],
    ['createBackup', /The next backup resumes/],
    ['rebuildIndex', /in its old or its new form/],
    ['exportDatabase', /Nothing is left under the final name/],
    ['eraseInBackup', /old generation of the backup is whole/],
    ['rekeyBackups', /has its old keys or the new ones/],
    ['pruneBackups', /still listed are whole/]
  ] as const)('says of %s what it leaves behind', (name, words) => {
    expect(closeQuestion([work('verifyDatabase', 'a'), work(name, 'b')]).box.detail).toMatch(words);
  });

  test('says of work that only reads that nothing was changed', () => {
    const { box } = closeQuestion([work('planScavenge', 'Plan a'), work('verifyDatabase', 'Verify b')]);
    expect(box.message).toBe('Plan a, Verify b are still running');
    expect(box.detail).toMatch(/not changed anything in the database/);
  });
});
