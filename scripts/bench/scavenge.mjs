// How fast a scavenge is, phase by phase, against plain loops over the same bytes (scavenge-floors.mjs). Each phase
// runs in a process of its own by the command itself, resumed with `--stop-after`, so that its peak memory is its
// own; its floor runs next to it, so that a busy moment of the machine hits both. Figures are medians of the runs.
//   npm run bench -- scavenge [--size 2GiB] [--streams 100000] [--shape even|skewed] [--runs 5] [--threads N]
//                             [--rows ROW,ROW] [--json FILE] [--keep DIR | --database DIR] [--source]
// --rows measures only some (names in scavenge-table.mjs). --keep leaves the database that was made in DIR, --database
// takes it from there. --source runs the sources as they are instead of building the command first.
import '../answer-help.mjs';
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
import { countOf, median, withScratchDirectory } from './measure.mjs';
import { runMeasured, runOperation } from './measured-process.mjs';
import { FACTS_FILE, writeBenchDatabase } from './scavenge-database.mjs';
import { printTable, ROWS } from './scavenge-table.mjs';

const { values: options } = parseArgs({
  options: {
    size: { type: 'string', default: '2GiB' },
    streams: { type: 'string', default: '100000' },
    shape: { type: 'string', default: 'even' },
    runs: { type: 'string', default: '5' },
    threads: { type: 'string', default: '1' },
    rows: { type: 'string' },
    json: { type: 'string' },
    keep: { type: 'string' },
    database: { type: 'string' },
    source: { type: 'boolean', default: false }
  }
});

const script = (name) => path.join(root, 'scripts/bench', name);
const PHASES = [
  'accumulation',
  'calculation',
  'chunkExecution',
  'chunkMerging',
  'indexExecution',
  'cleaning'
];

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
  #rows;
  #cli = path.join(root, options.source ? 'src-main/cli/cli.ts' : 'out/main/cli.js');
  /** By row: what was measured in each run. */
  measured = Object.fromEntries(ROWS.map(({ name }) => [name, []]));

  constructor(scratch, database, rows) {
    this.#scratch = scratch;
    this.#database = database;
    this.#rows = rows;
  }

  /** One whole round: each phase by itself with its floor, then everything at once. */
  async round() {
    if (this.#wants('opening', ...PHASES)) await this.#phases();
    if (this.#wants('indexRebuild', 'verification', 'verificationThreads')) await this.#reading();
    if (this.#wants('whole')) await this.#whole();
  }

  async throttle() {
    if (!this.#wants('throttle')) return;
    const copies = [0, 1, 2].map((number) => this.#copy(`throttled-${number}`));
    const { share, ms } = (await this.#run(script('scavenge-throttle.mjs'), copies)).result;
    this.#add('throttle', { ms, share });
    for (const copy of copies) rmSync(copy, { recursive: true });
  }

  #wants(...rows) {
    return rows.some((row) => this.#rows.includes(row));
  }

  async #phases() {
    const copy = this.#copy();
    await this.#opening(copy);
    const walk = await this.#floor('walk', copy);
    for (const phase of PHASES) {
      const { report, peakBytes } = await this.#scavenge(copy, ['--stop-after', phase]);
      const ms = report.phases.find((done) => done.phase === phase).elapsedMs;
      this.#add(phase, {
        ms,
        peakBytes,
        ...(await this.#floorOf(phase, report, walk)),
        ...amountOf(phase, report, walk)
      });
    }
    await this.#nothingToDo(copy);
    rmSync(copy, { recursive: true });
  }

  async #nothingToDo(copy) {
    const { ms, peakBytes } = await this.#scavenge(copy, []);
    this.#add('nothingToDo', { ms, peakBytes });
  }

  async #reading() {
    const copy = this.#copy('fresh');
    if (this.#wants('indexRebuild')) await this.#rebuild(copy);
    if (this.#wants('verification', 'verificationThreads')) await this.#verify(copy);
    rmSync(copy, { recursive: true });
  }

  /** The whole in one process, with the time of each phase in it. */
  async #whole() {
    const copy = this.#copy('whole');
    const { report, peakBytes, processorMs } = await this.#scavenge(copy, []);
    const phases = report.phases.map(({ phase, elapsedMs }) => [`${phase}Ms`, elapsedMs]);
    const ms = report.phases.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0);
    this.#add('whole', { ms, peakBytes, processorMs, ...Object.fromEntries(phases) });
    if (this.measured.nothingToDo.length < this.measured.whole.length) await this.#nothingToDo(copy);
    rmSync(copy, { recursive: true });
  }

  async #opening(copy) {
    const { result, peakBytes } = await this.#run(script('scavenge-opening.mjs'), [copy]);
    this.#add('opening', { ms: result.ms, peakBytes });
  }

  /** Of a whole index; entries as many as the floor sorts are written. */
  async #rebuild(copy) {
    const request = { threads: Number(options.threads) };
    const { ms, peakBytes, report, takesThreads } = await this.#operation('rebuildIndex', copy, request);
    const items = report.entries;
    const floorMs = (await this.#floor('sort', this.#scratch, items)).ms;
    const threads = takesThreads ? request.threads : 1;
    this.#add('indexRebuild', { ms, peakBytes, floorMs, items, threads, unit: 'entries' });
  }

  /** With one thread, and with as many as there are processors. */
  async #verify(copy) {
    const floorMs = (await this.#floor('hash', copy)).ms;
    const bytes = bytesOf(copy);
    const { ms, peakBytes } = await this.#operation('verifyDatabase', copy, { threads: 1 });
    this.#add('verification', { ms, peakBytes, floorMs, bytes });
    const threads = availableParallelism();
    if (threads > 1 && this.#wants('verificationThreads')) {
      const several = await this.#operation('verifyDatabase', copy, { threads });
      const amount = { floorMs: floorMs / threads, bytes };
      this.#add('verificationThreads', { ms: several.ms, peakBytes: several.peakBytes, ...amount });
    }
  }

  #operation(name, dataDirectory, request) {
    warm(dataDirectory);
    return runOperation(name, { dataDirectory, ...request }, { env: this.#environment });
  }

  async #floorOf(phase, report, walk) {
    if (phase === 'accumulation') return { floorMs: walk.ms };
    if (phase === 'chunkExecution') {
      const sizes = report.chunks.map(({ decision, bytesAfter }) =>
        decision === 'rewritten' ? bytesAfter : 0
      );
      return { floorMs: (await this.#floor('copy', this.#database, this.#scratch, sizes.join())).ms };
    }
    if (phase === 'indexExecution') {
      return { floorMs: (await this.#floor('sort', this.#scratch, entriesOf(report))).ms };
    }
    return {};
  }

  async #floor(kind, ...args) {
    if (kind !== 'sort') warm(args[0]);
    return (await this.#run(script('scavenge-floors.mjs'), [kind, ...args])).result;
  }

  async #scavenge(copy, args) {
    warm(copy);
    const { result, ...figures } = await this.#run(this.#cli, [
      ...['scavenge', copy, '--yes', '--json', '--quiet', '--scavenge-point', 'existing'],
      ...['--threads', options.threads, ...args]
    ]);
    return { report: result, ...figures };
  }

  #run(file, args) {
    return runMeasured(file, args, { env: this.#environment });
  }

  get #environment() {
    return { WINNOW_HOME: path.join(this.#scratch, 'home') };
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
  const bench = new ScavengeBench(
    scratch,
    database,
    options.rows?.split(',') ?? ROWS.map(({ name }) => name)
  );
  const runs = Number(options.runs);
  for (let i = 0; i < runs; i++) await bench.round();
  await bench.throttle();
  const rows = Object.fromEntries(
    Object.entries(bench.measured).map(([name, rounds]) => [name, mediansOf(rounds)])
  );
  const threads = Number(options.threads);
  printTable({ facts, runs, threads, rows });
  if (options.json) {
    const { measured } = bench;
    writeFileSync(options.json, JSON.stringify({ facts, runs, threads, rows, measured }, null, 2));
  }
});
