import { readFileSync } from 'node:fs';
import type { BrowserWindow as Window, WebPreferences } from 'electron';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type {} from '../../src-main/contract/verbs/workbench-contract.ts';
import { VERB_NAMES } from '../../src-main/contract/verbs/channels.ts';
import { launchWindow, type ElectronWindow } from './electron-window.ts';

let window: ElectronWindow;
let preferences: WebPreferences;

beforeAll(async () => {
  window = await launchWindow();
  preferences = await window.app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]!.webContents as Window['webContents'] & {
      getLastWebPreferences: () => WebPreferences;
    };
    const { preload: _preload, ...rest } = contents.getLastWebPreferences();
    return rest;
  });
});
afterAll(() => window.close());

/** One test for each item of Electron's security guide that can be seen from outside. */
describe('the window', () => {
  test('loads only its own files over its own secure scheme', async () => {
    const page = await window.page.evaluate(() => ({
      url: location.href,
      isSecureContext,
      resources: performance.getEntriesByType('resource').map((entry) => entry.name)
    }));
    expect(page.url).toBe('app://winnow/');
    expect(page.isSecureContext).toBe(true);
    expect(page.resources.filter((name) => !name.startsWith('app://winnow/'))).toEqual([]);
  });

  test('has no Node in the page', async () => {
    expect(preferences.nodeIntegration).toBe(false);
    expect(preferences.nodeIntegrationInWorker ?? false).toBe(false);
    expect(preferences.nodeIntegrationInSubFrames ?? false).toBe(false);
    expect(
      await window.page.evaluate(() =>
        ['require', 'process', 'module', 'Buffer', 'global'].filter((name) => name in globalThis)
      )
    ).toEqual([]);
  });

  test('keeps the preload script in a world of its own', () => {
    expect(preferences.contextIsolation).toBe(true);
  });

  test('runs the page in the sandbox', () => {
    expect(preferences.sandbox).toBe(true);
  });

  test('denies every permission', async () => {
    const states = await window.page.evaluate(async () => {
      const names = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'midi'];
      const found = await Promise.all(
        names.map((name) => navigator.permissions.query({ name: name as PermissionName }))
      );
      return found.map((status) => status.state);
    });
    expect(new Set(states)).toEqual(new Set(['denied']));
    expect(await window.page.evaluate(() => Notification.requestPermission())).toBe('denied');
  });

  test('leaves web security on and insecure content out', () => {
    expect(preferences.webSecurity).toBe(true);
    expect(preferences.allowRunningInsecureContent).toBe(false);
  });

  test('turns no experimental feature on', () => {
    expect(preferences.experimentalFeatures).toBe(false);
    expect(preferences.enableBlinkFeatures ?? '').toBe('');
  });

  test('runs no inline script', async () => {
    const outcome = await window.page.evaluate(async () => {
      const script = document.createElement('script');
      try {
        script.text = 'globalThis.wasRun = true';
        document.body.append(script);
      } catch (error) {
        return (error as Error).name;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
      return 'wasRun' in globalThis ? 'ran' : 'blocked';
    });
    expect(['TypeError', 'blocked']).toContain(outcome);
  });

  test('evaluates no text as code', async () => {
    // Through a timer: what the test itself runs in the page is exempt from the policy.
    const outcome = await window.page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          setTimeout(() => {
            try {
              resolve(String((0, eval)('1 + 1')));
            } catch (error) {
              resolve((error as Error).name);
            }
          }, 20);
        })
    );
    expect(outcome).toBe('EvalError');
  });

  test('turns no text into HTML', async () => {
    const outcome = await window.page.evaluate(() => {
      try {
        document.createElement('div').innerHTML = '<img src=x onerror="globalThis.wasRun = true">';
        return 'allowed';
      } catch (error) {
        return (error as Error).name;
      }
    });
    expect(outcome).toBe('TypeError');
  });

  test('connects to nothing outside', async () => {
    const outcome = await window.page.evaluate(() =>
      fetch('https://example.org/').then(
        () => 'connected',
        () => 'blocked'
      )
    );
    expect(outcome).toBe('blocked');
  });

  test('reads no file outside its own folder', async () => {
    const statuses = await window.page.evaluate(() =>
      Promise.all(
        ['app://winnow/..%2f..%2fpackage.json', 'app://winnow/../main/main.js', 'app://winnow/none.js'].map(
          (url) => fetch(url).then((reply) => reply.status)
        )
      )
    );
    expect(statuses.every((status) => status === 403 || status === 404)).toBe(true);
    const file = await window.page.evaluate(() =>
      fetch('file:///etc/passwd').then(
        () => 'read',
        () => 'blocked'
      )
    );
    expect(file).toBe('blocked');
  });

  test('navigates nowhere', async () => {
    await window.page.evaluate(() => {
      location.href = 'https://example.org/';
    });
    await window.page.waitForTimeout(300);
    expect(window.page.url()).toBe('app://winnow/');
    await window.page.evaluate(() => {
      location.href = 'file:///etc/passwd';
    });
    await window.page.waitForTimeout(300);
    expect(window.page.url()).toBe('app://winnow/');
  });

  test('opens no other window', async () => {
    expect(await window.page.evaluate(() => open('https://example.org/') === null)).toBe(true);
    expect(await window.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  });

  test('embeds no web view and no frame', async () => {
    expect(preferences.webviewTag).toBe(false);
    const frames = await window.page.evaluate(async () => {
      const frame = document.createElement('iframe');
      frame.src = 'app://winnow/';
      const view = document.createElement('webview');
      document.body.append(frame, view);
      await new Promise((resolve) => setTimeout(resolve, 300));
      const hasPage = frame.contentDocument?.querySelector('#app') !== null && frame.contentDocument !== null;
      frame.remove();
      view.remove();
      return { hasPage, isView: 'loadURL' in view };
    });
    expect(frames).toEqual({ hasPage: false, isView: false });
  });

  test('offers the verbs of the contract and nothing of Electron', async () => {
    expect(await window.page.evaluate(() => Object.keys(self.workbench).sort())).toEqual(
      [...VERB_NAMES, 'follow', 'stopCall'].sort()
    );
    expect(
      await window.page.evaluate(() => ['ipcRenderer', 'electron'].filter((name) => name in globalThis))
    ).toEqual([]);
  });

  test('checks every request before it acts', async () => {
    const reply = await window.page.evaluate(() =>
      self.workbench.copyText({ text: 1 } as unknown as { text: string })
    );
    expect(reply).toMatchObject({ ok: false, error: { code: 'InvalidRequest' } });
  });

  test('runs on the Electron that package.json pins', async () => {
    const pinned = (
      JSON.parse(readFileSync('package.json', 'utf8')) as { devDependencies: { electron: string } }
    ).devDependencies.electron;
    expect(await window.app.evaluate(() => process.versions.electron)).toBe(pinned);
  });
});
