// `npm test`: every check of the project, each with its duration.
//   npm test                        all steps: types, lint and format beside each other, the rest one after the other
//   npm test -- types core main     only these
//   npm test -- --changed           types, lint and the tests that reach a file which differs from main
// A failed step does not stop the others. What failed is said once more at the end, with its first lines. The last
// line is the sum of all tests; a step without tests of its own (types, lint) that fails counts as one failed. A test
// in a real window that fails is run once more, recorded, and so are up to three other files in which something failed; both
// attempts are reported (docs/decisions/0032 and 0065).
// Before it stand the counts of the campaigns that ran (docs/proof.md); one that dropped fails the run.
import './answer-help.mjs';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { root } from './build.mjs';
import { outsideOf, readReport, shortened } from './test-report.mjs';
import { runVitest } from './vitest-runs.mjs';
import { scratchParent } from './proof/scratch-parent.mjs';
import {
  countLines,
  faultsOf as faultsOfProof,
  keptCounts,
  recordedCounts,
  stepOf,
  unkeptOf
} from './proof/proof-counts.mjs';

const bin = (name) => path.join(root, 'node_modules/.bin', name);
const node = (script, ...args) => [process.execPath, path.join('scripts', script), ...args];
/** With its files that need a process for each of them (vitest.config.ts). */
const vitest = (project, ...filters) => ({ vitest: ['--project', `${project}*`, ...filters] });
const playwright = (project) => ({ playwright: [`--project=${project}`] });

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
  lint: {
    // In two halves that take about as long. Each file of "." is in exactly one of them.
    commands: [
      [bin('eslint'), '.', '--ignore-pattern', '**/*.svelte'],
      [bin('eslint'), '**/*.svelte']
    ]
  },
  format: { commands: [[bin('prettier'), '--check', '--log-level', 'warn', '.']] },
  build: { commands: [node('build.mjs', '--quiet')] },
  core: vitest('core'),
  main: vitest('main'),
  renderer: vitest('renderer'),
  // Some of these end a command between two steps of it: in memory it would be through before.
  scenarios: { ...vitest('scenarios', 'test/scenarios', 'test/crash', 'test/fuzz'), isOnDisk: true },
  golden: vitest('scenarios', 'test/golden'),
  e2e: { before: [node('build.mjs', '--quiet')], ...playwright('e2e') },
  package: { before: [['npm', 'run', '-s', 'package']], ...playwright('package') }
};

/**
 * Their commands need one processor each and are independent of each other: as many run beside each other as there are
 * processors, in this order of steps, so that the longest ones begin first and short ones fill what is left.
 */
const SIDE_BY_SIDE = ['lint', 'format', 'types'];

const scratch = mkdtempSync(path.join(scratchParent(), 'winnow-test-'));
// Some tests are another user.
chmodSync(scratch, 0o755);
const proof = path.join(scratch, 'proof');
const env = {
  ...process.env,
  WINNOW_PROOF: proof,
  PATH: `${path.join(root, 'node_modules/.bin')}${path.delimiter}${process.env.PATH}`
};

/** Where the tests of a step make their databases. */
const placeOf = ({ isOnDisk }) => (isOnDisk ? {} : { TMPDIR: scratch });

function runCommand([command, ...args], more = {}) {
  const { status } = spawnSync(command, args, { cwd: root, env: { ...env, ...more }, stdio: 'inherit' });
  return status === 0;
}

/** Runs Playwright, which makes a second attempt of a test that fails; undefined: it wrote no report. */
function runPlaywright(name, words, place) {
  const file = path.join(scratch, `${name}.json`);
  const hasEndedWell = runCommand([bin('playwright'), 'test', ...words], {
    ...place,
    PLAYWRIGHT_JSON_OUTPUT_FILE: file
  });
  const report = readReport(file);
  if (!report) return undefined;
  const { expected, unexpected, flaky, skipped } = report.stats;
  const repeated = specsOf(report).filter(({ tests }) => tests.some(({ results }) => results.length > 1));
  return {
    hasEndedWell,
    passed: expected + flaky,
    failed: unexpected,
    skipped,
    secondAttempts: repeated.length,
    notes: [...report.errors.map(({ message }) => outsideOf(message)), ...specsOf(report).flatMap(attemptsOf)]
  };
}

const specsOf = ({ suites = [], specs = [] }) => [...specs, ...suites.flatMap(specsOf)];

/** Every attempt of a test that failed at least once, in words, and where its recording lies. */
function attemptsOf({ file, title, tests }) {
  return tests.flatMap(({ status, results }) => {
    if (status !== 'unexpected' && status !== 'flaky') return [];
    return results.map(({ retry, errors, attachments }) => {
      const attempt = retry === 0 ? 'first attempt' : 'second attempt';
      const outcome = errors.length === 0 ? '        passed' : shortened(errors[0].message);
      const kept = attachments
        .filter(({ name, path: place }) => place && ['trace', 'video', 'screenshot'].includes(name))
        .map(({ name, path: place }) => `\n        ${name}: ${path.relative(root, place)}`);
      return `${attempt}: ${file}: ${title}\n${outcome}${kept.join('')}`;
    });
  });
}

/** Runs a command; its status, and all that it printed. */
function runCaught([command, ...args]) {
  const child = spawn(command, args, { cwd: root, env: { FORCE_COLOR: '1', ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += piece));
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ status: 1, output: `${output}${error.message}\n` }));
    child.on('close', (status) => resolve({ status, output }));
  });
}

/** Runs the commands of these steps; what a step prints comes as a whole when its last command has ended. */
async function runBeside(steps) {
  const started = performance.now();
  const results = new Map();
  const waiting = steps.flatMap(([name, { commands }]) => commands.map((words) => ({ name, words })));
  const counts = new Map(steps.map(([name, { commands }]) => [name, commands.length]));
  const ended = new Map(steps.map(([name]) => [name, []]));
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { name, words } = next;
      const ofStep = ended.get(name);
      ofStep.push(await runCaught(words));
      if (ofStep.length < counts.get(name)) continue;
      process.stdout.write(`\n== ${name}\n${ofStep.map(({ output }) => output).join('')}`);
      const isOk = ofStep.every(({ status }) => status === 0);
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      results.set(name, {
        name,
        isOk,
        seconds,
        passed: 0,
        failed: isOk ? 0 : 1,
        skipped: 0,
        hasTests: false
      });
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return results;
}

function runStep(name, step) {
  const started = performance.now();
  process.stdout.write(`\n== ${name}\n`);
  const counts = { passed: 0, failed: 0, skipped: 0 };
  let isOk = [...(step.commands ?? []), ...(step.before ?? [])]
    .map((words) => runCommand(words))
    .every(Boolean);
  const hasTests = Boolean(step.vitest ?? step.playwright);
  if (hasTests && isOk) {
    const report = step.vitest
      ? runVitest(step.vitest, path.join(scratch, name), (words, more) =>
          runCommand(words, { ...placeOf(step), ...more })
        )
      : runPlaywright(name, step.playwright, placeOf(step));
    // A filter that finds nothing proves nothing; an error outside of every test fails the step as well.
    isOk = report?.hasEndedWell === true && (step.mayFindNothing || report.passed + report.failed > 0);
    Object.assign(counts, report);
  }
  if (!isOk && counts.failed === 0) counts.failed = 1;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  return { name, isOk, seconds, ...counts, hasTests };
}

/** What an edit can have broken, quickly: not the window, and nothing that a command reaches only through its build. */
function changedSteps() {
  const git = (...words) => spawnSync('git', words, { cwd: root, encoding: 'utf8' }).stdout.trim();
  const base = git('merge-base', 'HEAD', 'main') || 'HEAD';
  const files =
    `${git('diff', '--name-only', '--diff-filter=d', base)}\n${git('ls-files', '--others', '--exclude-standard')}`
      .split('\n')
      .filter((file) => file !== '');
  const code = files.filter((file) => /\.(?:ts|mjs|js|svelte)$/.test(file));
  const projects = ['core', 'main*', 'renderer*'].flatMap((project) => ['--project', project]);
  return {
    types: STEPS.types,
    ...(code.length > 0 && { lint: { commands: [[bin('eslint'), '--no-warn-ignored', ...code]] } }),
    ...(files.length > 0 && {
      format: {
        commands: [[bin('prettier'), '--check', '--ignore-unknown', '--log-level', 'warn', ...files]]
      }
    }),
    tests: { vitest: [...projects, '--changed', base, '--passWithNoTests'], mayFindNothing: true }
  };
}

function chosenSteps(words) {
  if (words.length === 1 && words[0] === '--changed') return changedSteps();
  const unknown = words.filter((name) => !(name in STEPS));
  if (unknown.length > 0) {
    console.error(`No such step: ${unknown.join(', ')}. There are: ${Object.keys(STEPS).join(', ')}.`);
    process.exit(2);
  }
  return words.length === 0 ? STEPS : Object.fromEntries(words.map((name) => [name, STEPS[name]]));
}

/** What campaigns counted, compared with what is kept, for the steps that ran whole. */
function proofStep(names) {
  const isAsked = (campaign) => names.includes(stepOf(campaign));
  const recorded = recordedCounts(proof).filter(isAsked);
  if (recorded.length === 0 && !keptCounts().some(isAsked)) return [];
  const notes = faultsOfProof(keptCounts(), recorded, isAsked);
  const lines = [...countLines(recorded).sort(), ...unkeptOf(keptCounts(), recorded)];
  process.stdout.write(`\n== proof\n${lines.join('\n')}\n`);
  const isOk = notes.length === 0;
  return [{ name: 'proof', isOk, seconds: '0.0', passed: 0, failed: notes.length, skipped: 0, notes }];
}

const steps = Object.entries(chosenSteps(process.argv.slice(2)));
const isBeside = ([name]) => SIDE_BY_SIDE.includes(name);
const byLength = ([one], [other]) => SIDE_BY_SIDE.indexOf(one) - SIDE_BY_SIDE.indexOf(other);
const beside = await runBeside(steps.filter(isBeside).sort(byLength));
// Said in the order of the steps.
const results = steps.filter(isBeside).map(([name]) => beside.get(name));
for (const [name, step] of steps) if (!SIDE_BY_SIDE.includes(name)) results.push(runStep(name, step));
results.push(...proofStep(steps.map(([name]) => name)));
rmSync(scratch, { recursive: true, force: true });

process.stdout.write('\n');
for (const { name, notes = [] } of results) {
  for (const words of notes) process.stdout.write(`${name}: ${words}\n`);
}
for (const { name, isOk, seconds, passed, failed, skipped, hasTests, secondAttempts } of results) {
  const again = secondAttempts ? `, ${secondAttempts} run a second time` : '';
  const skips = `${skipped > 0 ? `, ${skipped} skipped` : ''}${again}`;
  const tests = hasTests ? `  ${passed} of ${passed + failed} tests${skips}` : '';
  process.stdout.write(
    `${isOk ? 'ok    ' : 'FAILED'}  ${name.padEnd(10)} ${seconds.padStart(6)} s${tests}\n`
  );
}
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed\n`);
process.exitCode = results.every((result) => result.isOk) ? 0 : 1;
