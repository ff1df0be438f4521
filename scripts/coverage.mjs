// `npm run coverage`: runs the tests of the engine, of its scenarios and of the doors, and says which share of the branches of
// src-core they take, folder by folder. Exits with 1 when a test fails or a folder is below its floor.
//   npm run coverage                         all of them
//   npm run coverage -- --uncovered repair   also file, line and kind of each branch of a folder that no test takes
//   npm run coverage -- --again              only the tables, from the last run
//   npm run coverage -- --tests core/repair --tests scenarios/backup   some tests only, for a look; floors are not judged
//   npm run coverage -- --processes          counts threads and commands too, unless they are killed; takes several times as long
// Without it counted is what runs in the process of a test.
import './answer-help.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './build.mjs';
import { belowFloor, foldersOf, tableLines, uncoveredLines } from './coverage/branches.mjs';
import { failuresIn, readReport } from './test-report.mjs';
import { ProcessCounts } from './coverage/process-counts.mjs';

const DIRECTORY = path.join(root, 'node_modules/.cache/winnow-coverage');
const COUNTS = path.join(DIRECTORY, 'coverage-final.json');
/** What each test came to. */
const REPORT = path.join(root, 'node_modules/.cache/winnow-coverage-tests.json');
/** Counting makes tests slower; those that share a machine have to end too. */
const TEST_LIMIT_MS = 1_200_000;
/** Between two looks at what has ended. */
const LOOK_MS = 2000;

const { values } = parseArgs({
  options: {
    again: { type: 'boolean' },
    uncovered: { type: 'string', multiple: true },
    tests: { type: 'string', multiple: true },
    workers: { type: 'string' },
    processes: { type: 'boolean' }
  }
});

/** Runs the tests with their branches counted. Says whether all went well. */
async function runTests() {
  rmSync(DIRECTORY, { recursive: true, force: true });
  rmSync(REPORT, { force: true });
  const covered = mkdtempSync(path.join(tmpdir(), 'winnow-covered-'));
  const counts = new ProcessCounts(covered, path.join(root, 'src-core'));
  const looking = setInterval(() => counts.take(), LOOK_MS);
  const env = { ...process.env, ...(values.processes && { WINNOW_COVERED: covered }) };
  const tests = spawn(
    process.execPath,
    [
      path.join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      ...(values.tests ?? []),
      ...['core', 'scenarios', 'main*'].flatMap((project) => ['--project', project]),
      ...(values.workers ? [`--maxWorkers=${values.workers}`] : []),
      `--testTimeout=${TEST_LIMIT_MS}`,
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${REPORT}`,
      '--silent',
      '--coverage.enabled',
      '--coverage.provider=v8',
      '--coverage.include=src-core/**/*.ts',
      '--coverage.reporter=json',
      '--coverage.reportOnFailure',
      `--coverage.reportsDirectory=${DIRECTORY}`
    ],
    { cwd: root, stdio: 'inherit', env }
  );
  const [status] = await once(tests, 'exit');
  clearInterval(looking);
  counts.take();
  if (values.processes && existsSync(COUNTS)) {
    const files = JSON.parse(readFileSync(COUNTS, 'utf8'));
    await counts.addTo(files);
    writeFileSync(COUNTS, JSON.stringify(files));
    console.log(`Counted ${counts.processes} threads and commands beside the tests.`);
  }
  rmSync(covered, { recursive: true, force: true });
  return status === 0;
}

const isGreen = values.again || (await runTests());
// Among thousands of dots nobody finds them.
if (!isGreen) for (const line of failuresIn(readReport(REPORT) ?? { testResults: [] })) console.error(line);
if (existsSync(COUNTS)) {
  const files = JSON.parse(readFileSync(COUNTS, 'utf8'));
  const folders = foldersOf(files, path.join(root, 'src-core'));
  for (const line of tableLines(folders)) console.log(line);
  for (const folder of values.uncovered ?? []) {
    for (const line of uncoveredLines(files, root, folder)) console.log(line);
  }
  const below = values.tests ? [] : belowFloor(folders);
  for (const line of below) console.error(line);
  process.exitCode = isGreen && below.length === 0 ? 0 : 1;
} else {
  console.error('No branches were counted: run `npm run coverage`.');
  process.exitCode = 1;
}
