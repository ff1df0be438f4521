// `npm run properties`: property tests with many more seeds than `npm test` takes.
//   npm run properties -- --times 12                  twelve times as many
//   npm run properties -- --times 12 core/digest      some of them
// The seeds are those from 1 on, and each failure names its own. Exits with 1 when one fails.
import './answer-help.mjs';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './build.mjs';

/** Some look at all of their seeds in one test. */
const TEST_LIMIT_MS = 3_600_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'string', default: '12' } }
});
const times = Number(values.times);
if (!Number.isSafeInteger(times) || times < 1) {
  console.error('--times must be a whole number above 0.');
  process.exit(2);
}
const takesSeeds = (file) => readFileSync(path.join(root, file), 'utf8').includes('/support/seeds.ts');
const files = globSync('test/{core,scenarios}/**/*.test.ts', { cwd: root })
  .filter((file) => positionals.length === 0 || positionals.some((part) => file.includes(part)))
  .filter(takesSeeds)
  .sort();
if (files.length === 0) {
  console.error('No property test is named so.');
  process.exit(2);
}
console.log(`${files.length} files, ${times} times as many seeds as in each run of the tests`);
const { status } = spawnSync(
  process.execPath,
  [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', `--testTimeout=${TEST_LIMIT_MS}`, ...files],
  { cwd: root, stdio: 'inherit', env: { ...process.env, WINNOW_SEED_TIMES: String(times) } }
);
process.exitCode = status ?? 1;
