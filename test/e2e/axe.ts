/**
 * Looks at a page with axe. Its source is evaluated by the driver, which the page's policy does not hold back; nothing of
 * it ships. Rules of WCAG 2.0 to 2.2, A and AA.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from '@playwright/test';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { PATIENCE_MS } from './patience.ts';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** Fewer satisfied rules than this: axe has seen an empty page. */
const LEAST_PASSES = 6;
/** A page in the middle of a change has colours that are neither the old nor the new ones: it is looked at again. */
const CHANGE = { timeout: PATIENCE_MS / 3, intervals: [500] };

/** What axe found, one line for each element at fault; and how many rules were satisfied. */
interface AxeOutcome {
  faults: string[];
  passes: number;
}

/** As the page is, in its present colours. */
export async function expectAccessible(page: Page, message?: string): Promise<void> {
  await expect(async () => {
    const { faults, passes } = await lookOnce(page);
    expect(faults, message).toEqual([]);
    expect(passes, message).toBeGreaterThanOrEqual(LEAST_PASSES);
  }).toPass(CHANGE);
}

/** In both themes. */
export async function expectAccessibleInThemes(page: Page): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    // Not the theme of the application: the driver's own idea of the system's colours comes before it.
    await page.emulateMedia({ colorScheme: theme });
    await expectAccessible(page, theme);
  }
}

async function lookOnce(page: Page): Promise<AxeOutcome> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ effect, playState }) => playState === 'finished' || effect?.getTiming().iterations === Infinity
      )
  );
  if (!(await page.evaluate(() => 'axe' in self))) await page.evaluate(source);
  const { violations, passes } = await page.evaluate(
    (tags) =>
      (self as unknown as { axe: { run: (options: object) => Promise<AxeResults> } }).axe.run({
        runOnly: { type: 'tag', values: tags },
        resultTypes: ['violations']
      }),
    TAGS
  );
  return {
    passes: passes.length,
    faults: violations.flatMap(({ id, help, nodes }) =>
      nodes.map((node) => `${id} (${help}): ${node.target.join(' ')}  ${node.any[0]?.message ?? node.html}`)
    )
  };
}
