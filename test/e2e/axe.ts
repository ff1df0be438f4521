/**
 * Runs axe in a page. Its source is evaluated by the driver, which the page's policy does not hold back; nothing of it
 * ships. Rules of WCAG 2.0 to 2.2, A and AA.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const LOOKS = 3;
const BETWEEN_LOOKS_MS = 500;
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** What axe found, one line for each element at fault; and how many rules were satisfied. */
export interface AxeOutcome {
  faults: string[];
  passes: number;
}

/** A page in the middle of a change has colours that are neither the old nor the new ones: it is looked at again. */
export async function runAxe(page: Page): Promise<AxeOutcome> {
  let outcome = await lookOnce(page);
  for (let look = 1; look < LOOKS && outcome.faults.length > 0; look++) {
    await page.waitForTimeout(BETWEEN_LOOKS_MS);
    outcome = await lookOnce(page);
  }
  return outcome;
}

async function lookOnce(page: Page): Promise<AxeOutcome> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ effect, playState }) => playState === 'finished' || effect?.getTiming().iterations === Infinity
      )
  );
  await page.evaluate(source);
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
