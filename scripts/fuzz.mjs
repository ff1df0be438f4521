// `npm run fuzz`: damages databases at random and asks the engine everything about them.
//   npm run fuzz -- --seconds 600             a new seed, which is printed
//   npm run fuzz -- --seed 7 --seconds 600    the same cases again
//   npm run fuzz -- --seed 7 --case 1234      one case again, with what was damaged
// Exits with 1 when a case shows a fault or does not end.
import './answer-help.mjs';
import { randomInt } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { root } from './build.mjs';

/** No case of these sizes needs a tenth of it. */
const CASE_LIMIT_MS = 120_000;

const { values } = parseArgs({
  options: { seconds: { type: 'string' }, seed: { type: 'string' }, case: { type: 'string' } }
});
const numbers = Object.fromEntries(Object.entries(values).map(([name, text]) => [name, Number(text)]));
const wrong = Object.keys(numbers).find((name) => !Number.isSafeInteger(numbers[name]) || numbers[name] < 0);
if (wrong) {
  console.error(`--${wrong} must be a whole number.`);
  process.exit(2);
}
const seed = numbers.seed ?? randomInt(2 ** 31);
const only = numbers.case;
const campaign = {
  seed,
  seconds: numbers.seconds ?? 60,
  first: only ?? 0,
  count: only === undefined ? 0 : 1
};
console.log(`seed ${seed}`);

const worker = new Worker(path.join(root, 'test/fuzz/run.ts'), {
  workerData: campaign,
  execArgv: ['--disable-warning=ExperimentalWarning']
});
let cases = 0;
let faulty = 0;
let current;
let watch;

worker.on('message', (message) => {
  clearTimeout(watch);
  current = message.number;
  if (message.kind === 'begin') {
    watch = setTimeout(() => {
      console.error(`case ${current} does not end: npm run fuzz -- --seed ${seed} --case ${current}`);
      process.exit(1);
    }, CASE_LIMIT_MS);
    return;
  }
  cases++;
  if (message.faults.length > 0) faulty++;
  if (message.faults.length > 0 || only !== undefined) {
    console.log(`case ${message.number} on ${message.base}`);
    for (const step of message.steps) console.log(`  ${step}`);
    for (const fault of message.faults) console.log(`  FAULT ${fault}`);
  }
});
worker.on('error', (error) => {
  clearTimeout(watch);
  console.error(`case ${current} on seed ${seed} ended the campaign:`, error);
  process.exitCode = 1;
});
worker.on('exit', () => {
  clearTimeout(watch);
  console.log(`${cases} cases, ${faulty} with faults`);
  if (faulty > 0) process.exitCode = 1;
});
