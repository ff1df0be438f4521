/**
 * Looks at a page with axe. Its source is evaluated by the driver, which the page's policy does not hold back; nothing of
 * it ships. Rules of WCAG 2.0 to 2.2, A and AA.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { PATIENCE_MS } from './patience.ts';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** Fewer rules than this had something to look at: axe has seen an empty page. */
const LEAST_RULES = 6;
/** A page in the middle of a change has colours that are neither the old nor the new ones: it is looked at again. */
const CHANGE = { timeout: PATIENCE_MS / 3, intervals: [500] };

/** What axe found, one line for each element at fault; and how many rules had something to look at. */
interface AxeOutcome {
  faults: string[];
  rules: number;
}

/** As the page is, in its present colours. */
export function expectAccessible(page: Page, message?: string): Promise<void> {
  return expectOf(page, { runOnly: { type: 'tag', values: TAGS } }, { least: LEAST_RULES, message });
}

async function expectOf(
  page: Page,
  rules: RunOptions,
  { least, message }: { least: number; message: string | undefined }
): Promise<void> {
  await expect(async () => {
    const seen = await lookOnce(page, rules);
    expect(seen.faults, message).toEqual([]);
    expect(seen.rules, message).toBeGreaterThanOrEqual(least);
  }).toPass(CHANGE);
}

/** In both themes: all rules in the light one, and in the dark one that of colours, the only thing that is another there. */
export async function expectAccessibleInThemes(page: Page): Promise<void> {
  // Not the theme of the application: the driver's own idea of the system's colours comes before it.
  await page.emulateMedia({ colorScheme: 'light' });
  await expectAccessible(page, 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectOf(
    page,
    { runOnly: { type: 'rule', values: ['color-contrast'] } },
    { least: 1, message: 'dark' }
  );
}

async function lookOnce(page: Page, rules: RunOptions): Promise<AxeOutcome> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ effect, playState }) => playState === 'finished' || effect?.getTiming().iterations === Infinity
      )
  );
  if (!(await page.evaluate(() => 'axe' in self))) await page.evaluate(source);
  const { violations, passes, incomplete } = await page.evaluate(
    (options) =>
      (self as unknown as { axe: { run: (options: RunOptions) => Promise<AxeResults> } }).axe.run(options),
    { ...rules, resultTypes: ['violations' as const] }
  );
  return {
    rules: passes.length + incomplete.length + violations.length,
    faults: violations.flatMap(({ id, help, nodes }) =>
      nodes.map((node) => `${id} (${help}): ${node.target.join(' ')}  ${node.any[0]?.message ?? node.html}`)
    )
  };
}
