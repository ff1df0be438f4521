import { readFileSync } from 'node:fs';
import type { BrowserWindow as Window, WebPreferences } from 'electron';
import type {} from '../../src-main/contract/verbs/workbench-contract.ts';
import { VERB_NAMES } from '../../src-main/contract/verbs/channels.ts';
import { expect, test as base } from './fixtures.ts';

const test = base.extend<{ preferences: WebPreferences }>({
  preferences: async ({ firstScreen }, use) => {
    await use(
      await firstScreen.app.evaluate(({ BrowserWindow }) => {
        const contents = BrowserWindow.getAllWindows()[0]!.webContents as Window['webContents'] & {
          getLastWebPreferences: () => WebPreferences;
        };
        const { preload: _preload, ...rest } = contents.getLastWebPreferences();
        return rest;
      })
    );
  }
});

// What is refused here is told in the console.
test.use({ mayComplain: true });

/** One test for each item of Electron's security guide that can be seen from outside. */
test.describe('the window', () => {
  test('loads only its own files over its own secure scheme', async ({ firstScreen }) => {
    const page = await firstScreen.page.evaluate(() => ({
      url: location.href,
      isSecureContext,
      resources: performance.getEntriesByType('resource').map((entry) => entry.name)
    }));
    expect(page.url).toBe('app://winnow/');
    expect(page.isSecureContext).toBe(true);
    expect(page.resources.filter((name) => !name.startsWith('app://winnow/'))).toEqual([]);
  });

  test('has no Node in the page', async ({ firstScreen, preferences }) => {
    expect(preferences.nodeIntegration).toBe(false);
    expect(preferences.nodeIntegrationInWorker ?? false).toBe(false);
    expect(preferences.nodeIntegrationInSubFrames ?? false).toBe(false);
    expect(
      await firstScreen.page.evaluate(() =>
        ['require', 'process', 'module', 'Buffer', 'global'].filter((name) => name in globalThis)
      )
    ).toEqual([]);
  });

  test('keeps the preload script in a world of its own', async ({ preferences }) => {
    expect(preferences.contextIsolation).toBe(true);
  });

  test('runs the page in the sandbox', async ({ preferences }) => {
    expect(preferences.sandbox).toBe(true);
  });

  test('denies every permission', async ({ firstScreen }) => {
    const states = await firstScreen.page.evaluate(async () => {
      const names = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'midi'];
      const found = await Promise.all(
        names.map((name) => navigator.permissions.query({ name: name as PermissionName }))
      );
      return found.map((status) => status.state);
    });
    expect(new Set(states)).toEqual(new Set(['denied']));
    expect(await firstScreen.page.evaluate(() => Notification.requestPermission())).toBe('denied');
  });

  test('leaves web security on and insecure content out', async ({ preferences }) => {
    expect(preferences.webSecurity).toBe(true);
    expect(preferences.allowRunningInsecureContent).toBe(false);
  });

  test('turns no experimental feature on', async ({ preferences }) => {
    expect(preferences.experimentalFeatures).toBe(false);
    expect(preferences.enableBlinkFeatures ?? '').toBe('');
  });

  test('runs no inline script', async ({ firstScreen }) => {
    const outcome = await firstScreen.page.evaluate(async () => {
      const script = document.createElement('script');
      const refused = new Promise<string>((resolve) =>
        document.addEventListener('securitypolicyviolation', () => resolve('blocked'), { once: true })
      );
      try {
        script.text = 'globalThis.wasRun = true';
        document.body.append(script);
      } catch (error) {
        return (error as Error).name;
      }
      // An inline script runs while it is inserted.
      return 'wasRun' in globalThis ? 'ran' : refused;
    });
    expect(['TypeError', 'blocked']).toContain(outcome);
  });

  test('evaluates no text as code', async ({ firstScreen }) => {
    // Through a timer: what the test itself runs in the page is exempt from the policy.
    const outcome = await firstScreen.page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          setTimeout(() => {
            try {
              resolve(String((0, eval)('1 + 1')));
            } catch (error) {
              resolve((error as Error).name);
            }
          });
        })
    );
    expect(outcome).toBe('EvalError');
  });

  test('turns no text into HTML', async ({ firstScreen }) => {
    const outcome = await firstScreen.page.evaluate(() => {
      try {
        document.createElement('div').innerHTML = '<img src=x onerror="globalThis.wasRun = true">';
        return 'allowed';
      } catch (error) {
        return (error as Error).name;
      }
    });
    expect(outcome).toBe('TypeError');
  });

  test('connects to nothing outside', async ({ firstScreen }) => {
    const outcome = await firstScreen.page.evaluate(() =>
      fetch('https://example.org/').then(
        () => 'connected',
        () => 'blocked'
      )
    );
    expect(outcome).toBe('blocked');
  });

  test('reads no file outside its own folder', async ({ firstScreen }) => {
    const statuses = await firstScreen.page.evaluate(() =>
      Promise.all(
        ['app://winnow/..%2f..%2fpackage.json', 'app://winnow/../main/main.js', 'app://winnow/none.js'].map(
          (url) => fetch(url).then((reply) => reply.status)
        )
      )
    );
    expect(statuses.every((status) => status === 403 || status === 404)).toBe(true);
    const file = await firstScreen.page.evaluate(() =>
      fetch('file:///etc/passwd').then(
        () => 'read',
        () => 'blocked'
      )
    );
    expect(file).toBe('blocked');
  });

  test('navigates nowhere', async ({ firstScreen }) => {
    const { app, page } = firstScreen;
    await app.evaluate(({ BrowserWindow }) => {
      const refused = new Promise<{ url: string; isPrevented: boolean }>((resolve) =>
        BrowserWindow.getAllWindows()[0]!.webContents.once('will-navigate', (event) =>
          resolve({ url: event.url, isPrevented: event.defaultPrevented })
        )
      );
      Object.assign(globalThis, { refused });
    });
    await page.evaluate(() => {
      location.href = 'https://example.org/';
    });
    const refused = await app.evaluate(
      () => (globalThis as unknown as { refused: Promise<{ url: string; isPrevented: boolean }> }).refused
    );
    expect(refused).toEqual({ url: 'https://example.org/', isPrevented: true });
    expect(page.url()).toBe('app://winnow/');
    // Chromium itself refuses that one.
    const complaint = page.waitForEvent('console');
    await page.evaluate(() => {
      location.href = 'file:///etc/passwd';
    });
    expect((await complaint).text()).toMatch(/^Not allowed to load local resource: file:\/\/\/etc\/passwd/);
    expect(page.url()).toBe('app://winnow/');
  });

  test('opens no other window', async ({ firstScreen }) => {
    expect(await firstScreen.page.evaluate(() => open('https://example.org/') === null)).toBe(true);
    expect(await firstScreen.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(
      1
    );
  });

  test('embeds no web view and no frame', async ({ firstScreen, preferences }) => {
    expect(preferences.webviewTag).toBe(false);
    const frames = await firstScreen.page.evaluate(async () => {
      const frame = document.createElement('iframe');
      frame.src = 'app://winnow/';
      const view = document.createElement('webview');
      // A frame that was refused has loaded as well: a page of Chromium's that says so.
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
      document.body.append(frame, view);
      await loaded;
      const hasPage = frame.contentDocument?.querySelector('#app') !== null && frame.contentDocument !== null;
      frame.remove();
      view.remove();
      return { hasPage, isView: 'loadURL' in view };
    });
    expect(frames).toEqual({ hasPage: false, isView: false });
  });

  test('offers the verbs of the contract and nothing of Electron', async ({ firstScreen }) => {
    expect(await firstScreen.page.evaluate(() => Object.keys(self.workbench).sort())).toEqual(
      [...VERB_NAMES, 'follow', 'stopCall'].sort()
    );
    expect(
      await firstScreen.page.evaluate(() => ['ipcRenderer', 'electron'].filter((name) => name in globalThis))
    ).toEqual([]);
  });

  test('checks every request before it acts', async ({ firstScreen }) => {
    const reply = await firstScreen.page.evaluate(() =>
      self.workbench.copyText({ text: 1 } as unknown as { text: string })
    );
    expect(reply).toMatchObject({ ok: false, error: { code: 'InvalidRequest' } });
  });

  test('runs on the Electron that package.json pins', async ({ firstScreen }) => {
    const pinned = (
      JSON.parse(readFileSync('package.json', 'utf8')) as { devDependencies: { electron: string } }
    ).devDependencies.electron;
    expect(await firstScreen.app.evaluate(() => process.versions.electron)).toBe(pinned);
  });
});
