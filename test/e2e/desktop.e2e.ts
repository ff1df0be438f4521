/**
 * The application as one of the desktop's: settings that hold and are kept, the record of what was done, what it is made
 * of, a page that comes back when its process dies, progress in the taskbar, a notice at the end of long work, and
 * twice the size without anything cut off.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expectAccessibleInThemes } from './axe.ts';
import { createSample } from './electron-window.ts';
import { answerSaveDialog } from './file-dialogs.ts';
import { expect, test } from './fixtures.ts';

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

async function openSection(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('button', { name, exact: true }).click();
  await expect(page.getByRole('region', { name, exact: true }).first()).toBeVisible();
}

test('settings open by Ctrl and comma, and Alt and left leads back', async ({ sample }) => {
  const { page } = sample;
  await page.keyboard.press('Control+,');
  await expect(heading(page, 'Settings')).toBeVisible();
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(heading(page, /never scavenged/)).toBeVisible();
});

test('a chosen way to write numbers holds at once and in the next window', async ({ sample }) => {
  const { page, home } = sample;
  await openSection(page, 'Appearance');
  await page.getByRole('combobox', { name: 'Numbers' }).selectOption('point');
  await expect
    .poll(async () => readFileSync(path.join(home, 'window.json'), 'utf8'))
    .toContain('"numbers": "point"');
  await page.getByRole('tab', { name: 'Overview' }).click();
  await expect(page.locator('#view')).toHaveText(/\d,\d+ MiB/, { useInnerText: true });
  await openSection(page, 'Appearance');
  await page.getByRole('combobox', { name: 'Numbers' }).selectOption('comma');
});

test('settings of a node come with their defaults and meaning, and are found while typing', async ({
  window
}) => {
  const { page } = window;
  await openSection(page, 'Node settings');
  await page.getByRole('searchbox', { name: 'Find a setting' }).fill('HistoryMaxAge');
  const row = page.getByRole('row', { name: /ScavengeHistoryMaxAge/ });
  await expect(row).toHaveText(/30[\s\S]*default[\s\S]*How long the history of scavenges is kept/, {
    useInnerText: true
  });
});

test('users are added, and only a hash of the password is kept', async ({ window }) => {
  const { page, home } = window;
  await openSection(page, 'Users');
  await page.getByRole('textbox', { name: 'User', exact: true }).fill('alice');
  await page.getByLabel('Password').fill('a long password');
  await page.getByRole('button', { name: 'Add user' }).click();
  await expect(page.getByRole('row', { name: /alice/ })).toBeVisible();
  const kept = readFileSync(path.join(home, 'users.json'), 'utf8');
  expect(kept).toContain('alice');
  expect(kept).not.toContain('a long password');
});

test('the evaluation licence is chosen by a button', async ({ window }) => {
  const { page } = window;
  await openSection(page, 'Licence');
  await page.getByRole('button', { name: 'Use the evaluation licence' }).click();
  await expect(page.getByText('the evaluation licence', { exact: true })).toBeVisible();
});

test('what was done is listed with its outcome, and copied without the place of the data', async ({
  window
}) => {
  const { app, page, home } = window;
  await createSample(window);
  await page.getByRole('button', { name: 'Activity' }).click();
  const row = page.getByRole('row', { name: /Create the sample database.*done/ });
  await expect(row).toBeVisible();
  await row.click();
  await page.getByRole('button', { name: 'Copy details' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  const text = await app.evaluate(({ clipboard }) => clipboard.readText());
  expect(text).toContain('Operation: writeSample (window)');
  expect(text).toMatch(/Electron: \d+/);
  expect(text).not.toContain(home);
});

test('about names versions and bundled libraries, shows a licence and saves the bill of materials', async ({
  window
}) => {
  const { app, page, home } = window;
  const file = path.join(home, 'bill.json');
  await answerSaveDialog(app, file);
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox').fill('About Winnow');
  await page.keyboard.press('Enter');
  await expect(heading(page, 'About Winnow')).toBeVisible();
  await expect(page.getByText('Chromium', { exact: true })).toBeVisible();
  await page.getByRole('searchbox').fill('zod');
  await page.getByRole('button', { name: /^zod / }).click();
  await expect(page.getByText(/MIT License/)).toBeVisible();
  await page.getByRole('button', { name: 'Save the bill of materials…' }).click();
  await expect(page.getByText(/^Saved as/)).toBeVisible();
  const bill = JSON.parse(readFileSync(file, 'utf8')) as { components: { name: string; scope: string }[] };
  expect(bill.components.find(({ name }) => name === 'zod')?.scope).toBe('required');
  expect(bill.components.find(({ name }) => name === 'vitest')?.scope).toBe('excluded');
});

test('axe finds nothing in settings, activity and about', async ({ window }) => {
  const { page } = window;
  await createSample(window);
  const places: (() => Promise<void>)[] = [
    ...['Appearance', 'Node settings', 'Licence', 'Users', 'Backup targets'].map(
      (name) => () => openSection(page, name)
    ),
    async () => {
      await page.getByRole('button', { name: 'Activity' }).click();
      await page.getByRole('row', { name: /Create the sample database/ }).click();
    },
    async () => {
      await page.keyboard.press('Control+K');
      await page.getByRole('combobox').fill('About Winnow');
      await page.keyboard.press('Enter');
      await expect(page.getByText('Chromium', { exact: true })).toBeVisible();
    }
  ];
  for (const go of places) {
    await go();
    await expectAccessibleInThemes(page);
  }
});

test('the documentation opens from the menu, is searched by keys, and axe finds nothing in it', async ({
  window
}) => {
  const { app, page } = window;
  await app.evaluate(({ Menu }) =>
    (Menu.getApplicationMenu()!.getMenuItemById('documentation')!.click as () => void)()
  );
  await expect(page.getByRole('article', { name: 'First steps' })).toBeVisible();
  await expectAccessibleInThemes(page);
  await page.keyboard.press('Control+f');
  await page.keyboard.type('what truncation does');
  await expect(page.getByText(/places? for “what truncation does”/)).toBeVisible();
  await expectAccessibleInThemes(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const article = page.getByRole('article', { name: 'Restore' });
  await expect(article.getByRole('heading', { name: 'What truncation does' })).toBeInViewport();
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(page.getByRole('article', { name: 'First steps' })).toBeVisible();
});

test('the taskbar shows how far work is, and nothing when it has ended', async ({ sample }) => {
  const { app, page, show } = sample;
  await app.evaluate(({ BrowserWindow }) => {
    const shares: number[] = [];
    Object.assign(globalThis, { shares });
    BrowserWindow.getAllWindows()[0]!.setProgressBar = (share) => void shares.push(share);
  });
  await show('Check and repair');
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await expect(page.getByText(/^No damage found/)).toBeVisible();
  const shares = () => app.evaluate(() => (globalThis as unknown as { shares: number[] }).shares);
  await expect.poll(async () => (await shares()).at(-1)).toBe(-1);
  expect((await shares()).length).toBeGreaterThan(1);
});

test('long work that ends while the window is not in front brings a notice, and none once it is unwanted', async ({
  sample
}) => {
  const { app, page, show } = sample;
  await app.evaluate(({ BrowserWindow, Notification }) => {
    const shown: string[] = [];
    const realNow = Date.now;
    Object.assign(globalThis, { shown, realNow });
    Notification.isSupported = () => true;
    Notification.prototype.show = function (this: { title: string; body: string }) {
      shown.push(`${this.title}: ${this.body}`);
    };
    BrowserWindow.getAllWindows()[0]!.isFocused = () => false;
    // Time is held, so that work of a moment lasts a minute: it jumps with every look at the clock.
    let aheadMs = 0;
    Date.now = () => realNow() + (aheadMs += 31_000);
  });
  const shown = () => app.evaluate(() => (globalThis as unknown as { shown: string[] }).shown);
  await show('Check and repair');
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await expect.poll(shown).toEqual(['Verify sample: Done.']);
  await openSection(page, 'Appearance');
  await page.getByRole('checkbox', { name: 'Notify me when long operations finish' }).click();
  await show('Check and repair');
  await page.getByRole('button', { name: 'Verify again' }).click();
  await page.getByRole('button', { name: 'Stop' }).first().waitFor(); // passes: seen at its frame
  await expect(page.getByRole('button', { name: 'Verify again' })).toBeVisible();
  expect(await shown()).toHaveLength(1);
  await app.evaluate(() => {
    Date.now = (globalThis as unknown as { realNow: () => number }).realNow;
  });
});

/** Elements of the page whose content is wider than they are, hidden and with no way to scroll to it. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const cut: string[] = [];
    const reach = document.documentElement.clientWidth;
    for (const element of document.querySelectorAll<HTMLElement>(
      'button, input, select, h1, h2, h3, label, p'
    )) {
      const box = element.getBoundingClientRect();
      if (box.width === 0 || box.height === 0 || element.closest('.visually-hidden, [aria-hidden=true]'))
        continue;
      let scroller = element.parentElement;
      while (scroller && !/auto|scroll/.test(getComputedStyle(scroller).overflowX))
        scroller = scroller.parentElement;
      const isOutside = box.right > reach + 1 || box.left < -1;
      if (isOutside && scroller === null)
        cut.push(`${element.tagName} ${element.textContent.trim().slice(0, 40)}`);
    }
    return cut;
  });
}

test('twice the size cuts nothing off at 1280x800, is reached by keys, and is kept for the next window', async ({
  sample
}) => {
  const { page, home } = sample;
  for (let presses = 0; presses < 6; presses++) await page.keyboard.press('Control++');
  await expect.poll(() => page.evaluate(() => innerWidth)).toBeLessThanOrEqual(640);
  await expect
    .poll(async () => readFileSync(path.join(home, 'window.json'), 'utf8'))
    .toContain('"zoomPercent": 200');
  for (const name of await page.getByRole('tab').allInnerTexts()) {
    await page.getByRole('tab', { name, exact: true }).click();
    await expect(page.locator('#view')).toHaveText(/\S/, { useInnerText: true });
    await expect.poll(() => cutOff(page)).toEqual([]);
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
      .toBe(true);
  }
  await page.getByRole('tab', { name: 'Chunks', exact: true }).click();
  const row = page.getByRole('grid', { name: 'Chunks' }).getByRole('row').first();
  await row.scrollIntoViewIfNeeded();
  await row.click();
  await expect(page.getByRole('heading', { name: 'Chunk 0' })).toBeVisible();
  for (const section of ['Appearance', 'Node settings', 'Users']) {
    await openSection(page, section);
    await expect.poll(() => cutOff(page)).toEqual([]);
  }
  await page.getByRole('button', { name: 'Activity' }).click();
  await expect(heading(page, 'Activity')).toBeVisible();
  await expect.poll(() => cutOff(page)).toEqual([]);
});

test('preferences are there in the next window', async ({ window, openWindow }) => {
  const { page, home } = window;
  const notify = 'Notify me when long operations finish';
  await openSection(page, 'Appearance');
  await page.getByRole('checkbox', { name: notify }).click();
  await expect(page.getByRole('checkbox', { name: notify })).not.toBeChecked();
  await window.close();
  expect(existsSync(path.join(home, 'window.json'))).toBe(true);
  const values = JSON.parse(readFileSync(path.join(home, 'window.json'), 'utf8')) as object;
  writeFileSync(path.join(home, 'window.json'), JSON.stringify({ ...values, zoomPercent: 150 }));
  const next = await openWindow();
  await expect.poll(() => next.page.evaluate(() => Math.round(devicePixelRatio * 100) / 100)).toBe(1.5);
  await next.page.getByRole('button', { name: 'Settings', exact: true }).click();
  await expect(next.page.getByText('150 %')).toBeVisible();
  await expect(next.page.getByRole('checkbox', { name: notify })).not.toBeChecked();
});

test('a page whose process dies comes back, and work that ran meanwhile is there with its outcome', async ({
  sample
}) => {
  const { app, page, show } = sample;
  await page
    .getByRole('navigation')
    .getByRole('button', { name: /^sample/ })
    .click();
  await show('Check and repair');
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await page.getByRole('button', { name: 'Stop' }).first().waitFor(); // passes: seen at its frame
  // The driver loses a page that dies; Electron itself is asked. A page that is on its way never answers.
  const inPage = (code: string): Promise<string> =>
    app.evaluate(({ BrowserWindow }, script) => {
      const { webContents } = BrowserWindow.getAllWindows()[0]!;
      if (webContents.isCrashed() || webContents.isLoading()) return '';
      const answer = webContents.executeJavaScript(script).then(String, () => '');
      return Promise.race([answer, new Promise<string>((resolve) => setTimeout(() => resolve(''), 2000))]);
    }, code);
  const crashed = app.evaluate(({ BrowserWindow }) => {
    const { webContents } = BrowserWindow.getAllWindows()[0]!;
    return new Promise<string>((resolve) => {
      webContents.once('render-process-gone', (_event, { reason }) => resolve(reason));
      webContents.forcefullyCrashRenderer();
    });
  });
  expect(await crashed).toMatch(/crashed|killed/);
  await expect.poll(() => inPage('document.documentElement.dataset.ready ?? ""')).toBe('true');
  await expect
    .poll(() => inPage('document.querySelector("footer")?.innerText ?? ""'))
    .toMatch(/Verify sample/);
  await expect.poll(() => inPage('document.querySelector("footer")?.innerText ?? ""')).toMatch(/done/);
});

test('the application menu carries out what the page can do, and greys out what it cannot', async ({
  sample
}) => {
  const { app, page } = sample;
  const choose = (id: string) =>
    app.evaluate(
      ({ Menu }, wanted) => (Menu.getApplicationMenu()!.getMenuItemById(wanted)!.click as () => void)(),
      id
    );
  const isPossible = (id: string) =>
    app.evaluate(({ Menu }, wanted) => Menu.getApplicationMenu()!.getMenuItemById(wanted)!.enabled, id);
  await expect.poll(() => isPossible('stop')).toBe(false);
  await expect.poll(() => isPossible('verify')).toBe(true);
  await choose('view.chunks');
  await expect(page.getByRole('tab', { name: 'Chunks', selected: true })).toBeVisible();
  await choose('shortcuts');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.getTitle())).toBe(
    'sample — Winnow'
  );
});
