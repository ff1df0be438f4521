/**
 * Electron's security checklist (electronjs.org/docs/latest/tutorial/security), each of its twenty items by its number, on
 * the packed application: what the page of the real binary can do, what its processes are, what the package contains.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getCurrentFuseWire } from '@electron/fuses';
import packageFile from '../../package.json' with { type: 'json' };
import lockFile from '../../package-lock.json' with { type: 'json' };
import type {} from '../../src-main/contract/verbs/workbench-contract.ts';
import { CONTENT_SECURITY_POLICY } from '../../src-main/contract/content-security-policy.ts';
import { VERB_NAMES } from '../../src-main/contract/verbs/channels.ts';
import { expect } from './fixtures.ts';
import { foreignSites } from './foreign-sites.ts';
import { resourcesOf, windowExecutable } from './installed.ts';
import { FOREIGN, globalsOf, OWN_PAGE, rendererOf, test, textsWith } from './packed-application.ts';
import { mayHaveSandbox, openPackagedWindow } from './packaged-window.ts';

test('1: loads only its own files, over its own scheme, in a secure context', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.reload();
  await expect(page.locator('html[data-ready=true]')).toBeVisible();
  expect(page.url()).toBe(OWN_PAGE);
  expect(await page.evaluate(() => isSecureContext)).toBe(true);
  expect(asked.length).toBeGreaterThan(3);
  expect(asked.filter((url) => !url.startsWith(OWN_PAGE))).toEqual([]);
});

test('2: no Node in the page, in its frames or in its workers', async ({ page, session }) => {
  await session.send('Page.setBypassCSP', { enabled: true });
  await page.reload();
  const found = await page.evaluate(async () => {
    const names = ['require', 'process', 'module', 'Buffer', 'global', '__dirname'];
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const inFrame = names.filter((name) => name in frame.contentWindow!);
    frame.remove();
    const program = `postMessage(${JSON.stringify(names)}.filter((name) => name in self))`;
    // The page's own policy lets no text become a program; that is item 7.
    const policy = (
      self as unknown as {
        trustedTypes: {
          createPolicy: (name: string, rules: object) => { createScriptURL: (url: string) => string };
        };
      }
    ).trustedTypes.createPolicy('test', { createScriptURL: (url: string) => url });
    const url = URL.createObjectURL(new Blob([program], { type: 'text/javascript' }));
    const worker = new Worker(policy.createScriptURL(url));
    const inWorker = await new Promise<string[]>((resolve, reject) => {
      worker.addEventListener('message', ({ data }) => resolve(data as string[]));
      worker.addEventListener('error', () => reject(new Error('The worker did not start.')));
    });
    return { inPage: names.filter((name) => name in globalThis), inFrame, inWorker };
  });
  expect(found).toEqual({ inPage: [], inFrame: [], inWorker: [] });
});

test('3: the preload script has a world of its own', async ({ page, session }) => {
  const contexts: { name: string; auxData: { isDefault: boolean } }[] = [];
  session.on('Runtime.executionContextCreated', ({ context }) => contexts.push(context as never));
  await session.send('Runtime.enable');
  await expect.poll(() => contexts.map(({ name }) => name)).toContain('Electron Isolated Context');
  expect(contexts.find(({ name }) => name === 'Electron Isolated Context')!.auxData.isDefault).toBe(false);
  // What a page does to its own world does not reach the other one.
  const reply = await page.evaluate(() => {
    const spoilt = (): never => {
      throw new Error('of the page');
    };
    Function.prototype.call = spoilt;
    Array.prototype.map = spoilt;
    Object.prototype.toString = spoilt;
    return self.workbench.start({});
  });
  expect(reply).toMatchObject({ ok: true });
});

test('4: the page runs in the sandbox of the operating system', async ({ page, packed }) => {
  test.skip(!mayHaveSandbox(), 'needs name spaces for users without rights, which this machine forbids');
  await page.reload();
  const { pid, words } = rendererOf(packed.pid);
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  expect(words).not.toContain('--no-sandbox');
  // Filtered system calls, no new rights, no rights at all.
  expect(status).toMatch(/^Seccomp:\s+2$/m);
  expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
  expect(status).toMatch(/^CapEff:\s+0+$/m);
  // Not in the processes and networks of the others.
  expect(status).toMatch(/^NSpid:(?:\s+\d+){3}$/m);
});

test('5: every permission is refused', async ({ page }) => {
  const answers = await page.evaluate(async () => {
    const names = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'midi'];
    const states = await Promise.all(
      names.map(async (name) => (await navigator.permissions.query({ name: name as PermissionName })).state)
    );
    const refusal = (asked: Promise<unknown>): Promise<string> =>
      asked.then(
        () => 'granted',
        (error: Error) => error.name
      );
    return {
      states: [...new Set(states)],
      notification: await Notification.requestPermission(),
      camera: await refusal(navigator.mediaDevices.getUserMedia({ video: true })),
      clipboard: await refusal(navigator.clipboard.readText()),
      place: await new Promise<number>((resolve) =>
        navigator.geolocation.getCurrentPosition(
          () => resolve(0),
          ({ code }) => resolve(code)
        )
      )
    };
  });
  expect(answers.states).toEqual(['denied']);
  expect(answers.notification).toBe('denied');
  // Where there is no camera, that is said first.
  expect(['NotAllowedError', 'NotFoundError']).toContain(answers.camera);
  expect(answers.clipboard).toBe('NotAllowedError');
  expect(answers.place).toBe(1);
});

test('6: the same-origin policy holds', async ({ page, session }) => {
  await session.send('Page.setBypassCSP', { enabled: true });
  await page.reload();
  const sites = await foreignSites(session, {
    [`${FOREIGN}closed`]: { body: 'secret', type: 'text/plain' },
    [`${FOREIGN}open`]: {
      body: 'public',
      type: 'text/plain',
      headers: { 'access-control-allow-origin': '*' }
    }
  });
  const read = (url: string): Promise<string> =>
    page.evaluate(
      (address) =>
        fetch(address).then(
          (reply) => reply.text(),
          () => 'refused'
        ),
      url
    );
  expect(await read(`${FOREIGN}open`)).toBe('public');
  expect(await read(`${FOREIGN}closed`)).toBe('refused');
  expect(sites.asked).toContain(`${FOREIGN}closed`);
  await sites.end();
});

test('7: the page comes under a policy that allows its own files only, and it holds', async ({ page }) => {
  const policy = await page.evaluate(async () =>
    (await fetch('app://winnow/')).headers.get('content-security-policy')
  );
  expect(policy).toBe(CONTENT_SECURITY_POLICY);
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; /);
  expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|\*(?!\{)|https?:/);
  const outcomes = await page.evaluate(async () => {
    const nameOf = (action: () => unknown): string => {
      try {
        action();
        return 'ran';
      } catch (error) {
        return (error as Error).name;
      }
    };
    const script = document.createElement('script');
    const inline = nameOf(() => {
      script.text = 'globalThis.wasRun = true';
      document.body.append(script);
    });
    // Through a timer: what the test itself runs in the page is exempt from the policy.
    const evaluated = await new Promise<string>((resolve) =>
      setTimeout(() => resolve(nameOf(() => (0, eval)('1 + 1'))))
    );
    const html = nameOf(() => {
      document.createElement('div').innerHTML = '<img src=x>';
    });
    const outside = await fetch('https://foreign.test/').then(
      () => 'connected',
      () => 'refused'
    );
    return { inline: 'wasRun' in globalThis ? 'ran' : inline, evaluated, html, outside };
  });
  expect(outcomes).toEqual({
    inline: 'TypeError',
    evaluated: 'EvalError',
    html: 'TypeError',
    outside: 'refused'
  });
});

test('8: a secure page runs nothing that came over an insecure way', async ({ page, session }) => {
  const sites = await foreignSites(session, {
    [FOREIGN]: {
      body: `<script src="${FOREIGN}own.js"></script><script src="http://insecure.test/other.js"></script>`
    },
    [`${FOREIGN}own.js`]: { body: 'self.own = true', type: 'text/javascript' },
    'http://insecure.test/other.js': { body: 'self.other = true', type: 'text/javascript' }
  });
  await page.goto(FOREIGN);
  expect(await page.evaluate(() => ['own', 'other'].filter((name) => name in globalThis))).toEqual(['own']);
  await sites.end();
});

test('9: no experimental feature is on', async ({ page, scratchDirectory }) => {
  const own = await globalsOf(page);
  const experimental = await openPackagedWindow({
    home: scratchDirectory(),
    words: ['--enable-experimental-web-platform-features']
  });
  const all = await globalsOf(experimental.page);
  await experimental.close();
  const experiments = all.filter((name) => !own.includes(name));
  expect(experiments.length).toBeGreaterThan(5);
  expect(textsWith('experimentalFeatures:!0')).toEqual([]);
  expect(textsWith('experimentalFeatures: true')).toEqual([]);
});

test('10: no feature of Blink is switched on', async ({ page, packed }) => {
  await page.reload();
  expect(rendererOf(packed.pid).words).not.toContain('--enable-blink-features');
  expect(textsWith('enableBlinkFeatures')).toEqual([]);
  expect(textsWith('enable-blink-features')).toEqual([]);
});

test('11: a web view with pop-ups is neither written anywhere nor made', async ({ page, packed }) => {
  expect(textsWith('allowpopups')).toEqual([]);
  const isView = await page.evaluate(() => {
    const view = document.createElement('webview');
    view.setAttribute('allowpopups', '');
    view.setAttribute('src', 'https://foreign.test/');
    document.body.append(view);
    return 'loadURL' in view;
  });
  expect(isView).toBe(false);
  rendererOf(packed.pid);
});

test('12: no web view and no frame gets a page, whatever its options', async ({ page, packed, session }) => {
  await session.send('Page.setBypassCSP', { enabled: true });
  await page.reload();
  const sites = await foreignSites(session, { [FOREIGN]: { body: '<p id="foreign">foreign</p>' } });
  const isView = await page.evaluate(async () => {
    const view = document.createElement('webview');
    view.setAttribute('nodeintegration', '');
    view.setAttribute('webpreferences', 'contextIsolation=no,sandbox=no');
    view.setAttribute('src', 'https://foreign.test/');
    const frame = document.createElement('iframe');
    frame.src = 'https://foreign.test/';
    document.body.append(view, frame);
    await new Promise((resolve) => setTimeout(resolve, 500));
    return 'loadURL' in view;
  });
  expect(isView).toBe(false);
  expect(page.frames().filter((frame) => /^https?:/.test(frame.url()))).toEqual([]);
  expect(sites.asked).toEqual([]);
  await sites.end();
  const { targetInfos } = await (await packed.browser.newBrowserCDPSession()).send('Target.getTargets');
  expect(targetInfos.filter(({ type }) => type === 'webview' || type === 'iframe')).toEqual([]);
});

test('13: the page navigates nowhere', async ({ page, session }) => {
  const sites = await foreignSites(session, { [FOREIGN]: { body: 'foreign' } });
  const addresses = [
    FOREIGN,
    'http://foreign.test/',
    'data:text/html,foreign',
    'app://other/',
    'file:///etc/passwd'
  ];
  for (const address of addresses) {
    await page.evaluate((url) => {
      location.href = url;
    }, address);
    await page.evaluate((url) => {
      const link = document.createElement('a');
      link.href = url;
      document.body.append(link);
      link.click();
    }, address);
  }
  await page.waitForTimeout(300);
  expect(page.url()).toBe(OWN_PAGE);
  expect(sites.asked).toEqual([]);
  // The driver itself may, so a navigation would have been seen.
  await page.goto(FOREIGN);
  expect(sites.asked).toEqual([FOREIGN]);
  await sites.end();
});

test('14: the page opens no window', async ({ page, packed }) => {
  const opened = await page.evaluate(() => {
    const link = document.createElement('a');
    link.href = 'app://winnow/';
    link.target = '_blank';
    document.body.append(link);
    link.click();
    return ['https://foreign.test/', 'about:blank', 'app://winnow/', ''].map((url) => open(url) === null);
  });
  expect(opened).toEqual([true, true, true, true]);
  await page.waitForTimeout(300);
  const { targetInfos } = await (await packed.browser.newBrowserCDPSession()).send('Target.getTargets');
  expect(targetInfos.filter(({ type }) => type === 'page')).toHaveLength(1);
});

test('15: nothing is handed to the system but a directory that a person opened', async ({ page, packed }) => {
  expect(textsWith('openExternal')).toEqual([]);
  await page.evaluate(() => {
    for (const url of [
      'mailto:a@foreign.test',
      'https://foreign.test/',
      'file:///etc/passwd',
      'smb://foreign.test/x'
    ]) {
      open(url);
      location.href = url;
    }
  });
  const show = (nodeId: string): Promise<unknown> =>
    page.evaluate((id) => self.workbench.showInFolder({ nodeId: id }), nodeId);
  expect(await show(packed.node.id)).toMatchObject({ ok: true });
  await expect.poll(packed.opened).toEqual([packed.node.dataDirectory]);
  // A path is no id, and a file that has taken the place of the directory would be run.
  expect(await show('/etc')).toMatchObject({ ok: false });
  rmSync(packed.node.dataDirectory, { recursive: true });
  writeFileSync(packed.node.dataDirectory, '#!/bin/sh\n', { mode: 0o755 });
  expect(await show(packed.node.id)).toMatchObject({ ok: false });
  expect(packed.opened()).toEqual([packed.node.dataDirectory]);
});

test('16: the binary is the Electron that package.json and its lock file pin', async ({ page, packed }) => {
  const pinned = packageFile.devDependencies.electron;
  expect(pinned).toMatch(/^\d+\.\d+\.\d+$/);
  expect(lockFile.packages['node_modules/electron'].version).toBe(pinned);
  expect(await page.evaluate(() => navigator.userAgent)).toContain(` Electron/${pinned} `);
  expect(packed.browser.version()).toMatch(/^\d+\./);
});

test('17: a message of another page is refused', async ({ page, session }) => {
  const ask = (): Promise<unknown> => page.evaluate(() => self.workbench.start({}));
  expect(await ask()).toMatchObject({ ok: true });
  // A frame has nothing to send with.
  expect(
    await page.evaluate(() => {
      const frame = document.createElement('iframe');
      document.body.append(frame);
      return 'workbench' in frame.contentWindow!;
    })
  ).toBe(false);
  const sites = await foreignSites(session, {
    [FOREIGN]: { body: 'foreign' },
    'https://winnow/': { body: 'nearly' }
  });
  const refusal = {
    ok: false,
    error: { code: 'InvalidRequest', message: expect.stringContaining('may not send') }
  };
  for (const address of [FOREIGN, 'https://winnow/', 'about:blank']) {
    await page.goto(address);
    expect(await ask()).toMatchObject(refusal);
  }
  await sites.end();
});

test('18: files are served by the own scheme only, and it leaves its folder on no way', async ({ page }) => {
  const statuses = await page.evaluate(() =>
    Promise.all(
      [
        'app://winnow/..%2f..%2fpackage.json',
        'app://winnow/../main/main.js',
        'app://winnow/%2e%2e/main/main.js',
        'app://winnow//etc/passwd',
        'app://winnow/%00',
        'app://winnow/none.js'
      ].map((url) => fetch(url).then((reply) => reply.status))
    )
  );
  expect(statuses.every((status) => status === 403 || status === 404)).toBe(true);
  const read = await page.evaluate(() =>
    Promise.all(
      ['file:///etc/passwd', 'app://other/'].map((url) =>
        fetch(url).then(
          () => 'read',
          () => 'refused'
        )
      )
    )
  );
  expect(read).toEqual(['refused', 'refused']);
});

test('19: each fuse of the binary is as decided, and only our own archive is there', async () => {
  const OFF = 0x30;
  const ON = 0x31;
  const { version: _version, ...wire } = await getCurrentFuseWire(windowExecutable);
  expect(wire).toEqual({
    0: OFF, // ELECTRON_RUN_AS_NODE
    1: ON, // cookies are encrypted
    2: OFF, // NODE_OPTIONS
    3: OFF, // --inspect
    4: OFF, // checksums of the archive: Electron has none on Linux
    5: ON, // only app.asar is loaded
    6: OFF, // a V8 snapshot of its own
    7: OFF, // rights of file://
    8: ON // traps instead of bounds checks in WebAssembly: Electron's default
  });
  expect(readdirSync(resourcesOf()).filter((name) => /^app$|\.asar$/.test(name))).toEqual(['app.asar']);
});

test('20: the page has the verbs of the contract, and nothing of Electron', async ({ page }) => {
  const found = await page.evaluate(() => ({
    names: Object.keys(self.workbench).sort(),
    kinds: [...new Set(Object.values(self.workbench).map((member) => typeof member))],
    electron: ['ipcRenderer', 'electron', 'contextBridge', 'webUtils', 'shell'].filter(
      (name) => name in globalThis
    )
  }));
  expect(found.names).toEqual([...VERB_NAMES, 'follow', 'stopCall'].sort());
  expect(found.kinds).toEqual(['function']);
  expect(found.electron).toEqual([]);
  // What happens is told without the event, whose sender would be Electron's.
  const told = await page.evaluate(async () => {
    const heard = new Promise<string[]>((resolve) => {
      const follow = self.workbench.follow as (listener: (...all: unknown[]) => void) => () => void;
      follow((...all) =>
        resolve(
          all.map((one) =>
            Object.keys(one as object)
              .sort()
              .join()
          )
        )
      );
    });
    await self.workbench.openDirectory({ nodeId: 'none' } as never).catch(() => undefined);
    await self.workbench.setTheme({ theme: 'dark' });
    await self.workbench.restartEngine({});
    return heard;
  });
  expect(told).toHaveLength(1);
  expect(told[0]).not.toContain('sender');
});
