/**
 * What a test in a real window begins with: a display of its worker's own, a home of its own, and windows that are closed
 * with the test. No test knows of another; each one opens what it needs.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test as base } from '@playwright/test';
import { NodeRegistry } from '../../src-main/settings/node-registry.ts';
import { removeUnpacked } from '../support/golden.ts';
import { endElectron } from '../support/launch-electron.ts';
import { launchWindow, overviewHealth, type ElectronWindow, type LaunchOptions } from './electron-window.ts';
import { endRecording, recordingOptions, startRecording } from './recording.ts';
import { startVirtualDisplay } from './virtual-display.ts';

export { expect };

/** What an action may take on a busy machine; what is expected has as long (playwright.config.ts). */
const PATIENCE_MS = 60_000;

/** A window on a sample database of its own, which the overview says to be sound. */
export interface SampleWindow extends ElectronWindow {
  directory: string;
}

interface TestFixtures {
  /** Whether the page may have errors and warnings in its console. Every other test fails by one. */
  mayComplain: boolean;
  /** WINNOW_HOME of this test, and a place for its files. */
  home: string;
  /** Opens a window, by default on the home of this test; closed at the latest with the test. */
  openWindow: (options?: LaunchOptions) => Promise<ElectronWindow>;
  /** A window that shows the first screen. */
  window: ElectronWindow;
  /** A copy of the sample database, known to the windows of this test. */
  sampleDirectory: string;
  /** Opens a window on that, and waits until the overview says that it is sound. */
  openSample: (options?: LaunchOptions) => Promise<SampleWindow>;
  sample: SampleWindow;
  /** A window on the first screen that many tests look at: for those that leave no trace in it. */
  firstScreen: ElectronWindow;
}

interface WorkerFixtures {
  display: string;
  /** A sample database, to be copied. */
  pristineSample: string;
  lastingWindow: ElectronWindow;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  mayComplain: [false, { option: true }],

  display: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const display = await startVirtualDisplay();
      if (display) {
        process.env['DISPLAY'] = display.name;
        delete process.env['WAYLAND_DISPLAY'];
      }
      await use(process.env['DISPLAY'] ?? '');
      await display?.close();
    },
    { scope: 'worker', auto: true }
  ],

  pristineSample: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const directory = temporaryDirectory();
      await writeSample(path.join(directory, 'sample'), directory);
      await use(path.join(directory, 'sample'));
      removeDirectory(directory);
    },
    { scope: 'worker' }
  ],

  lastingWindow: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const home = temporaryDirectory();
      const window = await launchWindow({ home });
      window.page.setDefaultTimeout(PATIENCE_MS);
      await use(window);
      await endElectron(window.app);
      removeDirectory(home);
    },
    { scope: 'worker' }
  ],

  // eslint-disable-next-line no-empty-pattern
  home: async ({}, use) => {
    const home = temporaryDirectory();
    await use(home);
    removeDirectory(home);
    removeUnpacked();
  },

  openWindow: async ({ home, mayComplain }, use, testInfo) => {
    const opened: ElectronWindow[] = [];
    const ended = new Set<ElectronWindow>();
    const end = async (window: ElectronWindow, close: () => Promise<void>): Promise<void> => {
      if (ended.has(window)) return;
      ended.add(window);
      const attachVideo = await endRecording(window, testInfo);
      await close();
      await attachVideo();
    };
    await use(async (options = {}) => {
      const window = await launchWindow({ home, ...recordingOptions(testInfo), ...options });
      opened.push(window);
      window.page.setDefaultTimeout(PATIENCE_MS);
      await startRecording(window, testInfo);
      return { ...window, close: () => end(window, () => window.close({ keepHome: true })) };
    });
    for (const window of opened) await end(window, () => endElectron(window.app));
    if (!mayComplain) {
      expect(
        opened.flatMap(({ problems }) => problems),
        'what the page complained about'
      ).toEqual([]);
    }
  },

  window: async ({ openWindow }, use) => {
    await use(await openWindow());
  },

  sampleDirectory: async ({ home, pristineSample }, use) => {
    const directory = path.join(home, 'samples', 'sample');
    cpSync(pristineSample, directory, { recursive: true });
    new NodeRegistry(home, Date.now).open({ dataDirectory: directory, isSample: true });
    await use(directory);
  },

  openSample: async ({ sampleDirectory: directory, openWindow }, use) => {
    await use(async (options = {}) => {
      const window = await openWindow({ words: [directory], ...options });
      await expect(overviewHealth(window.page, /^sound as of/)).toBeVisible();
      return { ...window, directory };
    });
  },

  sample: async ({ openSample }, use) => {
    await use(await openSample());
  },

  firstScreen: async ({ lastingWindow, mayComplain }, use, testInfo) => {
    const { page, problems } = lastingWindow;
    await page.reload();
    await expect(page.locator('html[data-ready=true]')).toBeVisible();
    problems.length = 0;
    await startRecording(lastingWindow, testInfo);
    await use(lastingWindow);
    await endRecording(lastingWindow, testInfo);
    if (!mayComplain) expect(problems, 'what the page complained about').toEqual([]);
  }
});

function temporaryDirectory(): string {
  return mkdtempSync(path.join(tmpdir(), 'winnow-e2e-'));
}

/** Processes that are ending may still write there. */
function removeDirectory(directory: string): void {
  rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

async function writeSample(directory: string, home: string): Promise<void> {
  const words = ['out/main/cli.js', 'sample', directory, '--yes', '--quiet'];
  const env = { ...process.env, WINNOW_HOME: home };
  const command = spawn(process.execPath, words, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(command, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`winnow ${words.slice(1).join(' ')} ended with ${String(code)}`);
}
