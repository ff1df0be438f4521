// Which functions of src-core each test calls, and how long it takes: measured once for each test file, and again when it changed.
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../build.mjs';
import { bodiesByFile, digestOf } from './reach.mjs';
import { TestRuns } from './test-runs.mjs';

const KEPT = path.join(root, 'node_modules/.cache/winnow-mutants/reach.json');
const LIMIT_MS = 1_800_000;

function readKept() {
  try {
    return JSON.parse(readFileSync(KEPT, 'utf8'));
  } catch {
    return { tests: {} };
  }
}

function write(kept) {
  mkdirSync(path.dirname(KEPT), { recursive: true });
  writeFileSync(`${KEPT}.new`, JSON.stringify(kept));
  renameSync(`${KEPT}.new`, KEPT);
}

/** What a run of one test file has marked, by test and by source. */
function measured(test, { ok, tests }, marks) {
  const digest = digestOf(test);
  const [name] = readdirSync(marks);
  if (!ok || name === undefined) return { digest, hasFailed: true };
  const kept = JSON.parse(readFileSync(path.join(marks, name), 'utf8'));
  rmSync(path.join(marks, name));
  const times = new Map(tests.map((one) => [one.name, Math.ceil(one.ms)]));
  const outside = bodiesByFile(kept.outside);
  const reached = Object.entries(kept.tests).map(([one, own]) => [
    one,
    { ms: times.get(one) ?? 0, cpuMs: Math.ceil(kept.cpuMs[one] ?? 0), reached: bodiesByFile(own) }
  ]);
  const files = new Set([outside, ...reached.map(([, own]) => own.reached)].flatMap(Object.keys));
  return {
    digest,
    sources: Object.fromEntries([...files].map((file) => [file, digestOf(file)])),
    outside,
    tests: Object.fromEntries(reached)
  };
}

/** Measures one file after the other of those that wait, in a server of its own. */
async function measureWaiting(waiting, kept) {
  const marks = mkdtempSync(path.join(tmpdir(), 'winnow-marks-'));
  const runs = new TestRuns(LIMIT_MS, marks);
  try {
    for (let test = waiting.shift(); test !== undefined; test = waiting.shift()) {
      const begin = Date.now();
      const result = (await runs.run({ files: [{ test }] }, LIMIT_MS)) ?? { ok: false };
      kept.tests[test] = measured(test, result, marks);
      console.log(`measured ${test}, ${Date.now() - begin} ms`);
      write(kept);
    }
  } finally {
    runs.end();
    rmSync(marks, { recursive: true, force: true });
  }
}

/**
 * What the tests of a pattern reach: kept from earlier runs, measured where a test file is new or changed, or each with
 * `isAgain`, so many at a time. What was measured is written after each file, so that a run that is stopped resumes. Tests that
 * fail without a change are left out, and named: they would kill every mutant.
 */
export async function reachOf(patterns, isAgain, workers) {
  const kept = readKept();
  const tests = [...new Set(patterns.flatMap((pattern) => globSync(pattern, { cwd: root })))]
    .map((file) => file.split(path.sep).join('/'))
    .sort();
  const missing = tests.filter((test) => isAgain || kept.tests[test]?.digest !== digestOf(test));
  await Promise.all(Array.from({ length: workers }, () => measureWaiting(missing, kept)));
  for (const test of tests.filter((one) => kept.tests[one].hasFailed)) {
    console.log(`left out, as it fails without a change: ${test}`);
  }
  return { tests: Object.fromEntries(tests.map((test) => [test, kept.tests[test]])) };
}
