// Every figure of docs/performance.md in one run: the benches one after the other, their figures in one JSON file, and from
// it the tables and pictures of the document.
//   npm run bench -- all [--quick] [--only PART,PART] [--sizes 512MiB,2GiB] [--streams 10000,10M] [--minutes N]
//                        [--json FILE] [--databases DIR] [--out docs/performance.md] [--pictures DIR] [--render]
// A part that fails loses nothing of the others; a run with the same --json resumes: it measures the parts that are not there,
// and those that --only names. --only databases writes the databases into --databases DIR, where they stay for the next run.
// --minutes leaves out parts for which there is no time. --render only makes document and pictures from the JSON file.
// --quick tries it all with small databases; its figures say nothing, so it writes no document unless --out names one.
import '../answer-help.mjs';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildStale, root } from '../build.mjs';
import { secondsToWrite, writeDatabases } from './all-databases.mjs';
import { databasePath, FULL, partsOf, QUICK, selectParts } from './all-parts.mjs';
import { writeDocument } from './figure-document.mjs';
import { describeMachine } from './machine.mjs';
import { countOf, withScratchDirectory } from './measure.mjs';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    sizes: { type: 'string' },
    streams: { type: 'string' },
    minutes: { type: 'string' },
    json: { type: 'string' },
    databases: { type: 'string' },
    out: { type: 'string' },
    pictures: { type: 'string' },
    render: { type: 'boolean', default: false }
  }
});

const VERSION = 1;
/** A part that takes so much longer than estimated is ended. */
const PATIENCE = 6;
const PATIENCE_SECONDS = 120;
const jsonFile = path.resolve(values.json ?? path.join(root, 'out/bench/figures.json'));
const out = values.out ?? (values.quick ? undefined : 'docs/performance.md');

const matrix = { ...(values.quick ? QUICK : FULL) };
if (values.sizes) matrix.sizes = values.sizes.split(',');
if (values.streams) matrix.streamCounts = values.streams.split(',').map(countOf);

function readFigures() {
  if (!existsSync(jsonFile)) return { version: VERSION, isQuick: values.quick, parts: {} };
  const figures = JSON.parse(readFileSync(jsonFile, 'utf8'));
  if (figures.version !== VERSION || figures.isQuick !== values.quick) {
    throw new Error(`${jsonFile} is of another kind of run: remove it, or name another file with --json.`);
  }
  return figures;
}

/** Whole or not at all: a run that is interrupted keeps what was there. */
function keep(figures) {
  mkdirSync(path.dirname(jsonFile), { recursive: true });
  writeFileSync(`${jsonFile}.new`, `${JSON.stringify(figures, null, 1)}\n`);
  renameSync(`${jsonFile}.new`, jsonFile);
}

function commitOf() {
  const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.trim();
  return `${git('rev-parse', '--short=10', 'HEAD')}${git('status', '--porcelain') === '' ? '' : ' with changes'}`;
}

/** Ends everything at a signal: databases being written by it, a bench and the processes that it started by their group. */
const stopping = new AbortController();
let running;
stopping.signal.addEventListener('abort', endBench);
for (const name of ['SIGINT', 'SIGTERM']) {
  process.on(name, () => {
    process.exitCode = 130;
    stopping.abort();
  });
}

function endBench() {
  if (running?.exitCode === null && running.signalCode === null) process.kill(-running.pid, 'SIGKILL');
}

/** Runs one bench and gives the figures that it wrote; they count even if it missed a limit of its own. */
async function runBench(name, args, { scratch, limitSeconds }) {
  const json = path.join(scratch, 'part.json');
  rmSync(json, { force: true });
  const words = [path.join(root, 'scripts/bench/run.mjs'), name, ...args.map(String), '--json', json];
  // A temporary directory of ours, so that nothing stays of a bench that is ended.
  const env = { ...process.env, TMPDIR: scratch };
  running = spawn(process.execPath, words, { cwd: root, stdio: 'inherit', env, detached: true });
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    endBench();
  }, limitSeconds * 1000);
  const code = await new Promise((resolve, reject) => {
    running.once('error', reject);
    running.once('exit', resolve);
  });
  clearTimeout(late);
  if (isLate) throw new Error(`${name} took more than ${limitSeconds} s.`);
  if (!existsSync(json)) throw new Error(`${name} ended with ${code} and without figures.`);
  return JSON.parse(readFileSync(json, 'utf8'));
}

async function measurePart(part, { directory, scratch }) {
  const startedMs = performance.now();
  const head = { at: new Date().toISOString(), commit: commitOf(), load: Number(os.loadavg()[0].toFixed(2)) };
  const seconds = () => Math.round(performance.now() - startedMs) / 1000;
  const limitSeconds = part.seconds * PATIENCE + PATIENCE_SECONDS;
  try {
    const figures = await part.measure({
      bench: (name, args) => runBench(name, args, { scratch, limitSeconds }),
      at: (database) => databasePath(directory, database),
      isPackaged: existsSync(path.join(root, 'release/linux-unpacked/winnow-window'))
    });
    return { status: 'done', ...head, seconds: seconds(), figures };
  } catch (error) {
    return { status: 'failed', ...head, seconds: seconds(), reason: error.message };
  }
}

/** What a failure leaves of an earlier success is worth more than the failure. */
const better = (before, now) => (now.status === 'done' || before?.status !== 'done' ? now : before);

async function measureAll(figures, parts, scratch) {
  const startedMs = performance.now();
  const passed = () => (performance.now() - startedMs) / 1000;
  const limit = values.minutes === undefined ? Infinity : Number(values.minutes) * 60;
  const directory = path.resolve(values.databases ?? path.join(scratch, 'databases'));
  mkdirSync(directory, { recursive: true });
  for (const target of ['all', 'measured']) buildStale(target, { quiet: true });
  const together = Math.max(1, Math.min(4, os.availableParallelism()));
  await writeDatabases(
    parts.flatMap(({ databases }) => databases),
    directory,
    {
      together,
      signal: stopping.signal,
      onWritten: ({ key }, seconds) => console.log(`== wrote ${key} in ${seconds.toFixed(0)} s`)
    }
  );
  if (values.only === 'databases') return;
  for (const [number, part] of parts.entries()) {
    if (stopping.signal.aborted) return;
    const rest = parts.slice(number).reduce((sum, { seconds }) => sum + seconds, 0);
    const left = `about ${(rest / 60).toFixed(1)} min left`;
    if (passed() + part.seconds > limit) {
      console.log(`== ${part.name}: left out, it takes about ${part.seconds.toFixed(0)} s`);
      continue;
    }
    console.log(
      `== ${part.name} (${number + 1} of ${parts.length}), ${(passed() / 60).toFixed(1)} min passed, ${left}`
    );
    const done = await measurePart(part, { directory, scratch });
    if (stopping.signal.aborted) return;
    if (done.status === 'failed') console.error(`== ${part.name} failed: ${done.reason}`);
    figures.parts[part.name] = better(figures.parts[part.name], done);
    Object.assign(figures, { date: done.at, commit: done.commit, machine: describeMachine(), matrix });
    keep(figures);
    if (done.status === 'failed') process.exitCode = 1;
  }
}

const all = partsOf(matrix);
const figures = readFigures();
if (!values.render) {
  const named = values.only === undefined || values.only === 'databases' ? undefined : values.only.split(',');
  const parts = named
    ? selectParts(all, named)
    : all.filter(({ name }) => figures.parts[name]?.status !== 'done');
  const writing = parts.flatMap(({ databases }) => databases);
  const seconds = parts.reduce((sum, part) => sum + part.seconds, 0);
  const keys = new Map(writing.map((one) => [one.key, secondsToWrite(one)]));
  const writingSeconds =
    [...keys.values()].reduce((sum, one) => sum + one, 0) / Math.min(2, os.availableParallelism());
  console.log(
    `${parts.length} parts, about ${(seconds / 60).toFixed(1)} min; writing ${keys.size} databases ` +
      `${(writingSeconds / 60).toFixed(1)} min, where they are not there yet`
  );
  await withScratchDirectory((scratch) => measureAll(figures, parts, scratch));
}
if (out !== undefined && !stopping.signal.aborted && values.only !== 'databases') {
  const pictures = values.pictures ?? path.join(path.dirname(out), 'pictures/performance');
  await writeDocument({ figures, out: path.resolve(root, out), pictures: path.resolve(root, pictures) });
  console.log(`== wrote ${out} and ${pictures}`);
}
const failed = Object.entries(figures.parts).filter(([, { status }]) => status === 'failed');
for (const [name, { reason }] of failed) console.error(`${name}: ${reason}`);
