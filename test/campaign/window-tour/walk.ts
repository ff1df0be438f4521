/**
 * A walk without aim: presses whatever is in sight, types into whatever takes text, resizes, goes back and forward.
 * What it does is determined by the seed and by what the page shows. The database is a copy: everything is allowed.
 */
import { Prng } from '../../support/prng.ts';
import { ODD_NAMES } from './odd-database.ts';
import type { TourWindow } from './tour-window.ts';

const TEXTS = [
  '',
  '0',
  '1',
  '-1',
  '7.5',
  '999999999999',
  'prices',
  'metrics',
  '0 0 * * *',
  'type:x',
  '/tmp',
  '"'
];
const KEYS = [
  'Escape',
  'Enter',
  'Tab',
  'Shift+Tab',
  'ArrowDown',
  'ArrowUp',
  'ArrowRight',
  'End',
  'Home',
  'PageDown',
  'F5',
  'Space',
  'Control+k',
  'Control+b',
  'Alt+ArrowLeft',
  'Alt+ArrowRight',
  ...Array.from({ length: 9 }, (_, index) => `Control+${index + 1}`)
];
const SIZES = [
  { width: 1024, height: 640 },
  { width: 1280, height: 800 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 }
] as const;

/** What can be pressed, as it stands in the page: its words and the middle of what is in sight of it. */
interface Target {
  words: string;
  x: number;
  y: number;
  takesText: boolean;
}

export async function walk(
  tour: TourWindow,
  options: { seed: number; endMs: number; reopen: () => Promise<void> }
): Promise<number> {
  const prng = new Prng(options.seed);
  let steps = 0;
  for (; performance.now() < options.endMs; steps++) {
    tour.where = `walk of seed ${options.seed}, step ${steps}`;
    await takeStep(tour, prng);
    await tour.look();
    // From outside every node there is a way back.
    if ((await tour.page.getByRole('tab').count()) === 0 && prng.chance(0.2)) await options.reopen();
  }
  return steps;
}

async function takeStep(tour: TourWindow, prng: Prng): Promise<void> {
  const { page } = tour;
  const roll = prng.below(100);
  if (roll < 76) return pressSomething(tour, prng);
  if (roll < 90) {
    const key = prng.pick(KEYS);
    tour.step(`key ${key}`);
    return page.keyboard.press(key);
  }
  if (roll < 94) {
    const size = prng.pick(SIZES);
    tour.step(`resize to ${size.width}x${size.height}`);
    return tour.resize(size.width, size.height);
  }
  if (roll < 96) {
    const theme = prng.pick(['light', 'dark'] as const);
    tour.step(`theme ${theme}`);
    return tour.theme(theme);
  }
  if (roll < 98) {
    tour.step('reload');
    await page.reload();
    await page.locator('html[data-ready=true]').waitFor();
    return;
  }
  const tabs = page.getByRole('tab');
  const count = await tabs.count();
  if (count === 0) return;
  const index = prng.below(count);
  tour.step(`tab ${index}`);
  await tabs
    .nth(index)
    .click({ timeout: 2000 })
    .catch(() => undefined);
}

async function pressSomething(tour: TourWindow, prng: Prng): Promise<void> {
  const { page } = tour;
  const targets = await page.evaluate(targetsInSight);
  if (targets.length === 0) return;
  const target = prng.pick(targets);
  tour.step(`press ${target.words}`);
  const isTwice = prng.chance(0.05);
  await page.mouse.click(target.x, target.y, { clickCount: isTwice ? 2 : 1 });
  if (!target.takesText) return;
  const text = prng.chance(0.3) ? prng.pick(ODD_NAMES).slice(0, 300) : prng.pick(TEXTS);
  tour.step(`type ${JSON.stringify(text.slice(0, 80))}`);
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
  if (prng.chance(0.5)) await page.keyboard.press('Enter');
}

/** Runs in the page: closes over nothing. */
function targetsInSight(): Target[] {
  const SELECTOR =
    'button, [role=tab], [role=row], [role=option], [role=menuitem], [role=checkbox], [role=switch], input, textarea, ' +
    'select, summary, a[href], [data-chunk], [role=slider], .cells [data-at]';
  const targets: Target[] = [];
  let rows = 0;
  for (const element of document.querySelectorAll(SELECTOR)) {
    if (element.matches(':disabled, [aria-disabled=true]') || !element.checkVisibility()) continue;
    // A table of many rows must not drown the buttons.
    if (element.matches('[role=row], [data-chunk], .cells [data-at]') && ++rows > 12) continue;
    const box = element.getBoundingClientRect();
    const x = (Math.max(box.left, 0) + Math.min(box.right, innerWidth)) / 2;
    const y = (Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2;
    if (box.width === 0 || box.height === 0 || x < 0 || y < 0 || x > innerWidth || y > innerHeight) continue;
    const hit = document.elementFromPoint(x, y);
    if (!hit || !(element === hit || element.contains(hit) || hit.contains(element))) continue;
    const words = (element.getAttribute('aria-label') ?? element.textContent).trim().replaceAll(/\s+/g, ' ');
    const isField = element.matches(
      'textarea, input:not([type=checkbox]):not([type=radio]):not([type=range])'
    );
    targets.push({
      words: `${element.getAttribute('role') ?? element.tagName.toLowerCase()} "${words.slice(0, 60)}"`,
      x,
      y,
      takesText: isField
    });
  }
  return targets;
}
