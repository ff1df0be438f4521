/** The window of an installed package. */
import type { Page } from 'playwright-core';
import { expect, test as base } from './fixtures.ts';
import { openPackagedWindow, type PackagedWindow } from './packaged-window.ts';

const test = base.extend<{ openPackaged: (environment?: Record<string, string>) => Promise<Page> }>({
  /** Starts the window and waits for its page. Ends it with the test. */
  openPackaged: async ({ scratchDirectory }, use) => {
    const opened: PackagedWindow[] = [];
    await use(async (environment = {}) => {
      const window = await openPackagedWindow({ home: scratchDirectory(), environment });
      opened.push(window);
      return window.page;
    });
    for (const { close } of opened) await close();
  }
});

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
