// A step's tests in vitest, and the second attempt of what failed in the first (docs/decisions/0065).
import path from 'node:path';
import { root } from './build.mjs';
import { failuresIn, outsideOf, readReport } from './test-report.mjs';

/** More than this is no matter of a moment. */
const FILES_AGAIN = 3;

const VITEST = path.join(root, 'node_modules/.bin/vitest');
const OUTSIDE = path.join(root, 'test/support/outside-errors.ts');

/**
 * Runs vitest with `words`, and once more with the files in which something failed, if they are few; undefined: it wrote no
 * report. `run(words, env)` runs a command and says whether it ended well; `reports` is a file's path without its end.
 */
export function runVitest(words, reports, run) {
  // What is random in the first attempt is the same in the second.
  const seed = { WINNOW_RUN_SEED: String(Date.now() % 2 ** 31) };
  const runSeeded = (command, env) => run(command, { ...seed, ...env });
  const first = attempt(words, `${reports}-1`, runSeeded);
  if (first === undefined || first.hasEndedWell) return first;
  const { files } = first;
  if (files.length === 0 || files.length > FILES_AGAIN || files.includes(undefined)) return first;
  const second = attempt([...words.slice(0, 2), ...files], `${reports}-2`, runSeeded);
  if (second === undefined) return first;
  const notes = [
    ...first.notes.map((words) => `first attempt: ${words}`),
    ...second.notes.map((words) => `second attempt: ${words}`)
  ];
  if (!second.hasEndedWell || second.passed === 0) return { ...first, notes };
  notes.push(`second attempt: passed: ${files.map((file) => path.relative(root, file)).join(', ')}`);
  const { passed, failed, skipped } = first;
  return {
    hasEndedWell: true,
    passed: passed + failed,
    failed: 0,
    skipped,
    secondAttempts: files.length,
    notes
  };
}

/** `files`: those in which something failed; undefined is one that vitest does not know. */
function attempt(words, reports, run) {
  const outside = `${reports}-outside.json`;
  const reporters = ['default', 'json', OUTSIDE].map((reporter) => `--reporter=${reporter}`);
  const hasEndedWell = run([VITEST, 'run', ...words, ...reporters, `--outputFile.json=${reports}.json`], {
    WINNOW_OUTSIDE_ERRORS: outside
  });
  const report = readReport(`${reports}.json`);
  if (report === undefined) return undefined;
  const outsideErrors = readReport(outside) ?? [];
  const failed = report.testResults.filter(({ status }) => status === 'failed');
  return {
    hasEndedWell,
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    files: [...new Set([...failed.map(({ name }) => name), ...outsideErrors.map(({ file }) => file)])],
    notes: [...failuresIn(report), ...outsideErrors.map(({ text }) => outsideOf(text))]
  };
}
