// `npm run structure-fuzz`: changes what databases, states of scavenges and our own documents say, with checksums that fit, and
// judges what readers, verification, scavenges, restores and undos make of it.
//   npm run structure-fuzz -- --cases 50000            a new seed, which is printed
//   npm run structure-fuzz -- --seed 7 --cases 50000   the same cases again
//   npm run structure-fuzz -- --seed 7 --case 1234     one case again, with what was changed
// Exits with 1 when a case shows a fault, takes more than 2 s of the processor or more than 300 MiB, or does not end.
import './answer-help.mjs';
import { randomInt } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { root } from './build.mjs';

const CASE_LIMIT_CPU_MS = 2000;
/** Others may be at work on the same processors. */
const CASE_END_MS = 120_000;
const CASE_LIMIT_BYTES = 300 * 2 ** 20;
const SAMPLE_MS = 20;
const PROGRESS_CASES = 5000;

const { values } = parseArgs({
  options: {
    cases: { type: 'string' },
    seed: { type: 'string' },
    case: { type: 'string' },
    first: { type: 'string' }
  }
});
const numbers = Object.fromEntries(Object.entries(values).map(([name, text]) => [name, Number(text)]));
const wrong = Object.keys(numbers).find((name) => !Number.isSafeInteger(numbers[name]) || numbers[name] < 0);
if (wrong) {
  console.error(`--${wrong} must be a whole number.`);
  process.exit(2);
}
const seed = numbers.seed ?? randomInt(2 ** 31);
const only = numbers.case;
console.log(`seed ${seed}`);

const worker = new Worker(path.join(root, 'test/fuzz/structures/run.ts'), {
  workerData: {
    seed,
    first: only ?? numbers.first ?? 0,
    count: only === undefined ? (numbers.cases ?? 2000) : 1
  },
  execArgv: ['--disable-warning=ExperimentalWarning']
});
let cases = 0;
let faulty = 0;
let judged = 0;
let slowest = { cpuMs: 0, number: 0 };
let current;
let watch;
/** When the case began. */
let idleBytes = 0;
let mostBytes = 0;
const counts = new Map();
// What a case takes while it works; the thread that works does not hold up this one.
const sampler = setInterval(() => {
  if (idleBytes > 0) mostBytes = Math.max(mostBytes, process.memoryUsage.rss() - idleBytes);
}, SAMPLE_MS);

const mebibytes = (bytes) => Math.round(bytes / 2 ** 20);

function isFaulty({ faults, cpuMs }) {
  if (cpuMs > CASE_LIMIT_CPU_MS) faults.push(`took ${Math.round(cpuMs)} ms of the processor`);
  return faults.length > 0;
}

worker.on('message', (message) => {
  clearTimeout(watch);
  current = message.number;
  if (message.kind === 'begin') {
    idleBytes = process.memoryUsage.rss();
    watch = setTimeout(() => {
      console.error(
        `case ${current} does not end: npm run structure-fuzz -- --seed ${seed} --case ${current}`
      );
      process.exit(1);
    }, CASE_END_MS);
    return;
  }
  cases++;
  if (message.isJudged) judged++;
  if (message.cpuMs > slowest.cpuMs) slowest = message;
  const key = `${message.structure}, ${message.outcome}`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
  const isBad = isFaulty(message);
  if (isBad) faulty++;
  if (isBad || only !== undefined) {
    console.log(`case ${message.number}: ${key}`);
    for (const step of message.steps) console.log(`  ${step}`);
    for (const fault of message.faults) console.log(`  FAULT ${fault}`);
  }
  if (cases % PROGRESS_CASES !== 0) return;
  console.log(`${cases} cases, ${faulty} with faults, ${mebibytes(process.memoryUsage.rss())} MiB resident`);
});
worker.on('error', (error) => {
  clearTimeout(watch);
  console.error(`case ${current} on seed ${seed} ended the campaign:`, error);
  process.exitCode = 1;
});
worker.on('exit', () => {
  clearTimeout(watch);
  clearInterval(sampler);
  for (const [key, count] of [...counts].sort()) console.log(`  ${key}: ${count}`);
  console.log(
    `structured mutations: ${cases} cases, ${judged} scavenges judged, ${faulty} with faults, seed ${seed}; ` +
      `slowest ${Math.round(slowest.cpuMs)} ms of the processor (case ${slowest.number}), ` +
      `a case takes ${mebibytes(mostBytes)} MiB at most`
  );
  if (faulty > 0 || mostBytes > CASE_LIMIT_BYTES) process.exitCode = 1;
});
