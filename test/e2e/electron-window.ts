/**
 * Starts the built application in a real Electron window with a home of its own, and notes what the page complains
 * about. `npm run build` (or `npm run test:e2e`, which does both) must have been run before.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ElectronApplication, Locator, Page } from 'playwright-core';
import { extraArgs } from '../../scripts/electron-runtime.mjs';
import { closeElectron, launchElectron, type ElectronLaunch } from '../support/launch-electron.ts';
import { PATIENCE_MS } from './patience.ts';

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
  /** Beside the environment of this process; what is undefined is left out of it. */
  environment?: Readonly<Record<string, string | undefined>>;
  /** Of Playwright; needs its ffmpeg. */
  recordVideo?: NonNullable<ElectronLaunch['recordVideo']>;
}

export async function launchWindow(options: LaunchOptions = {}): Promise<ElectronWindow> {
  const home = options.home ?? mkdtempSync(path.join(tmpdir(), 'winnow-e2e-'));
  // Electron started by another Electron or with Node's own options would be plain Node.
  const { ELECTRON_RUN_AS_NODE: _runAsNode, NODE_OPTIONS: _nodeOptions, ...env } = process.env;
  const { app, page } = await launchDrawing({
    args: [
      options.application ?? process.env['WINNOW_APPLICATION'] ?? '.',
      ...(options.words ?? []),
      ...extraArgs(),
      ...ALWAYS_DRAWING,
      '--log-level=3'
    ],
    cwd: process.cwd(),
    // In English, whatever the system speaks.
    env: definedIn({ ...env, LANGUAGE: 'en', ...options.environment, WINNOW_HOME: home }),
    ...(options.recordVideo && { recordVideo: options.recordVideo })
  });
  // An action has as long as what is expected (playwright.config.ts).
  page.setDefaultTimeout(PATIENCE_MS);
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  const size = { width: options.width ?? 1280, height: options.height ?? 800 };
  await app.evaluate(({ BrowserWindow }, { width, height }) => {
    BrowserWindow.getAllWindows()[0]?.setContentSize(width, height);
  }, size);
  return {
    app,
    page,
    home,
    problems,
    show: async (view) => {
      if (view !== 'Schedule') return page.getByRole('tab', { name: view, exact: true }).click();
      // In no list of views: it belongs to a cluster, and of a node is reached by its own command.
      await page.keyboard.press('Control+k');
      return page.getByText('Schedule of this node…').click();
    },
    close: async ({ keepHome } = { keepHome: false }) => {
      await closeElectron(app);
      if (!keepHome) rmSync(home, { recursive: true, force: true });
    }
  };
}

/** Creates the sample database from the first screen and waits until it is shown. */
export async function createSample({ page }: ElectronWindow): Promise<void> {
  await page.getByRole('button', { name: 'Create the sample database' }).click();
  await overviewHealth(page, /^sound as of/).waitFor();
}

/** How the node is, as the overview says it. */
export function overviewHealth(page: Page, words: RegExp): Locator {
  return page.locator('.overview .health').getByText(words);
}

/** A window that the system believes to be hidden draws nothing, and the driver would wait for its next frame for ever. */
const ALWAYS_DRAWING = [
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-background-timer-throttling'
];
const DRAW_MS = 15_000;
const ATTEMPTS = 3;

/**
 * Starts the application until its page is ready and draws: on a busy machine a window now and then comes up without
 * ever drawing a frame, which no person would look at for long either.
 */
async function launchDrawing(options: ElectronLaunch): Promise<{ app: ElectronApplication; page: Page }> {
  for (let attempt = 1; ; attempt++) {
    const app = await launchElectron(options);
    try {
      const page = await app.firstWindow();
      await page.locator('html[data-ready=true]').waitFor();
      await page.waitForFunction(
        () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(true)))),
        undefined,
        { timeout: DRAW_MS, polling: 100 }
      );
      return { app, page };
    } catch (error) {
      await closeElectron(app);
      if (attempt === ATTEMPTS) throw error;
      console.error(`The window did not draw, attempt ${attempt} of ${ATTEMPTS}: ${String(error)}`);
    }
  }
}

function definedIn(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  );
}
