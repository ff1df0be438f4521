/** The window of an installed package. */
import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { NodeRegistry } from '../../src-main/settings/node-registry.ts';
import { removeUnpacked, unpackDatabase } from '../support/golden.ts';
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

test('reads the configuration file of a node with the reader that it loads then', async ({
  scratchDirectory
}) => {
  const home = scratchDirectory();
  const [dataDirectory, configurationFile] = ['database', 'node.yaml'].map((name) =>
    path.join(home, name)
  ) as [string, string];
  cpSync(unpackDatabase({ name: 'rules', folder: 'before' }), dataDirectory, { recursive: true });
  removeUnpacked();
  writeFileSync(configurationFile, 'ScavengeHistoryMaxAge: 12\n');
  new NodeRegistry(home, Date.now).open({ dataDirectory, configurationFile });
  const { page, close } = await openPackagedWindow({ home, words: [dataDirectory] });
  try {
    await expect(page.locator('.overview')).toBeVisible();
    await page.keyboard.press('Control+,');
    await page.getByRole('button', { name: 'Node settings' }).click();
    await page.getByRole('searchbox', { name: 'Find a setting' }).fill('HistoryMaxAge');
    await expect(page.getByRole('row', { name: /ScavengeHistoryMaxAge/ })).toHaveText(/12[\s\S]*node\.yaml/, {
      useInnerText: true
    });
  } finally {
    await close();
  }
});
