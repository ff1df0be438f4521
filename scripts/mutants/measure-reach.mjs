// Runs every test once and keeps which functions of src-core it calls, and how long it takes.
import { globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../build.mjs';
import { bodiesByFile, digestOf, sources } from './reach.mjs';
import { runJob } from './vitest-job.mjs';

const KEPT = path.join(root, 'node_modules/.cache/winnow-mutants/reach.json');
const LIMIT_MS = 3_600_000;

/** What an earlier run has kept: each test's time and the functions it calls, by file. */
export function keptReach() {
  try {
    return JSON.parse(readFileSync(KEPT, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Tests that fail without a change are left out, and named: they would kill every mutant. */
export async function measureReach(pattern, workers) {
  const tests = globSync(pattern, { cwd: root }).map((file) => file.split(path.sep).join('/'));
  const digests = Object.fromEntries(sources.map((file) => [file, digestOf(file)]));
  return runJob({ tests, workers, limitMs: LIMIT_MS }, LIMIT_MS, ({ results, marks }) => {
    if (results === undefined) throw new Error('The tests did not come to an end.');
    const reached = new Map();
    for (const name of readdirSync(marks)) {
      const { test, marks: set } = JSON.parse(readFileSync(path.join(marks, name), 'utf8'));
      reached.set(test, bodiesByFile(set));
    }
    const kept = { digests, tests: {} };
    for (const { name, status, startTime, endTime } of results.testResults) {
      const test = path.relative(root, name).split(path.sep).join('/');
      if (status === 'passed' && reached.has(test)) {
        kept.tests[test] = { ms: Math.ceil(endTime - startTime), reached: reached.get(test) };
      } else console.log(`left out, as it fails without a change: ${test}`);
    }
    mkdirSync(path.dirname(KEPT), { recursive: true });
    writeFileSync(KEPT, JSON.stringify(kept));
    return kept;
  });
}
