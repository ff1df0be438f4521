/**
 * A stranger's round through one database: every view, in each the first, the last and some row, the fields, and every
 * button that only reads. Nothing is written to the database.
 */
import type { Locator } from 'playwright-core';
import { Prng } from '../../support/prng.ts';
import { ODD_NAMES } from './odd-database.ts';
import type { TourWindow } from './tour-window.ts';

/** Buttons that write to the database, leave it, or open something beside the window. */
const LEFT_ALONE =
  /remove|replace|restart|start|stop|forget|delete|repair|mend|rebuild|restore|take a|copy|scavenge now|run|write|save|export|choose|open |cancel|close|create|decide|single node|quit|clear|rename|serve|theme|log in|install|yes|go on/i;
/** A page of hundreds of buttons (a map of chunks) is not pressed through. */
const BUTTONS_PER_VIEW = 14;
const SHORT = { timeout: 3000 };

export async function visitViews(
  tour: TourWindow,
  database: { name: string; seed: number; afterSome?: () => void; viewCount?: number }
): Promise<void> {
  const prng = new Prng(database.seed);
  const tabs = await tour.page.getByRole('tab').allInnerTexts();
  const views = [...new Set(tabs.map((text) => text.trim().split('\n')[0]!))];
  for (const [index, view] of views.entries()) {
    tour.where = `${database.name}, ${view}`;
    if (index === 2) database.afterSome?.();
    tour.step('show the view');
    await press(tour, tour.page.getByRole('tab', { name: view, exact: true }).first());
    await tour.look();
    await lookAtSizes(tour);
    await visitGrids(tour, prng);
    await fillFields(tour, prng);
    await pressButtons(tour);
    await visitGrids(tour, prng);
  }
}

const SIZES = [
  { width: 1024, height: 768, theme: 'dark' },
  { width: 1920, height: 1080, theme: 'dark' },
  { width: 1280, height: 800, theme: 'light' }
] as const;

/** Ends at the size and in the colours that a window begins with. */
async function lookAtSizes(tour: TourWindow): Promise<void> {
  for (const { width, height, theme } of SIZES) {
    tour.step(`${width}x${height}, ${theme}`);
    await tour.theme(theme);
    await tour.resize(width, height);
    await tour.look();
  }
}

async function visitGrids(tour: TourWindow, prng: Prng): Promise<void> {
  const grids = tour.page.locator('#view [role=grid]');
  for (let index = 0; index < Math.min(await grids.count(), 3); index++) {
    const grid = grids.nth(index);
    const name = (await grid.getAttribute('aria-label', SHORT).catch(() => null)) ?? '';
    for (const key of ['Home', 'End']) {
      if (!(await grid.isVisible())) return;
      tour.step(`${key} in the grid "${name}"`);
      await grid.press(key, SHORT).catch(() => undefined);
      await tour.look();
    }
    const rows = grid.getByRole('row');
    const count = await rows.count().catch(() => 0);
    if (count === 0) continue;
    const row = prng.below(count);
    tour.step(`row ${row} of the grid "${name}"`);
    await press(tour, rows.nth(row));
    await tour.look();
    tour.step('Enter');
    await tour.page.keyboard.press('Enter');
    await tour.look();
  }
}

async function fillFields(tour: TourWindow, prng: Prng): Promise<void> {
  const fields = tour.page.locator('#view input:not([type=checkbox]):not([type=radio]), #view textarea');
  for (let index = 0; index < Math.min(await fields.count(), 8); index++) {
    const text = prng.pick([
      '',
      '0',
      '-1',
      '999999999999999999999',
      'prices',
      '* * *',
      '"',
      ...ODD_NAMES.slice(1)
    ]);
    const field = fields.nth(index);
    tour.step(`fill field ${index} with ${JSON.stringify(text.slice(0, 60))}`);
    const type = (await field.getAttribute('type', SHORT).catch(() => null)) ?? '';
    // Nobody can type into a field of a time or a date what is none; only a program can.
    if (/^(time|date|datetime-local)$/.test(type)) continue;
    if (type === 'number' && !/^-?\d+$/.test(text)) continue;
    try {
      await field.fill(text, SHORT);
      await field.press('Enter', SHORT);
    } catch {
      // A field that is disabled or has gone again takes no text.
      continue;
    }
    await tour.look();
    await field.fill('', SHORT).catch(() => undefined);
  }
}

async function pressButtons(tour: TourWindow): Promise<void> {
  const pressed = new Set<string>();
  for (let turn = 0; turn < BUTTONS_PER_VIEW; turn++) {
    const next = await nextButton(tour, pressed);
    if (!next) return;
    pressed.add(next.name);
    tour.step(`press "${next.name}"`);
    await press(tour, next.button);
    await waitForWork(tour);
    await tour.look();
    // A panel or a dialog stands above what comes next, as it should.
    const above = tour.page.locator('[role=alertdialog], [role=dialog], aside[aria-label=Explain]');
    if ((await above.count()) > 0) {
      await tour.page.keyboard.press('Escape');
      await tour.look();
    }
  }
}

/** The first button in sight that was not pressed yet. */
async function nextButton(
  tour: TourWindow,
  pressed: Set<string>
): Promise<{ name: string; button: Locator } | undefined> {
  const buttons = tour.page.locator('#view button:enabled, #view summary, aside button:enabled');
  const names = await buttons.evaluateAll((all) =>
    all.map((one) =>
      one.checkVisibility() ? (one.getAttribute('aria-label') ?? one.textContent).trim().slice(0, 80) : ''
    )
  );
  const index = names.findIndex((name) => name !== '' && !pressed.has(name) && !LEFT_ALONE.test(name));
  return index < 0 ? undefined : { name: names[index]!, button: buttons.nth(index) };
}

/** Reads the strip: work that runs is waited for. */
async function waitForWork(tour: TourWindow): Promise<void> {
  const running = tour.page.locator('[role=progressbar]');
  const end = performance.now() + 90_000;
  while ((await running.count()) > 0) {
    if (performance.now() > end) {
      await tour.found('work does not end within 90 s');
      return;
    }
    await tour.page.waitForTimeout(100);
  }
}

async function press(tour: TourWindow, target: Locator): Promise<void> {
  try {
    await target.click(SHORT);
  } catch (error) {
    // The explain panel lies over a narrow view; a press beside it closes it.
    const explained = tour.page.locator('aside[aria-label=Explain]');
    if ((await explained.count()) > 0) {
      await tour.page.locator('#view').click({ position: { x: 2, y: 2 }, timeout: 1000 });
      return;
    }
    // Rows and buttons come and go while work ends, and a row may stand below the edge of its list.
    const by = /(<[^\n]*) intercepts pointer events/.exec(String(error))?.[1];
    if (by !== undefined && !/role="grid(cell)?"|role="row"|class="[^"]*(row|cell|body)\b/.test(by)) {
      await tour.found(`a target is covered by ${by.slice(0, 200)}`);
    }
  }
}
