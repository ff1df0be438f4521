/**
 * What a test in a real window begins with: a display of its worker's own, a home of its own, and windows that are closed
 * with the test. No test knows of another; each one opens what it needs.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test as base } from '@playwright/test';
import { removeUnpacked } from '../support/golden.ts';
import { endElectron } from '../support/launch-electron.ts';
import { launchWindow, overviewHealth, type ElectronWindow, type LaunchOptions } from './electron-window.ts';
import { endRecording, recordingOptions, startRecording } from './recording.ts';
import { resizeWindow } from './resize-window.ts';
import { copySample, type SampleSize } from './sample-database.ts';
import { startVirtualDisplay } from './virtual-display.ts';

export { expect };

/** A window on a sample database of its own, which the overview says to be sound. */
export interface SampleWindow extends ElectronWindow {
  directory: string;
}

interface TestFixtures {
  /** Whether the page may have errors and warnings in its console. Every other test fails by one. */
  mayComplain: boolean;
  sampleSize: SampleSize;
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
  /** A window on the sample database that many tests look at: for those that change nothing in it, nor in its settings. */
  seenSample: SampleWindow;
  /** A window on the first screen that many tests look at: for those that leave no trace in it. */
  firstScreen: ElectronWindow;
}

interface WorkerFixtures {
  display: string;
  lastingWindow: ElectronWindow;
  lastingSample: SampleWindow & { pageState: PageState };
}

/** What a page starts from. */
interface PageState {
  address: string;
  storage: [string, string][];
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  mayComplain: [false, { option: true }],
  sampleSize: ['small', { option: true }],

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

  lastingWindow: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const home = temporaryDirectory();
      const window = await launchWindow({ home });
      await use(window);
      await endElectron(window.app);
      removeDirectory(home);
    },
    { scope: 'worker' }
  ],

  lastingSample: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const home = temporaryDirectory();
      const directory = await copySample(home, 'small');
      const window = await launchWindow({ home, words: [directory] });
      await expect(overviewHealth(window.page, /^sound as of/)).toBeVisible();
      const storage = await window.page.evaluate(() => Object.entries(localStorage) as [string, string][]);
      await use({ ...window, directory, pageState: { address: window.page.url(), storage } });
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

  sampleDirectory: async ({ home, sampleSize }, use) => {
    await use(await copySample(home, sampleSize));
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

  seenSample: async ({ lastingSample, mayComplain }, use, testInfo) => {
    const { page, problems, pageState } = lastingSample;
    await page.emulateMedia({ colorScheme: null });
    await resizeWindow(lastingSample, 1280, 800);
    await page.evaluate(({ address, storage }) => {
      localStorage.clear();
      for (const [key, value] of storage) localStorage.setItem(key, value);
      history.replaceState(null, '', address);
    }, pageState);
    await page.reload();
    await expect(overviewHealth(page, /^sound as of/)).toBeVisible();
    problems.length = 0;
    await startRecording(lastingSample, testInfo);
    await use(lastingSample);
    await endRecording(lastingSample, testInfo);
    if (!mayComplain) expect(problems, 'what the page complained about').toEqual([]);
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
