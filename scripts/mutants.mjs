// `npm run mutants`: makes small changes in src-core, one at a time, and runs the tests that call the changed function. A change
// that no test notices shows a behaviour that nothing holds.
//   npm run mutants -- --count 300             a new seed, which is printed
//   npm run mutants -- --count 300 --seed 7    the same mutants again
//   npm run mutants -- --files 'src-core/restore/**' --files 'src-core/backup/**'
//   npm run mutants -- --tests 'test/core/**/*.test.ts'    these tests only
//   npm run mutants -- --reach                 first measures every test again, not only those that changed
// --seconds N: the processor time that the tests of one mutant may take together (60); tests near the change come first, and the first that fails
// is the last. --workers N: how many mutants at a time. --report FILE: a line of JSON for each verdict is added to the file.
// --again FILE: judges the mutants of such a report that survived or had no test, and no others.
// --floor N: exits with 1 when fewer percent are killed. Threads and commands that tests start run the built engine, without the
// change. Sources are not touched. Mutants that make no difference are listed in scripts/mutants/no-difference.json and left out.
import './answer-help.mjs';
import { randomInt } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './build.mjs';
import { reachOf } from './mutants/measure-reach.mjs';
import { mutantsOf } from './mutants/mutants-of.mjs';
import { entryOf, readList, withoutListed } from './mutants/no-difference.mjs';
import { sources, testsReaching } from './mutants/reach.mjs';
import { TestRuns } from './mutants/test-runs.mjs';
import { isTrusted, verdictOn } from './mutants/verdict.mjs';

const TESTS = [
  'test/{core,scenarios,crash,golden}/**/*.test.ts',
  'test/main/{operations,backup}/**/*.test.ts'
];
/** The longest that one test may take, whatever it says itself. */
const TEST_LIMIT_MS = 300_000;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '300' },
    seed: { type: 'string' },
    files: { type: 'string', multiple: true, default: ['src-core/**'] },
    tests: { type: 'string', multiple: true, default: TESTS },
    seconds: { type: 'string', default: '60' },
    workers: { type: 'string', default: String(availableParallelism()) },
    report: { type: 'string' },
    again: { type: 'string' },
    floor: { type: 'string', default: '0' },
    reach: { type: 'boolean', default: false }
  }
});
const seed = Number(values.seed ?? randomInt(2 ** 31));
const count = Number(values.count);
const workers = Number(values.workers);
console.log(`seed ${seed}`);

/** A number from 0 to 1 for each call, the same for the same seed (mulberry32). */
function numbersOf(from) {
  let state = from >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `count` of them, by the seed, each as likely as any other. */
function picked(all) {
  const next = numbersOf(seed);
  const left = [...all];
  const chosen = [];
  while (chosen.length < count && left.length > 0) {
    const index = Math.floor(next() * left.length);
    chosen.push(left[index]);
    left[index] = left.at(-1);
    left.pop();
  }
  return chosen;
}

/** Those of an earlier report that no test noticed, as far as their lines are still there. */
function survivorsOf(report) {
  const entries = readFileSync(report, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const left = entries.filter(({ verdict }) => verdict === 'survived' || verdict === 'no test');
  const rest = new Set(withoutListed(all, texts, left));
  return all.filter((mutant) => !rest.has(mutant));
}

const kept = await reachOf(values.tests, values.reach, workers);
const list = readList();
const chosenFiles = sources.filter((file) => values.files.some((glob) => path.matchesGlob(file, glob)));
const texts = new Map(chosenFiles.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
const all = withoutListed(
  [...texts].flatMap(([file, text]) => mutantsOf(file, text)),
  texts,
  list
);
const mutants = values.again === undefined ? picked(all) : survivorsOf(values.again);
console.log(`${mutants.length} of ${all.length} mutants in ${chosenFiles.length} files`);

const tally = { killed: 0, timeout: 0, survived: 0, 'no test': 0, unclear: 0 };
const short = (text) => text.replaceAll(/\s+/g, ' ').slice(0, 100);

async function judge(runs) {
  for (let mutant = mutants.shift(); mutant !== undefined; mutant = mutants.shift()) {
    const found = testsReaching(mutant, kept);
    const { file, line, was, replacement } = mutant;
    const text = texts.get(file);
    const changed = { file, text: text.slice(0, mutant.start) + replacement + text.slice(mutant.end) };
    const { verdict, ran, left, by, name } = await verdictOn(runs, changed, found, Number(values.seconds));
    tally[verdict]++;
    const tests = left > 0 ? `${ran} tests, ${left} left out` : `${ran} tests`;
    const whose = by === undefined ? '' : `, ${short(by)}`;
    console.log(
      `${verdict.padEnd(9)} ${file}:${line}  ${short(was)}  =>  ${short(replacement)}  (${tests}${whose})`
    );
    if (values.report !== undefined) {
      const entry = { verdict, seed, number: line, ...entryOf(mutant, text), ran, left, by, name };
      appendFileSync(values.report, `${JSON.stringify(entry)}\n`);
    }
  }
}

async function withRuns(use) {
  const runs = new TestRuns(TEST_LIMIT_MS);
  try {
    return await use(runs);
  } finally {
    runs.end();
  }
}

const control = mutants.find((mutant) => testsReaching(mutant, kept).length > 0);
const canJudge =
  control === undefined ||
  (await withRuns((runs) => {
    const { file } = control;
    return isTrusted(runs, { file, text: texts.get(file) }, testsReaching(control, kept));
  }));
if (!canJudge) {
  console.error(
    'The control failed: an unchanged source has to pass and a broken one to fail. No mutant was judged.'
  );
  process.exit(1);
}
await Promise.all(Array.from({ length: workers }, () => withRuns(judge)));

const judged = tally.killed + tally.timeout + tally.survived + tally['no test'];
const score = judged === 0 ? 0 : Math.floor(((tally.killed + tally.timeout) / judged) * 1000) / 10;
const sums = Object.entries(tally).map(([name, number]) => `${number} ${name}`);
console.log(`${sums.join(', ')}; ${score.toFixed(1)} % killed (seed ${seed}, ${values.files.join(' ')})`);
process.exitCode = score < Number(values.floor) || tally.unclear > 0 ? 1 : 0;
