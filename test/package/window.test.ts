/**
 * The window of an installed package. Playwright's own way into Electron needs the inspector that a fuse
 * switches off; Chromium's debugging port, which a fuse does not touch, shows the page.
 */
import { spawn } from 'node:child_process';
import { chromium, type Browser, type Page } from 'playwright-core';
import { extraArgs } from '../../scripts/electron-runtime.mjs';
import { expect, test as base } from './fixtures.ts';
import { windowExecutable } from './installed.ts';

const START_LIMIT_MS = 30_000;
const ATTEMPTS = 3;

const test = base.extend<{ openPackaged: (environment?: Record<string, string>) => Promise<Page> }>({
  /** Starts the window and waits for its page. Ends it with the test. */
  openPackaged: async ({ scratchDirectory }, use) => {
    const ends: (() => Promise<void>)[] = [];
    await use(async (environment = {}) => {
      const child = start(scratchDirectory(), environment);
      const ended = new Promise<void>((done) => child.once('exit', () => done()));
      const opened: Browser[] = [];
      ends.push(async () => {
        await opened[0]?.close();
        if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
        await ended;
      });
      const browser = await connect(await addressOf(child));
      opened.push(browser);
      const context = browser.contexts()[0];
      if (!context) throw new Error('The window has no browser context.');
      return context.pages()[0] ?? (await context.waitForEvent('page', { timeout: START_LIMIT_MS }));
    });
    for (const end of ends) await end();
  }
});

function start(home: string, environment: Record<string, string>) {
  return spawn(windowExecutable, [...extraArgs(), '--log-level=3', '--remote-debugging-port=0'], {
    env: { ...process.env, WINNOW_HOME: home, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true
  });
}

/** Of its debugging port, as it says it itself. */
function addressOf(child: ReturnType<typeof start>): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    let heard = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      heard += text;
      const match = /DevTools listening on (ws:\S+)/.exec(heard);
      if (match?.[1] !== undefined) resolve(match[1]);
    });
    child.once('exit', (code) => reject(new Error(`The window ended with ${code}: ${heard}`)));
  });
}

/** One connection in some dozens gets no answer from the debugging port on a busy machine; the next one does. */
async function connect(address: string): Promise<Browser> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await chromium.connectOverCDP(address, { timeout: START_LIMIT_MS / ATTEMPTS });
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      console.error(`The window's debugging port did not answer, attempt ${attempt} of ${ATTEMPTS}.`);
    }
  }
}

test('opens its own page and shows something', async ({ openPackaged }) => {
  const page = await openPackaged();
  await expect(page.locator('#app', { hasText: /\w{3}/ })).toBeVisible();
  expect(page.url()).toMatch(/^app:\/\/winnow\//);
});

test('ignores the variables that would make it something else', async ({ openPackaged }) => {
  const page = await openPackaged({ ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '--require=/nowhere.js' });
  await expect(page.locator('#app', { hasText: /\w{3}/ })).toBeVisible();
  expect(page.url()).toMatch(/^app:\/\/winnow\//);
});
