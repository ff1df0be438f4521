/**
 * Starts the built application in a real Electron window with a home of its own, and notes what the page complains
 * about. `npm run build` (or `npm run test:e2e`, which does both) must have been run before.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ElectronApplication, Page } from 'playwright-core';
import { ensureElectron, extraArgs } from '../../scripts/electron-runtime.mjs';
import { closeElectron, launchElectron } from '../support/launch-electron.ts';

export interface ElectronWindow {
  app: ElectronApplication;
  page: Page;
  home: string;
  /** Errors and warnings of the page's console, and uncaught exceptions. */
  problems: string[];
  /** Goes to a view by its tab. */
  show: (view: string) => Promise<void>;
  /** Ends the application; the home is removed unless another window is to be opened on it. */
  close: (options?: { keepHome: boolean }) => Promise<void>;
}

export interface LaunchOptions {
  /** Words after the application's path: a data directory to open. */
  words?: string[];
  /** The home of an earlier window, to open another on it. */
  home?: string;
  width?: number;
  height?: number;
  /** Directory with package.json and out/ of the build to start; WINNOW_APPLICATION or this checkout otherwise. */
  application?: string;
}

export async function launchWindow(options: LaunchOptions = {}): Promise<ElectronWindow> {
  const executablePath = await ensureElectron();
  const home = options.home ?? mkdtempSync(path.join(tmpdir(), 'winnow-e2e-'));
  // Electron started by another Electron or with Node's own options would be plain Node.
  const { ELECTRON_RUN_AS_NODE: _runAsNode, NODE_OPTIONS: _nodeOptions, ...env } = process.env;
  const app = await launchElectron({
    executablePath,
    args: [
      options.application ?? process.env['WINNOW_APPLICATION'] ?? '.',
      ...(options.words ?? []),
      ...extraArgs(),
      '--log-level=3'
    ],
    cwd: process.cwd(),
    env: { ...definedIn(env), WINNOW_HOME: home }
  });
  const page = await app.firstWindow();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  await page.locator('html[data-ready=true]').waitFor();
  const size = { width: options.width ?? 1280, height: options.height ?? 800 };
  await app.evaluate(({ BrowserWindow }, { width, height }) => {
    BrowserWindow.getAllWindows()[0]?.setContentSize(width, height);
  }, size);
  return {
    app,
    page,
    home,
    problems,
    show: (view) => page.getByRole('tab', { name: view, exact: true }).click(),
    close: async ({ keepHome } = { keepHome: false }) => {
      await closeElectron(app);
      if (!keepHome) rmSync(home, { recursive: true, force: true });
    }
  };
}

/** Creates the sample database from the first screen and waits until it is shown. */
export async function createSample({ page }: ElectronWindow): Promise<void> {
  await page.getByRole('button', { name: 'Create the sample database' }).click();
  await page.getByRole('heading', { name: /nothing is wrong/ }).waitFor({ timeout: 60_000 });
}

function definedIn(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  );
}
