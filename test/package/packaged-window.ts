/**
 * The window of an installed package. Playwright's own way into Electron needs the inspector that a fuse
 * switches off; Chromium's debugging port, which a fuse does not touch, shows the page.
 *
 * Root may not run Chromium's sandbox. So that it can be seen at work, the window of a test that wants it runs as a user
 * without rights where the tests run as root.
 */
import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process';
import { chownSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { chromium, type Browser, type Page } from 'playwright-core';
import { windowExecutable } from './installed.ts';

const START_LIMIT_MS = 30_000;
const ATTEMPTS = 3;
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
/** A user without rights; nothing to change where the tests run as one. */
const OWNER = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

export interface PackagedWindow {
  page: Page;
  browser: Browser;
  /** Of the main process. */
  pid: number;
  close: () => Promise<void>;
}

export interface PackagedLaunch {
  /** WINNOW_HOME. */
  home: string;
  environment?: Record<string, string>;
  words?: readonly string[];
  /** Whether it runs in the sandbox, where this machine lets it: as a user without rights if the tests run as root. */
  isSandboxed?: boolean;
}

/**
 * Whether a user without rights may start the application, and make the name spaces of which Chromium's sandbox consists:
 * Ubuntu's AppArmor rule and many containers forbid the second.
 */
export function mayHaveSandbox(): boolean {
  const words = ['-Ur', 'test', '-x', windowExecutable];
  return spawnSync('unshare', words, { stdio: 'ignore', cwd: '/', ...OWNER }).status === 0;
}

/** Starts the window and waits for its page. */
export async function openPackagedWindow(launch: PackagedLaunch): Promise<PackagedWindow> {
  const child = start(launch);
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  let browser: Browser | undefined;
  const close = async (): Promise<void> => {
    await browser?.close();
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    await ended;
  };
  try {
    browser = await connect(await addressOf(child));
    const context = browser.contexts()[0];
    if (!context) throw new Error('The window has no browser context.');
    const page = context.pages()[0] ?? (await context.waitForEvent('page', { timeout: START_LIMIT_MS }));
    return { page, browser, pid: child.pid!, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The home and all in it become that user's. */
function giveAway(home: string): void {
  chownSync(home, NOBODY, NOBODY);
  for (const name of readdirSync(home, { recursive: true, encoding: 'utf8' })) {
    chownSync(path.join(home, name), NOBODY, NOBODY);
  }
}

type Window = ChildProcessByStdio<null, null, Readable>;

function start({ home, environment = {}, words = [], isSandboxed = !isRoot }: PackagedLaunch): Window {
  const hasSandbox = isSandboxed && mayHaveSandbox();
  if (hasSandbox && isRoot) giveAway(home);
  const more = [...(hasSandbox ? [] : ['--no-sandbox']), ...words];
  return spawn(windowExecutable, [...more, '--log-level=3', '--remote-debugging-port=0'], {
    env: { ...process.env, HOME: home, TMPDIR: home, WINNOW_HOME: home, ...environment },
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    ...(hasSandbox ? OWNER : {})
  });
}

/** Of its debugging port, as it says it itself. */
function addressOf(child: Window): Promise<string> {
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
