/**
 * Every view in the smallest window and in larger ones: nothing beyond the edge, nothing cut or over something else, no
 * words of a program, no blank.
 */
import path from 'node:path';
import { runWinnow } from '../main/cli/run-winnow.ts';
import { lookAtPage, waitsFor } from '../campaign/window-tour/page-look.ts';
import type { Page } from 'playwright-core';
import type { ElectronWindow } from './electron-window.ts';
import { answerOpenDialog } from './file-dialogs.ts';
import { expect, test } from './fixtures.ts';
import { resizeWindow } from './resize-window.ts';

async function expectNothingWrong(page: Page): Promise<void> {
  await expect.poll(() => waitsFor(page)).toBe('');
  // Lists and splits measure themselves a frame after they are shown.
  await expect.poll(() => lookAtPage(page)).toEqual([]);
}

/** An element to be planted: its tag, its style, and what is in it. */
type Planted = readonly [string, string, ...(string | Planted)[]];

/** What is looked for, put into the page on purpose. A tag may be followed by an attribute without a value. */
const PLANTED: Record<string, Planted> = {
  'a cut text without an ellipsis: "1 minute ago"': [
    'p',
    'width: 40px; overflow: hidden; white-space: nowrap',
    '1 minute ago'
  ],
  'a cut text without an ellipsis: "2 minutes ago"': [
    'p',
    'width: 40px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap',
    ['span', 'display: inline-flex', '2 minutes ago']
  ],
  'scrolls sideways: div.': ['div', 'width: 60px; overflow: auto', ['div', 'width: 90px', 'row']],
  'words over words: "a table" and "a caption"': [
    'div',
    'position: relative',
    ['span', 'position: absolute; top: 2px', 'a caption'],
    'a table'
  ],
  'the same twice on an axis: "20 Nov"': [
    'div',
    '',
    ['span data-tick', 'margin: 4px', '20 Nov'],
    ['span data-tick', 'margin: 4px', '20 Nov'],
    ['span data-tick', 'margin: 4px', '21 Nov']
  ]
};

for (const [fault, planted] of Object.entries(PLANTED))
  test(`a look finds ${fault}`, async ({ firstScreen }) => {
    const { page } = firstScreen;
    await page.evaluate((tree: string) => {
      const plant = ([tag, style, ...children]: Planted): HTMLElement => {
        const [name, attribute] = tag.split(' ');
        const element = document.createElement(name!);
        if (attribute !== undefined) element.setAttribute(attribute, '');
        element.style.cssText = style;
        element.append(...children.map((child) => (typeof child === 'string' ? child : plant(child))));
        return element;
      };
      const ground = 'position: fixed; inset: 50px auto auto 300px; z-index: 9; background: white';
      const root = plant(['div', ground, JSON.parse(tree) as Planted]);
      root.id = 'planted';
      document.body.append(root);
    }, JSON.stringify(planted));
    const found = await lookAtPage(page);
    await page.evaluate(() => document.getElementById('planted')?.remove());
    expect(
      found.filter((what) => what.startsWith(fault)),
      found.join('\n')
    ).toHaveLength(1);
  });

test('the first screen fits', async ({ openWindow }) => {
  const { page } = await openWindow({ width: 1024, height: 640 });
  await expectNothingWrong(page);
});

for (const { width, height, theme } of [
  { width: 1024, height: 640, theme: 'light' },
  { width: 1024, height: 768, theme: 'dark' },
  { width: 1280, height: 800, theme: 'light' },
  { width: 1920, height: 1080, theme: 'dark' }
] as const)
  test(`every view fits ${width} x ${height}`, async ({ seenSample }) => {
    const { page } = seenSample;
    await page.emulateMedia({ colorScheme: theme });
    await resizeWindow(seenSample, width, height);
    const names = await page.getByRole('tab').allInnerTexts();
    expect(names.length).toBeGreaterThanOrEqual(8);
    for (const name of names) {
      await page.getByRole('tab', { name, exact: true }).click();
      await expect(page.locator('#view')).toHaveText(/\S/, { useInnerText: true });
      await expectNothingWrong(page);
    }
    await page.getByRole('button', { name: 'All nodes at a glance' }).click();
    await expect(page.getByText(/^1 node, none needs a look/)).toBeVisible();
    await expectNothingWrong(page);
  });

test('every view fits at twice the size', async ({ sample }) => {
  const { app, page, show } = sample;
  await resizeWindow(sample, 1280, 800);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(2));
  await expect.poll(() => page.evaluate(() => innerWidth)).toBeLessThanOrEqual(640);
  for (const name of await page.getByRole('tab').allInnerTexts()) {
    await page.getByRole('tab', { name, exact: true }).click();
    await expect(page.locator('#view')).toHaveText(/\S/, { useInnerText: true });
    await expectNothingWrong(page);
    // One long page has one scroll bar.
    expect(
      await page.locator('#view').evaluate((view) => {
        const scrolls = (element: Element): boolean => element.scrollHeight > element.clientHeight + 1;
        const inner = view.firstElementChild!;
        return getComputedStyle(inner).overflowY === 'auto' && scrolls(inner) && scrolls(view);
      }),
      name
    ).toBe(false);
  }
  await show('Scavenge');
  await page.getByRole('button', { name: 'Make the plan' }).click();
  await expect(page.getByRole('button', { name: /^Remove .* from / })).toBeVisible();
  for (const by of ['By category', 'By stream', 'By chunk', 'By rule']) {
    await page.getByRole('tab', { name: by }).click();
    await expectNothingWrong(page);
  }
});

/** At the sizes that bring columns closest together, and at the first one. */
async function expectNothingWrongAtSizes(window: ElectronWindow): Promise<void> {
  for (const [width, height] of [
    [1024, 640],
    [1280, 800]
  ] as const) {
    await resizeWindow(window, width, height);
    await expectNothingWrong(window.page);
  }
}

test('what takes the space fits, and the others are the same in map and table', async ({ seenSample }) => {
  const { page, show } = seenSample;
  await show('Usage');
  await expect(page.getByText(/removable \(/).first()).toBeVisible();
  await expectNothingWrongAtSizes(seenSample);
  await page.getByRole('combobox', { name: 'Group by' }).selectOption('stream');
  await expectNothingWrongAtSizes(seenSample);
  const field = page.getByRole('option', { name: /^\(others\) / });
  const size = / (\S+ \S+) \S+ % removable$/.exec((await field.getAttribute('aria-label')) ?? '')?.[1] ?? '';
  expect(size).toMatch(/\d/);
  await field.click({ position: { x: 3, y: 3 } });
  const row = page.getByRole('grid', { name: 'Items by size' }).getByRole('row', { selected: true });
  await expect(row).toHaveText(/^\(others\)/, { useInnerText: true });
  expect((await row.getByRole('gridcell').allInnerTexts())[1]).toBe(size);
});

test('a catalogue of backups, what is erased in one, and what is extracted fit', async ({ sample, home }) => {
  const { app, page, show, directory } = sample;
  const target = path.join(home, 'backups');
  const { exitCode, stderr } = await runWinnow(
    ['backup', 'create', directory, '--mode', 'full', '--to', target, '--yes'],
    { environment: { WINNOW_HOME: home } }
  );
  expect(exitCode, stderr).toBe(0);
  await answerOpenDialog(app, target);
  await show('Backups');
  await page.getByRole('button', { name: 'Choose a directory…' }).click();
  const row = page.getByRole('grid', { name: 'Backups in this directory' }).getByRole('row').first();
  await row.click();
  await expectNothingWrongAtSizes(sample);
  await row.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Erase inside this backup…' }).click();
  await expectNothingWrongAtSizes(sample);
  await page.getByRole('button', { name: 'Plan the erasure' }).click();
  await expect(page.getByRole('region', { name: 'Plan of the erasure' })).toBeVisible();
  await expectNothingWrongAtSizes(sample);
  await page.keyboard.press('Control+K');
  await page.getByRole('dialog').getByRole('combobox').fill('Extract events');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Support bundle' })).toBeVisible();
  await expectNothingWrongAtSizes(sample);
});

test('a plan and a run fit', async ({ sample }) => {
  const { page, show } = sample;
  await resizeWindow(sample, 1024, 640);
  await show('Scavenge');
  await page.getByLabel('Speed', { exact: true }).fill('5');
  await page.getByRole('button', { name: 'Make the plan' }).click();
  const remove = page.getByRole('button', { name: /^Remove/ });
  await expect(remove).toBeVisible();
  await expectNothingWrongAtSizes(sample);
  await remove.click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Remove/ })
    .click();
  const run = page.getByRole('region', { name: 'Run', exact: true });
  await expect(run).toBeVisible();
  await expectNothingWrongAtSizes(sample);
  await run.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText(/The scavenge was stopped/)).toBeVisible();
  await expectNothingWrongAtSizes(sample);
});

test('tabs stay in reach while something is explained', async ({ seenSample }) => {
  const { page, show } = seenSample;
  await resizeWindow(seenSample, 1024, 640);
  await show('Chunks');
  await page.locator('[data-chunk="3"]').click();
  await page.getByRole('button', { name: 'Why kept?' }).click();
  await expect(page.getByRole('complementary', { name: 'Explain' })).toBeVisible();
  await show('Check and repair');
  await expect(page.getByRole('button', { name: 'Verify', exact: true })).toBeVisible();
});
