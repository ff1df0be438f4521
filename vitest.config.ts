import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { documentation } from './scripts/documentation-plugin.ts';
import { ALONE } from './test/support/alone.ts';
import { LongestFirst } from './test/support/longest-first.ts';

// Hundreds of tests start commands: compiling is much of what a command costs, so what was compiled is kept, for every
// process that a test starts.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
  new URL('node_modules/.cache/winnow-tests', import.meta.url)
);

/** Threads and commands of tests: as users have them, or counted (`npm run coverage`). */
const threads =
  process.env['WINNOW_COVERED'] === undefined
    ? 'test/support/built-threads.ts'
    : 'test/support/covered-processes.ts';

/** What a test waits for comes at once, or late on a busy machine. */
const PATIENCE_MS = 60_000;

const PROJECTS: TestProjectInlineConfiguration[] = [
  {
    test: {
      name: 'core',
      environment: 'node',
      include: ['test/core/**/*.test.ts', 'test/*.test.ts'],
      testTimeout: 180_000,
      // Hooks write the databases that tests look at.
      hookTimeout: 180_000
    }
  },
  {
    test: {
      name: 'main',
      environment: 'node',
      include: ['test/main/**/*.test.ts'],
      globalSetup: ['test/support/build-command-line.mjs'],
      setupFiles: [threads],
      testTimeout: 180_000,
      // Hooks run the same commands as tests do.
      hookTimeout: 180_000
    }
  },
  {
    test: {
      name: 'scenarios',
      environment: 'node',
      include: ['test/{scenarios,crash,fuzz,golden}/**/*.test.ts'],
      globalSetup: ['test/support/build-command-line.mjs'],
      setupFiles: [threads],
      testTimeout: 600_000,
      // Hooks scavenge, kill and restore as tests do.
      hookTimeout: 600_000
    }
  },
  {
    plugins: [svelte(), svelteTesting(), documentation()],
    test: {
      name: 'renderer',
      environment: 'happy-dom',
      setupFiles: ['test/renderer/setup.ts'],
      testTimeout: 180_000,
      // A hook may load the first view.
      hookTimeout: 180_000,
      include: ['test/renderer/**/*.test.ts']
    }
  }
];

/**
 * A project whose files share processes, so that what they import is evaluated once in each of them, and where some files need
 * one of their own (test/support/alone.ts) a second project of these: `--project 'main*'` is both.
 */
function together(project: TestProjectInlineConfiguration): TestProjectInlineConfiguration[] {
  const name = typeof project.test?.name === 'string' ? project.test.name : '';
  const alone = [...(ALONE[name] ?? [])];
  const patient = { ...project.test, expect: { poll: { timeout: PATIENCE_MS } } };
  const shared = { ...project, test: { ...patient, isolate: false, exclude: alone } };
  if (alone.length === 0) return [shared];
  return [shared, { ...project, test: { ...patient, name: `${name}-alone`, include: alone } }];
}

export default defineConfig({
  test: {
    // One process for each processor, and one more: some wait, for the next minute of a schedule or for a command.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    projects: PROJECTS.flatMap(together)
  }
});
