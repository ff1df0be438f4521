/**
 * Tests in a real window (docs/decisions/0032). They need a build: `node scripts/build.mjs`, which `npm test -- e2e` does.
 *   npx playwright test -g "a chunk tells whether"
 */
import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { PATIENCE_MS } from './test/e2e/patience.ts';
import { offerFfmpeg } from './test/e2e/recording.ts';

offerFfmpeg();

export default defineConfig({
  globalSetup: './test/e2e/global-samples.ts',
  // Any test may run beside any other, before or after it.
  fullyParallel: true,
  // One more than there are processors: a test waits for a quarter of its time, for a window or for the next look at a node.
  workers: availableParallelism() + 1,
  // One more attempt, recorded (test/e2e/recording.ts); both are reported.
  retries: 1,
  timeout: 3 * PATIENCE_MS,
  expect: { timeout: PATIENCE_MS },
  forbidOnly: process.env['CI'] !== undefined,
  outputDir: 'test-results/window',
  reporter: [
    ['list'],
    ['json', { outputFile: process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] ?? 'test-results/window.json' }]
  ],
  projects: [
    { name: 'e2e', testDir: 'test/e2e', testMatch: '**/*.e2e.ts' },
    // Needs release/linux-unpacked: `npm run package`. One after the other: they build in the same checkout.
    { name: 'package', testDir: 'test/package', testMatch: '**/*.test.ts', workers: 1 }
  ]
});
