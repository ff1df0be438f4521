/** The window in a browser: `winnow serve --ui` as an operator starts it, Chromium in front of it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ElectronApplication, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ensureElectron, extraArgs } from '../../scripts/electron-runtime.mjs';
import { UserStore } from '../../src-main/access/user-store.ts';
import { closeElectron, launchElectron } from '../support/launch-electron.ts';
import { soon } from './soon.ts';

const CLI = path.resolve('out/main/cli.js');
const PASSWORD = 'correct horse';
const LONG = { timeout: 60_000 };

let directory: string;
let database: string;
let users: UserStore;
let service: Service;
let app: ElectronApplication;
let page: Page;
/** What the page's console complained about in the test that runs. */
let problems: string[] = [];

interface Service {
  url: string;
  child: ChildProcess;
  stop: () => Promise<void>;
}

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'winnow-browser-'));
  database = path.join(directory, 'orders');
  await winnow(['sample', database, '--yes']);
  users = new UserStore(path.join(directory, 'home', 'users.json'));
  await users.add('ops', ['$ops'], PASSWORD);
  await users.add('joe', [], PASSWORD);
  service = await startService('0');
  const { ELECTRON_RUN_AS_NODE: _runAsNode, NODE_OPTIONS: _nodeOptions, ...env } = process.env;
  const profile = path.join(directory, 'profile');
  mkdirSync(profile);
  app = await launchElectron({
    executablePath: await ensureElectron(),
    args: [
      ...extraArgs(),
      '--log-level=3',
      path.resolve('test/support/browser-window.mjs'),
      service.url,
      profile
    ],
    env: env as Record<string, string>
  });
  page = await app.firstWindow();
  page.setDefaultTimeout(30_000);
  page.on('console', (message) => {
    // Chromium itself notes each answer that refuses something.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
});
afterAll(async () => {
  await closeElectron(app);
  await service.stop();
  rmSync(directory, { recursive: true, force: true });
});
afterEach(() => {
  const found = problems;
  problems = [];
  expect(found).toEqual([]);
});

function environment(): NodeJS.ProcessEnv {
  return { ...process.env, WINNOW_HOME: path.join(directory, 'home') };
}

async function winnow(words: string[]): Promise<void> {
  const child = spawn(process.execPath, [CLI, ...words], { stdio: 'ignore', env: environment() });
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`winnow ${words.join(' ')} ended with ${String(code)}`);
}

/** `port`: 0 for any. */
async function startService(port: string): Promise<Service> {
  const words = ['serve', database, '--ui', '--single-node', '--port', port];
  const child = spawn(process.execPath, [CLI, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment()
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const hasEnded = new Promise((resolve) => child.on('close', resolve));
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      if (text.includes('\n')) resolve(text);
    });
    void hasEnded.then((code) => reject(new Error(`the service ended with ${String(code)}: ${said}`)));
  });
  const { listening } = JSON.parse(line) as { listening: string };
  return {
    url: listening,
    child,
    stop: async () => {
      child.kill('SIGTERM');
      await hasEnded;
    }
  };
}

async function logIn(name: string, password = PASSWORD): Promise<void> {
  await page.getByRole('textbox', { name: 'User' }).fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

function show(view: string): Promise<void> {
  return page.getByRole('tab', { name: view, exact: true }).click();
}

function bytesOnDisk(): number {
  return readdirSync(database)
    .filter((name) => name.startsWith('chunk-'))
    .reduce((sum, name) => sum + statSync(path.join(database, name)).size, 0);
}

test('nothing of the database is shown before the log-in, and a wrong password is told', async () => {
  await page.getByRole('heading', { name: 'Winnow' }).waitFor();
  await soon(() => page.getByText('orders').count()).toBe(0);
  await logIn('ops', 'wrong password');
  await page.getByText('Wrong user or password.').waitFor();
  await soon(() => page.getByRole('textbox', { name: 'User' }).inputValue()).toBe('ops');
  await soon(() => page.getByLabel('Password').inputValue()).toBe('');
});

test('the log-in leads to the overview of the one node that is served', async () => {
  await logIn('ops');
  await page.getByRole('heading', { level: 1, name: /chunks/ }).waitFor(LONG);
  await page.getByRole('button', { name: 'Log out ops' }).waitFor();
  await soon(() => page.getByRole('button', { name: 'Open…' }).count()).toBe(0);
  await soon(() => page.evaluate(() => document.cookie)).toBe('');
  expect(new URL(page.url()).hash).toMatch(/^#[0-9a-f]+\/overview$/);
});

test('chunks, records with their bytes, and streams are shown as in the window', async () => {
  await show('Chunks');
  await page.locator('[data-chunk="3"]').click();
  await page.getByRole('heading', { name: 'Chunk 3' }).waitFor();
  await page.getByRole('button', { name: 'Show the records' }).click();
  await page.getByRole('grid').getByRole('row').nth(2).click();
  await page.getByRole('button', { name: 'Event id' }).hover();
  await page.locator('.cells .lit').first().waitFor();
  await soon(() => page.locator('.cells .lit').count()).toBe(16);
  await show('Streams');
  await page.getByRole('searchbox').fill('prices');
  await page.getByRole('row', { name: /^prices/ }).click();
  await page.getByText('A reader does not see its first events any more.').waitFor();
});

test('a reload leads back to the same place', async () => {
  await show('Index');
  await page.reload();
  await page.locator('html[data-ready=true]').waitFor();
  await page.locator('[role=tab][aria-selected=true]', { hasText: 'Index' }).waitFor();
});

test('the theme is the browser’s own and is kept', async () => {
  const scheme = (): Promise<string> => page.evaluate(() => document.documentElement.style.colorScheme);
  await page.getByRole('button', { name: /^Theme:/ }).click();
  await soon(() => scheme()).toBe('light');
  await page.reload();
  await page.locator('html[data-ready=true]').waitFor();
  await soon(() => scheme()).toBe('light');
});

test('a path is copied to the clipboard', async () => {
  await page.getByRole('button', { name: 'Copy path' }).click();
  await expect
    .poll(() => app.evaluate(({ clipboard }) => clipboard.readText()), { timeout: 30_000 })
    .toBe(database);
});

test('a verification is followed across a reload', async () => {
  await show('Verify');
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await page.reload();
  await page.locator('html[data-ready=true]').waitFor();
  await page.getByText(/^No damage found/).waitFor(LONG);
});

test('a scavenge shows its plan, asks, goes on during a reload, and leaves smaller chunks', async () => {
  const before = bytesOnDisk();
  await show('Scavenge');
  await page.getByRole('button', { name: 'Make the plan' }).click();
  await page.getByRole('button', { name: /^Remove [\d.]+ MiB from orders…$/ }).click(LONG);
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Remove/ })
    .click();
  await page.getByRole('list').filter({ hasText: 'Chunk execution' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Verify now' }).waitFor(LONG);
  await soon(() => page.getByText(/MiB freed, [\d,]+ records removed\./).count()).toBe(1);
  expect(bytesOnDisk()).toBeLessThan(before);
});

test('a chunk that appears shows without a reload', async () => {
  await show('Chunks');
  const [first = ''] = readdirSync(database).filter((name) => name.startsWith('chunk-'));
  const newer = path.join(database, first.replace(/\d{6}$/, '000099'));
  cpSync(path.join(database, first), newer);
  await page.getByText('Other files in the directory (1)').waitFor(LONG);
  rmSync(newer);
  await page.getByText('Other files in the directory (1)').waitFor({ state: 'detached', ...LONG });
});

test('the end of a session asks for a log-in over the place, and leads back to it', async () => {
  await show('Streams');
  await users.changePassword('ops', 'another horse');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByText('Operations continue in the meantime.').waitFor();
  await logIn('ops', 'another horse');
  await page.getByRole('button', { name: 'Log in' }).waitFor({ state: 'detached' });
  await page.locator('[role=tab][aria-selected=true]', { hasText: 'Streams' }).waitFor();
  await page
    .getByRole('row', { name: /^order/ })
    .first()
    .waitFor();
});

test('a service that ends is told, and one that is back is used again', async () => {
  const { port } = new URL(service.url);
  await service.stop();
  await page.getByText('The service is not responding', { exact: true }).waitFor(LONG);
  service = await startService(port);
  await page.getByRole('button', { name: 'Log in' }).waitFor(LONG);
  await page.getByText('The service is not responding', { exact: true }).waitFor({ state: 'detached' });
  await logIn('ops', 'another horse');
  await page.getByRole('button', { name: 'Log in' }).waitFor({ state: 'detached' });
  await show('Overview');
  await page.getByRole('heading', { level: 1, name: /chunks/ }).waitFor(LONG);
});

test('the log-out leaves nothing of the database on the page', async () => {
  await page.getByRole('button', { name: 'Log out ops' }).click();
  await page.getByRole('textbox', { name: 'User' }).waitFor();
  await soon(() => page.getByText('orders').count()).toBe(0);
});

test('a user without a role looks and verifies, and has no buttons that write', async () => {
  await logIn('joe');
  await page.getByRole('heading', { level: 1, name: /chunks/ }).waitFor(LONG);
  await page.getByText('read only').waitFor();
  await show('Verify');
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await page.getByText(/^No damage found/).waitFor(LONG);
  await show('Scavenge');
  await page.getByRole('button', { name: 'Make the plan' }).click();
  await page.getByText(/^This user needs the role/).waitFor(LONG);
  await soon(() => page.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
  await show('Backups');
  await page.getByText(/cannot be chosen in a browser/).waitFor();
  await soon(() => page.getByRole('button', { name: /^Choose/ }).count()).toBe(0);
});

test('what is written behind the page’s back by such a user is refused in words', async () => {
  const answer = await page.evaluate(async () => {
    const [nodeId] = location.hash.slice(1).split('/');
    const reply = await fetch('/ui/verbs/startWork', {
      method: 'POST',
      headers: { 'x-requested-with': 'winnow', 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'runScavenge', nodeId, request: {} })
    });
    return { status: reply.status, report: (await reply.json()) as { message: string } };
  });
  expect(answer.status).toBe(403);
  expect(answer.report.message).toBe('The user joe may read and verify, but not change anything.');
});

test('no script of another place runs, and no text becomes HTML', async () => {
  const outcome = await page.evaluate(() => {
    try {
      document.createElement('div').innerHTML = '<img src=x>';
      return 'allowed';
    } catch (error) {
      return (error as Error).name;
    }
  });
  expect(outcome).toBe('TypeError');
  problems = [];
});
