// `npm test`: every check of the project, one after the other, each with its duration.
//   npm test                        all steps
//   npm test -- types core main     only these
// A failed step does not stop the others. The last line is the sum of all tests; a step without tests of its
// own (types, lint) that fails counts as one failed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './build.mjs';

const bin = (name) => path.join(root, 'node_modules/.bin', name);
const node = (script, ...args) => [process.execPath, path.join('scripts', script), ...args];
const vitest = (project, ...filters) => ({ vitest: ['--project', project, ...filters] });
const inElectron = node('electron-runtime.mjs');

/** In this order: what is quick and explains later failures comes first. */
const STEPS = {
  types: {
    commands: [
      [bin('tsc'), '-p', '.'],
      [bin('tsc'), '-p', 'src-core'],
      [bin('tsc'), '-p', 'test/e2e'],
      [bin('svelte-check'), '--tsconfig', 'test/renderer/tsconfig.json', '--fail-on-warnings']
    ]
  },
  lint: { commands: [[bin('eslint'), '.']] },
  format: { commands: [[bin('prettier'), '--check', '--log-level', 'warn', '.']] },
  build: { commands: [node('build.mjs', '--quiet')] },
  core: vitest('core'),
  main: vitest('main'),
  renderer: vitest('renderer'),
  scenarios: vitest('scenarios', 'test/scenarios', 'test/crash', 'test/fuzz'),
  golden: vitest('scenarios', 'test/golden'),
  e2e: { ...vitest('e2e'), before: [node('build.mjs', '--quiet')], under: inElectron },
  package: { ...vitest('package'), before: [['npm', 'run', '-s', 'package']], under: inElectron }
};

const scratch = mkdtempSync(path.join(tmpdir(), 'winnow-test-'));
const env = {
  ...process.env,
  PATH: `${path.join(root, 'node_modules/.bin')}${path.delimiter}${process.env.PATH}`
};

function runCommand([command, ...args]) {
  const { status } = spawnSync(command, args, { cwd: root, env, stdio: 'inherit' });
  return status === 0;
}

/** What vitest counted; undefined when it did not come as far as writing its report. */
function readCounts(file) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      skipped: report.numPendingTests + report.numTodoTests
    };
  } catch {
    return undefined;
  }
}

function runStep(name) {
  const step = STEPS[name];
  const started = performance.now();
  process.stdout.write(`\n== ${name}\n`);
  const counts = { passed: 0, failed: 0, skipped: 0 };
  let isOk = [...(step.commands ?? []), ...(step.before ?? [])].map(runCommand).every(Boolean);
  if (step.vitest && isOk) {
    const file = path.join(scratch, `${name}.json`);
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    isOk = runCommand([...(step.under ?? []), bin('vitest'), 'run', ...step.vitest, ...reporters]);
    Object.assign(counts, readCounts(file));
    if (counts.passed + counts.failed === 0) isOk = false; // a filter that finds nothing proves nothing
  }
  if (!isOk && counts.failed === 0) counts.failed = 1;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  return { name, isOk, seconds, ...counts, hasTests: Boolean(step.vitest) };
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in STEPS));
if (unknown.length > 0) {
  console.error(`No such step: ${unknown.join(', ')}. There are: ${Object.keys(STEPS).join(', ')}.`);
  process.exit(2);
}
const results = (wanted.length > 0 ? wanted : Object.keys(STEPS)).map(runStep);
rmSync(scratch, { recursive: true, force: true });

process.stdout.write('\n');
for (const { name, isOk, seconds, passed, failed, skipped, hasTests } of results) {
  const skips = skipped > 0 ? `, ${skipped} skipped` : '';
  const tests = hasTests ? `  ${passed} of ${passed + failed} tests${skips}` : '';
  process.stdout.write(
    `${isOk ? 'ok    ' : 'FAILED'}  ${name.padEnd(10)} ${seconds.padStart(6)} s${tests}\n`
  );
}
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed\n`);
process.exitCode = results.every((result) => result.isOk) ? 0 : 1;
