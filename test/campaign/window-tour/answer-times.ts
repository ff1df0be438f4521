/**
 * How long the window takes to answer each click and key: from the event to the next frame that was drawn, by the page's
 * own event timing. Told at the end of a tour, never a fault: a busy machine makes every answer late.
 */
import type { Page } from 'playwright-core';

/** What a person takes as at once, in ms. */
const AT_ONCE_MS = 100;
/** Event timing counts in steps of 8 ms and leaves out what is shorter than this. */
const LEAST_MS = 16;
const SLOWEST_TOLD = 12;

interface Answer {
  /** What was pressed, in words of the page. */
  what: string;
  ms: number;
}

export class AnswerTimes {
  readonly #answers: (Answer & { where: string })[] = [];

  /** From now on, after each load of the page too. */
  async watch(page: Page): Promise<void> {
    await page.addInitScript(watchEvents, LEAST_MS);
    await page.evaluate(watchEvents, LEAST_MS);
  }

  /** Takes what the page has noted since the last time. */
  async take(page: Page, where: string): Promise<void> {
    const noted = await page.evaluate(() => {
      const list = (globalThis as { winnowAnswers?: Answer[] }).winnowAnswers;
      return list?.splice(0) ?? [];
    });
    this.#answers.push(...noted.map((answer) => ({ ...answer, where })));
  }

  tell(): void {
    const sorted = this.#answers.toSorted((a, b) => a.ms - b.ms);
    if (sorted.length === 0) return;
    const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)]?.ms ?? 0;
    const late = sorted.filter(({ ms }) => ms > AT_ONCE_MS);
    console.log(
      `${sorted.length} answers of ${LEAST_MS} ms or more: median ${at(0.5)} ms, 95 % within ${at(0.95)} ms, ` +
        `longest ${at(1)} ms; ${late.length} later than ${AT_ONCE_MS} ms`
    );
    for (const { what, ms, where } of late.slice(-SLOWEST_TOLD).reverse()) {
      console.log(`    ${ms} ms: ${what} (${where})`);
    }
  }
}

/** Runs in the page: closes over nothing. */
function watchEvents(leastMs: number): void {
  const page = globalThis as { winnowAnswers?: Answer[] };
  if (page.winnowAnswers) return;
  const answers: Answer[] = (page.winnowAnswers = []);
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as PerformanceEventTiming[]) {
      if (!['click', 'keydown', 'pointerup'].includes(entry.name)) continue;
      const target = entry.target instanceof Element ? entry.target : null;
      const shown = target?.closest('button, [role], input, select, summary') ?? target;
      const words = (shown?.getAttribute('aria-label') ?? shown?.textContent ?? '').trim().slice(0, 60);
      answers.push({ what: `${entry.name} on "${words.replaceAll(/\s+/g, ' ')}"`, ms: entry.duration });
    }
  }).observe({ type: 'event', durationThreshold: leastMs } as PerformanceObserverInit);
}
