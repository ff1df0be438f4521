// How fast a scavenge is, phase by phase, against plain loops over the same bytes (scavenge-floors.mjs). Each phase
// runs in a process of its own by the command itself, resumed with `--stop-after`, so that its peak memory is its
// own; its floor runs next to it, so that a busy moment of the machine hits both. Figures are medians of the runs.
//   npm run bench -- scavenge [--size 2GiB] [--streams 100000] [--shape even|skewed] [--runs 5] [--threads N]
//                             [--json FILE] [--keep DIR | --database DIR] [--source]
// --keep leaves the database that was made in DIR, --database takes it from there. --source runs the sources as they
// are instead of building the command first.
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parseByteSize } from '../../src-main/cli/byte-size.ts';
import { buildStale, root } from '../build.mjs';
import { copyDatabase } from './copy-database.mjs';
import { median, withScratchDirectory } from './measure.mjs';
import { FACTS_FILE, writeBenchDatabase } from './scavenge-database.mjs';
import { printTable, ROWS } from './scavenge-table.mjs';

const { values: options } = parseArgs({
  options: {
    size: { type: 'string', default: '2GiB' },
    streams: { type: 'string', default: '100000' },
    shape: { type: 'string', default: 'even' },
    runs: { type: 'string', default: '5' },
    threads: { type: 'string', default: '1' },
    json: { type: 'string' },
    keep: { type: 'string' },
    database: { type: 'string' },
    source: { type: 'boolean', default: false }
  }
});

const FLAGS = ['--disable-warning=ExperimentalWarning'];
const PHASES = [
  'accumulation',
  'calculation',
  'chunkExecution',
  'chunkMerging',
  'indexExecution',
  'cleaning'
];

function countOf(text) {
  const match = /^(\d+(?:\.\d+)?)([KM]?)$/.exec(text);
  if (!match) throw new Error(`"${text}" is not a number of streams, such as 100000 or 10M.`);
  return Number(match[1]) * { '': 1, K: 1000, M: 1_000_000 }[match[2]];
}

/** Runs a script of Node and gives what it printed, as JSON. */
function run(script, args, { env = {}, preload = [] } = {}) {
  const child = spawnSync(process.execPath, [...FLAGS, ...preload, script, ...args.map(String)], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit']
  });
  if (child.status !== 0) throw new Error(`${path.basename(script)} ${args[0]} ended with ${child.status}.`);
  return JSON.parse(child.stdout);
}

/** Brings the files into the cache of the operating system: phases and floors are measured alike, without the disk. */
function warm(directory) {
  const piece = Buffer.allocUnsafe(1024 * 1024);
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const handle = openSync(path.join(entry.parentPath, entry.name), 'r');
    while (readSync(handle, piece) > 0);
    closeSync(handle);
  }
}

class ScavengeBench {
  #scratch;
  #database;
  #cli = path.join(root, options.source ? 'src-main/cli/cli.ts' : 'out/main/cli.js');
  /** By row: what was measured in each run. */
  measured = Object.fromEntries(ROWS.map(({ name }) => [name, []]));

  constructor(scratch, database) {
    this.#scratch = scratch;
    this.#database = database;
  }

  /** One whole round: each phase by itself with its floor, then everything at once. */
  round() {
    const copy = this.#copy();
    this.#opening(copy);
    const walk = this.#floor('walk', copy);
    const reports = {};
    for (const phase of PHASES) {
      const { report, peakBytes } = this.#scavenge(copy, ['--stop-after', phase]);
      reports[phase] = report;
      const ms = report.phases.find((done) => done.phase === phase).elapsedMs;
      this.#add(phase, {
        ms,
        peakBytes,
        ...this.#floorOf(phase, report, walk),
        ...amountOf(phase, report, walk)
      });
    }
    const idle = this.#scavenge(copy, []);
    this.#add('nothingToDo', { ms: idle.ms, peakBytes: idle.peakBytes });
    rmSync(copy, { recursive: true });
    const fresh = this.#copy('fresh');
    this.#rebuild(fresh);
    this.#verify(fresh);
    rmSync(fresh, { recursive: true });
    this.#whole();
  }

  throttle() {
    const copies = [0, 1, 2].map((number) => this.#copy(`throttled-${number}`));
    const { share, ms } = run(path.join(root, 'scripts/bench/scavenge-throttle.mjs'), copies);
    this.#add('throttle', { ms, share });
    for (const copy of copies) rmSync(copy, { recursive: true });
  }

  #whole() {
    const copy = this.#copy('whole');
    const { report, peakBytes } = this.#scavenge(copy, []);
    this.#add('whole', { ms: report.phases.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0), peakBytes });
    rmSync(copy, { recursive: true });
  }

  #opening(copy) {
    const { ms, peakBytes } = this.#measured(path.join(root, 'scripts/bench/scavenge-opening.mjs'), [copy]);
    this.#add('opening', { ms, peakBytes });
  }

  /** Of a whole index; entries as many as the floor sorts are written. */
  #rebuild(copy) {
    const { ms, peakBytes, report } = this.#operation('rebuildIndex', copy);
    const items = report.entries;
    const floorMs = this.#floor('sort', this.#scratch, items).ms;
    this.#add('indexRebuild', { ms, peakBytes, floorMs, items, unit: 'entries' });
  }

  /** With one thread, and with as many as there are processors. */
  #verify(copy) {
    const floorMs = this.#floor('hash', copy).ms;
    const bytes = bytesOf(copy);
    const { ms, peakBytes } = this.#operation('verifyDatabase', copy, { threads: 1 });
    this.#add('verification', { ms, peakBytes, floorMs, bytes });
    const threads = availableParallelism();
    if (threads > 1) {
      const several = this.#operation('verifyDatabase', copy, { threads });
      const amount = { floorMs: floorMs / threads, bytes };
      this.#add('verificationThreads', { ms: several.ms, peakBytes: several.peakBytes, ...amount });
    }
  }

  #operation(name, dataDirectory, request = {}) {
    warm(dataDirectory);
    const script = path.join(root, 'scripts/bench/operation-time.mjs');
    const json = JSON.stringify({ dataDirectory, ...request });
    const { ms, peakBytes, result } = this.#measured(script, [name, json]);
    return { ms, peakBytes, report: result.report };
  }

  #floorOf(phase, report, walk) {
    if (phase === 'accumulation') return { floorMs: walk.ms };
    if (phase === 'chunkExecution') {
      const sizes = report.chunks.map(({ decision, bytesAfter }) =>
        decision === 'rewritten' ? bytesAfter : 0
      );
      return { floorMs: this.#floor('copy', this.#database, this.#scratch, sizes.join()).ms };
    }
    if (phase === 'indexExecution') {
      return { floorMs: this.#floor('sort', this.#scratch, entriesOf(report)).ms };
    }
    return {};
  }

  #floor(kind, ...args) {
    if (kind !== 'sort') warm(args[0]);
    return run(path.join(root, 'scripts/bench/scavenge-floors.mjs'), [kind, ...args]);
  }

  #scavenge(copy, args) {
    warm(copy);
    const started = performance.now();
    const { result, peakBytes } = this.#measured(this.#cli, [
      ...['scavenge', copy, '--yes', '--json', '--quiet', '--scavenge-point', 'existing'],
      ...['--threads', options.threads, ...args]
    ]);
    return { report: result, peakBytes, ms: performance.now() - started };
  }

  #measured(script, args) {
    const usage = path.join(this.#scratch, 'usage.json');
    const result = run(script, args, {
      preload: ['--import', path.join(root, 'scripts/bench/report-usage.mjs')],
      env: { BENCH_USAGE: usage, WINNOW_HOME: path.join(this.#scratch, 'home') }
    });
    const { peakBytes, processorMs } = JSON.parse(readFileSync(usage, 'utf8'));
    return { result, ms: result.ms, peakBytes, processorMs };
  }

  #copy(name = 'copy') {
    const copy = path.join(this.#scratch, name);
    copyDatabase(this.#database, copy);
    return copy;
  }

  #add(row, figures) {
    this.measured[row].push(figures);
  }
}

/** Of the chunks and index tables, which is what verification reads. */
function bytesOf(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /^(chunk-|[0-9a-f-]{36}$)/.test(entry.name))
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);
}

function entriesOf({ tables }) {
  return tables.reduce((sum, { entriesBefore }) => sum + entriesBefore, 0);
}

/** What a phase went over, for its rate. */
function amountOf(phase, report, { records }) {
  if (phase === 'accumulation') return { bytes: report.bytesBefore, items: records, unit: 'records' };
  if (phase === 'chunkExecution') {
    const read = report.chunks.filter(({ decision }) => decision !== 'skipped');
    return { bytes: read.reduce((sum, { bytesBefore }) => sum + bytesBefore, 0) };
  }
  if (phase === 'indexExecution') return { items: entriesOf(report), unit: 'entries' };
  return {};
}

/** Medians of all numbers of a row. */
function mediansOf(rounds) {
  if (rounds.length === 0) return undefined;
  const names = Object.keys(rounds[0]).filter((name) => typeof rounds[0][name] === 'number');
  const found = Object.fromEntries(names.map((name) => [name, median(rounds.map((round) => round[name]))]));
  const ratios = rounds.filter(({ floorMs }) => floorMs !== undefined).map(({ floorMs, ms }) => floorMs / ms);
  return { ...found, unit: rounds[0].unit, ...(ratios.length > 0 ? { ratio: median(ratios) } : {}) };
}

async function databaseIn(scratch) {
  if (options.database) return path.resolve(options.database);
  const dataDirectory = path.resolve(options.keep ?? path.join(scratch, 'database'));
  if (existsSync(path.join(dataDirectory, FACTS_FILE))) return dataDirectory;
  mkdirSync(path.dirname(dataDirectory), { recursive: true });
  await writeBenchDatabase({
    dataDirectory,
    sizeBytes: parseByteSize(options.size),
    streams: countOf(options.streams),
    shape: options.shape
  });
  return dataDirectory;
}

if (!options.source) buildStale('commands', { quiet: true });
await withScratchDirectory(async (scratch) => {
  const database = await databaseIn(scratch);
  const facts = JSON.parse(readFileSync(path.join(database, FACTS_FILE), 'utf8'));
  const bench = new ScavengeBench(scratch, database);
  const runs = Number(options.runs);
  for (let i = 0; i < runs; i++) bench.round();
  bench.throttle();
  const rows = Object.fromEntries(
    Object.entries(bench.measured).map(([name, rounds]) => [name, mediansOf(rounds)])
  );
  printTable({ facts, runs, threads: Number(options.threads), rows });
  if (options.json) {
    writeFileSync(options.json, JSON.stringify({ facts, runs, rows, measured: bench.measured }, null, 2));
  }
});
