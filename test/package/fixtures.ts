/** What a test of the packaged application begins with. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test as base } from '../e2e/fixtures.ts';

export { expect };

export const test = base.extend<{ scratchDirectory: () => string }>({
  /** Makes a directory of this test's own, removed at its end. */
  // eslint-disable-next-line no-empty-pattern
  scratchDirectory: async ({}, use) => {
    const made: string[] = [];
    await use(() => {
      const directory = mkdtempSync(path.join(tmpdir(), 'winnow-package-'));
      made.push(directory);
      return directory;
    });
    for (const directory of made) rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
});
