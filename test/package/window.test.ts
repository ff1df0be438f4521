/**
 * The window of an installed package. Playwright's own way into Electron needs the inspector that a fuse
 * switches off; Chromium's debugging port, which a fuse does not touch, shows the page.
 */
import { spawn } from 'node:child_process';
import { chromium, type Browser, type Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { extraArgs } from '../../scripts/electron-runtime.mjs';
import { scratchDirectory, windowExecutable } from './installed.ts';

const START_LIMIT_MS = 30_000;
const ATTEMPTS = 3;

/** Starts the window and waits for its page. Ends it with the test. */
async function openWindow(environment: Record<string, string> = {}): Promise<Page> {
  const home = scratchDirectory();
  const child = spawn(windowExecutable, [...extraArgs(), '--log-level=3', '--remote-debugging-port=0'], {
    env: { ...process.env, WINNOW_HOME: home, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true
  });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const opened: Browser[] = [];
  onTestFinished(async () => {
    await opened[0]?.close();
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    await ended;
  });
  const address = await new Promise<string>((resolve, reject) => {
    let heard = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      heard += text;
      const match = /DevTools listening on (ws:\S+)/.exec(heard);
      if (match?.[1] !== undefined) resolve(match[1]);
    });
    child.once('exit', (code) => reject(new Error(`The window ended with ${code}: ${heard}`)));
  });
  const browser = await connect(address);
  opened.push(browser);
  const context = browser.contexts()[0];
  if (!context) throw new Error('The window has no browser context.');
  return context.pages()[0] ?? (await context.waitForEvent('page', { timeout: START_LIMIT_MS }));
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

test('opens its own page and shows something', async () => {
  const page = await openWindow();
  await page.locator('#app', { hasText: /\w{3}/ }).waitFor();
  expect(page.url()).toMatch(/^app:\/\/winnow\//);
});

test('ignores the variables that would make it something else', async () => {
  const page = await openWindow({ ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '--require=/nowhere.js' });
  await page.locator('#app', { hasText: /\w{3}/ }).waitFor();
  expect(page.url()).toMatch(/^app:\/\/winnow\//);
});
