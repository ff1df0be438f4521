// `npm run crash`: scavenges random databases, interrupts the runs in every way, and compares what is left with a naive
// model.
//   npm run crash -- --minutes 15             a new seed, which is printed
//   npm run crash -- --seed 7 --minutes 15    the same cases again
//   npm run crash -- --seed 7 --case 123      one case again, with what was done
//   npm run crash -- --kill 2000 --seed 7     every command that writes, killed so often at random moments, on a real disk
//   npm run crash -- --all                    no random cases: every call of every campaign of test/crash, which tests sample
// Times of kills are the machine's: a case that needs one at the right moment may have to be run again.
// Exits with 1 when a case shows a fault or does not end.
import './answer-help.mjs';
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { buildStale, root } from './build.mjs';

/** No case of these sizes needs a tenth of it. */
const CASE_LIMIT_MS = 300_000;

const {
  values: { all, ...values }
} = parseArgs({
  options: {
    ...{ minutes: { type: 'string' }, seed: { type: 'string' }, case: { type: 'string' } },
    kill: { type: 'string' },
    all: { type: 'boolean' }
  }
});
if (all) {
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const words = [
    'run',
    '--project',
    'scenarios',
    'test/crash',
    'test/scenarios/backup',
    '--testTimeout=3600000'
  ];
  const { status } = spawnSync(process.execPath, [vitest, ...words], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, WINNOW_ALL_CASES: '1' }
  });
  process.exit(status ?? 1);
}
const numbers = Object.fromEntries(Object.entries(values).map(([name, text]) => [name, Number(text)]));
const wrong = Object.keys(numbers).find((name) => {
  const isWhole = Number.isSafeInteger(numbers[name]) || name === 'minutes';
  return !isWhole || !(numbers[name] >= 0);
});
if (wrong) {
  console.error(`--${wrong} must be ${wrong === 'minutes' ? 'a number' : 'a whole number'}.`);
  process.exit(2);
}
const seed = numbers.seed ?? randomInt(2 ** 31);
const only = numbers.case;
buildStale('commands', { quiet: true });
console.log(`seed ${seed}`);
if (numbers.kill !== undefined) process.exit(await killCommands(numbers.kill));

/** The exit code. Each command is judged as it ends; the first fault of a command ends its part. */
async function killCommands(kills) {
  const killing = new Worker(path.join(root, 'test/campaign/kills/run.ts'), {
    workerData: { seed, kills },
    execArgv: ['--disable-warning=ExperimentalWarning']
  });
  let sum;
  killing.on('message', (message) => {
    if (message.text === undefined) sum = message;
    else console.log(message.text);
  });
  await once(killing, 'exit');
  if (sum === undefined) return 1;
  console.log(
    `seed ${seed}: ${sum.kills} kills, ${sum.faulty === 0 ? 'nothing lost' : `${sum.faulty} commands with faults`}`
  );
  return sum.faulty === 0 ? 0 : 1;
}

const worker = new Worker(path.join(root, 'test/campaign/run.ts'), {
  workerData: {
    seed,
    minutes: numbers.minutes ?? 1,
    first: only ?? 0,
    count: only === undefined ? 0 : 1,
    commandLine: path.join(root, 'out/main/cli.js')
  },
  execArgv: ['--disable-warning=ExperimentalWarning']
});
const sums = { cases: 0, faulty: 0, runs: 0, kills: 0, fullDisks: 0 };
let current;
let watch;

worker.on('message', (message) => {
  if (message.kind === 'note') {
    console.log(message.text);
    return;
  }
  clearTimeout(watch);
  current = message.number;
  if (message.kind === 'begin') {
    watch = setTimeout(() => {
      console.error(`case ${current} does not end: npm run crash -- --seed ${seed} --case ${current}`);
      process.exit(1);
    }, CASE_LIMIT_MS);
    return;
  }
  sums.cases++;
  for (const name of ['runs', 'kills', 'fullDisks']) sums[name] += message[name];
  if (message.faults.length > 0) sums.faulty++;
  if (message.faults.length > 0 || only !== undefined) {
    console.log(`case ${message.number}: npm run crash -- --seed ${seed} --case ${message.number}`);
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
  const { cases, faulty, runs, kills, fullDisks } = sums;
  const end = faulty === 0 ? 'nothing lost' : `${faulty} cases with faults`;
  console.log(
    `seed ${seed}: ${cases} databases, ${runs} runs, ${kills} kills, ${fullDisks} full disks, ${end}`
  );
  if (faulty > 0) process.exitCode = 1;
});
