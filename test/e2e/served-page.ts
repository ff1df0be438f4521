/** `winnow serve --ui` as an operator starts it, for tests: its users, its database, Chromium in front of it. */
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { ElectronApplication, Page } from 'playwright-core';
import { extraArgs } from '../../scripts/electron-runtime.mjs';
import { UserStore } from '../../src-main/access/user-store.ts';
import { endElectron, launchElectron } from '../support/launch-electron.ts';
import { expect, test as base } from './fixtures.ts';
import { PATIENCE_MS } from './patience.ts';
import { writtenSample } from './sample-database.ts';
import { endRecording, recordingOptions, startRecording } from './recording.ts';

const CLI = path.resolve('out/main/cli.js');
export const PASSWORD = 'correct horse';
const KEY_FILE = 'licence-key.json';

/** A database that a service of its own serves, for the users `ops` and `joe`. */
interface Served {
  database: string;
  /** A folder that the page may choose from. */
  allowed: string;
  users: UserStore;
  /** A licence that this service takes. */
  licence: string;
  url: string;
  stop: () => Promise<void>;
  /** Serves again, on the same port. */
  startAgain: () => Promise<void>;
}

export const test = base.extend<{ served: Served; app: ElectronApplication; page: Page }>({
  served: async ({ home }, use) => {
    const database = path.join(home, 'orders');
    cpSync(await writtenSample('small'), database, { recursive: true });
    const users = new UserStore(path.join(home, 'users.json'));
    await users.add('ops', ['$ops'], PASSWORD);
    await users.add('joe', [], PASSWORD);
    await users.add('admin', ['$admins'], PASSWORD);
    mkdirSync(path.join(home, 'allowed', 'elsewhere'), { recursive: true });
    const licence = await signLicence(path.join(home, KEY_FILE));
    let service = await startService({ database, home, port: '0' });
    const { url } = service;
    await use({
      database,
      allowed: path.join(home, 'allowed'),
      users,
      licence,
      url,
      stop: () => service.stop(),
      startAgain: async () => {
        service = await startService({ database, home, port: new URL(url).port });
      }
    });
    await service.stop();
  },

  app: async ({ home, served }, use, testInfo) => {
    const { ELECTRON_RUN_AS_NODE: _runAsNode, NODE_OPTIONS: _nodeOptions, ...env } = process.env;
    const profile = path.join(home, 'profile');
    mkdirSync(profile);
    const browser = path.resolve('test/support/browser-window.mjs');
    const app = await launchElectron({
      args: [...extraArgs(), '--log-level=3', browser, served.url, profile],
      env: env as Record<string, string>,
      ...recordingOptions(testInfo)
    });
    await use(app);
    await endElectron(app);
  },

  page: async ({ app, mayComplain }, use, testInfo) => {
    const page = await app.firstWindow();
    const problems: string[] = [];
    page.on('console', (message) => {
      // Chromium itself notes each answer that refuses something.
      if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
        problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    page.setDefaultTimeout(PATIENCE_MS);
    await startRecording({ app, page }, testInfo);
    await use(page);
    const attachVideo = await endRecording({ app, page }, testInfo);
    await endElectron(app);
    await attachVideo();
    if (!mayComplain) expect(problems, 'what the page complained about').toEqual([]);
  }
});

/** With a key of its own, whose public half is written to the file. */
async function signLicence(keyFile: string): Promise<string> {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  writeFileSync(keyFile, JSON.stringify(await exportJWK(publicKey)));
  const claims = new SignJWT({ AUTO_SCAVENGE: true, sub: 'Example Ltd' });
  return claims.setProtectedHeader({ alg: 'EdDSA' }).setExpirationTime('30d').sign(privateKey);
}

/** `port`: 0 for any. */
async function startService(options: {
  database: string;
  home: string;
  port: string;
}): Promise<{ url: string; stop: () => Promise<void> }> {
  const words = ['serve', options.database, '--ui', '--single-node', '--port', options.port];
  words.push('--allow-path', path.join(options.home, 'allowed'));
  words.push('--trust-license-key', path.join(options.home, KEY_FILE));
  const child = spawn(process.execPath, [CLI, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, WINNOW_HOME: options.home }
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
    stop: async () => {
      child.kill('SIGTERM');
      await hasEnded;
    }
  };
}

export async function logIn(page: Page, name: string, password = PASSWORD): Promise<void> {
  await page.getByRole('textbox', { name: 'User' }).fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** Logs in and waits for the overview of the node. */
export async function enter(page: Page, name = 'ops'): Promise<void> {
  await logIn(page, name);
  await expect(page.getByRole('heading', { level: 1, name: /chunks/ })).toBeVisible();
}

export function show(page: Page, view: string): Promise<void> {
  return page.getByRole('tab', { name: view, exact: true }).click();
}
