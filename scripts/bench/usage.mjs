// Counting the content of a database: first, and again with nothing new, each in its own process and compared with
// plain reading of the chunks, with peak memory. The database is that of the bench of scavenges; `--database DIR` takes
// one that is there, `--size` (MiB), `--streams` and `--shape skewed` (scavenge-database.mjs) make another.
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
    streams: { type: 'string', default: '100000' },
    shape: { type: 'string', default: 'even' },
    runs: { type: 'string', default: '3' },
    threads: { type: 'string', default: '2' }
  }
});
const NOW = '2027-01-01T00:00:00Z';
const PIECE_BYTES = 1024 * 1024;
const operationTime = path.join(import.meta.dirname, 'operation-time.mjs');
/** Prints on stderr, at its end, the most memory the process has had. */
const peak = `data:text/javascript,process.on('exit', () => process.stderr.write('peak ' + process.resourceUsage().maxRSS))`;

/** Every byte of the chunks, once. */
function readPlainlyMs(directory) {
  const piece = new Uint8Array(PIECE_BYTES);
  const start = performance.now();
  for (const name of readdirSync(directory).filter((file) => file.startsWith('chunk-'))) {
    const handle = openSync(path.join(directory, name), 'r');
    while (readSync(handle, piece) > 0);
    closeSync(handle);
  }
  return performance.now() - start;
}

/** One count in a process of its own; its peak memory in MiB. */
function count(dataDirectory, winnowHome) {
  const request = { dataDirectory, winnowHome, now: NOW, threads: Number(values.threads), top: 100 };
  const run = spawnSync(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--import',
      peak,
      operationTime,
      'readUsage',
      JSON.stringify(request)
    ],
    { encoding: 'utf8', maxBuffer: 2 ** 28 }
  );
  if (run.status !== 0) throw new Error(run.stderr);
  const { ms } = JSON.parse(run.stdout);
  return { ms, peakMiB: Number(/peak (\d+)/.exec(run.stderr)?.[1]) / 1024 };
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
  readPlainlyMs(dataDirectory);
  const rows = { first: [], again: [], plain: [], peak: [] };
  for (let run = 0; run < Number(values.runs); run++) {
    const home = path.join(scratch, 'home');
    rmSync(home, { recursive: true, force: true });
    rows.plain.push(readPlainlyMs(dataDirectory));
    const first = count(dataDirectory, home);
    rows.first.push(first.ms);
    rows.peak.push(first.peakMiB);
    rows.again.push(count(dataDirectory, home).ms);
  }
  const plain = median(rows.plain);
  const show = (title, ms) =>
    console.log(
      `${title.padEnd(24)} ${ms.toFixed(0).padStart(7)} ms, ${(plain / ms).toFixed(2)} of plain reading`
    );
  console.log(
    `${(bytes / 2 ** 20).toFixed(0)} MiB of log in ${chunks.length} chunks, ${values.threads} threads`
  );
  show('plain reading', plain);
  show('first count', median(rows.first));
  show('second, nothing new', median(rows.again));
  console.log(`peak memory ${median(rows.peak).toFixed(0)} MiB`);
});
