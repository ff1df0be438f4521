// What questions about a database take: the first one, which reads every chunk, and then each with the digests that it left,
// each in a process of its own; time of the operation itself, without the start of the process. Beside them hashing all
// chunks one after the other. `--database DIR` takes one that is there; `--size` (MiB), `--streams` and `--shape`
// (scavenge-database.mjs) make another. Figures are medians of the runs.
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { median, withScratchDirectory } from './measure.mjs';
import { writeBenchDatabase } from './scavenge-database.mjs';

const { values } = parseArgs({
  options: {
    database: { type: 'string' },
    size: { type: 'string', default: '2048' },
    streams: { type: 'string', default: '154000' },
    shape: { type: 'string', default: 'skewed' },
    runs: { type: 'string', default: '3' }
  }
});
const NOW = '2027-01-01T00:00:00Z';
const PIECE_BYTES = 1024 * 1024;
const operationTime = path.join(import.meta.dirname, 'operation-time.mjs');
/** Prints on stderr, at its end, the most memory and the processor time that the process has had. */
const used = `data:text/javascript,process.on('exit', () => { const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage(); process.stderr.write('used ' + [maxRSS, userCPUTime, systemCPUTime].join(' ')) })`;

const QUESTIONS = {
  usage: ['readUsage', { threads: 2, top: 100 }],
  plan: ['planScavenge', { scavengePoint: 'detached' }],
  thresholds: ['compareThresholds', {}],
  'explain a stream': ['explain', { stream: 'order-00000001' }],
  streams: ['readStreamsPage', {}, 'no time'],
  weights: ['listChunks', { computeWeights: true }]
};

/** Every byte of the chunks through MD5. */
function hashPlainly(directory) {
  const piece = new Uint8Array(PIECE_BYTES);
  const start = performance.now();
  for (const name of readdirSync(directory).filter((file) => file.startsWith('chunk-'))) {
    const handle = openSync(path.join(directory, name), 'r');
    const hash = createHash('md5');
    for (let count; (count = readSync(handle, piece)) > 0;) hash.update(piece.subarray(0, count));
    hash.digest();
    closeSync(handle);
  }
  return performance.now() - start;
}

function ask([operation, request, isTimeless], place) {
  const whole = { ...place, ...(isTimeless ? {} : { now: NOW }), ...request };
  const run = spawnSync(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--import',
      used,
      operationTime,
      operation,
      JSON.stringify(whole)
    ],
    { encoding: 'utf8', maxBuffer: 2 ** 28 }
  );
  if (run.status !== 0) throw new Error(run.stderr);
  const [, peak, user, system] = /used (\d+) (\d+) (\d+)/.exec(run.stderr);
  return {
    ms: JSON.parse(run.stdout).ms,
    peakMiB: peak / 1024,
    cpuMs: (Number(user) + Number(system)) / 1000
  };
}

await withScratchDirectory(async (scratch) => {
  const dataDirectory = values.database ?? path.join(scratch, 'database');
  if (values.database === undefined) {
    await writeBenchDatabase({
      dataDirectory,
      sizeBytes: Number(values.size) * 2 ** 20,
      streams: Number(values.streams),
      shape: values.shape
    });
  }
  const chunks = readdirSync(dataDirectory).filter((name) => name.startsWith('chunk-'));
  const bytes = chunks.reduce((sum, name) => sum + statSync(path.join(dataDirectory, name)).size, 0);
  hashPlainly(dataDirectory);
  const rows = new Map();
  const add = (name, row) => rows.set(name, [...(rows.get(name) ?? []), row]);
  const winnowHome = path.join(scratch, 'home');
  for (let run = 0; run < Number(values.runs); run++) {
    rmSync(winnowHome, { recursive: true, force: true });
    add('hashing the chunks', { ms: hashPlainly(dataDirectory), peakMiB: NaN, cpuMs: NaN });
    add('weights, nothing known', ask(QUESTIONS.weights, { dataDirectory, winnowHome }));
    for (const [name, question] of Object.entries(QUESTIONS))
      add(name, ask(question, { dataDirectory, winnowHome }));
  }
  console.log(`${(bytes / 2 ** 20).toFixed(0)} MiB of log in ${chunks.length} chunks`);
  const floor = median(rows.get('hashing the chunks').map(({ ms }) => ms));
  for (const [name, all] of rows) {
    const of = (key) => median(all.map((one) => one[key]));
    const rest = Number.isNaN(of('peakMiB'))
      ? ''
      : `, ${of('cpuMs').toFixed(0).padStart(6)} ms of processor time with its start, ${of('peakMiB').toFixed(0)} MiB`;
    const ms = of('ms');
    console.log(
      `${name.padEnd(24)} ${ms.toFixed(0).padStart(7)} ms, ${(ms / floor).toFixed(2)} of hashing${rest}`
    );
  }
});
