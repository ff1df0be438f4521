// What short commands take, the start of the process included: `--help`, and `inspect` of a database of many chunks; and
// how long a worker thread of the command takes to its first answer. Of the built command, with the compiled code that an
// earlier command left in its home. Medians of the runs, after one that is not counted.
//   npm run bench -- command-start [--chunks 10000] [--database DIR] [--runs 9] [--json FILE]
import '../answer-help.mjs';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildStale, root } from '../build.mjs';
import { median, withScratchDirectory } from './measure.mjs';
import { runMeasured } from './measured-process.mjs';
import { writeManyChunks } from './scavenge-database.mjs';

const { values } = parseArgs({
  options: {
    chunks: { type: 'string', default: '10000' },
    database: { type: 'string' },
    runs: { type: 'string', default: '9' },
    json: { type: 'string' }
  }
});
const runs = Number(values.runs);
const WORKER = path.join(root, 'out/main/digest-worker.js');
const CLI = path.join(root, 'out/main/cli.js');

async function timesOf(env, args) {
  const done = [];
  for (let run = -1; run < runs; run++) {
    const one = await runMeasured(CLI, args, { env, isText: true });
    if (run >= 0) done.push(one);
  }
  const of = (key) => median(done.map((one) => one[key]));
  return { ms: of('ms'), processorMs: of('processorMs'), peakBytes: of('peakBytes') };
}

buildStale('commands', { quiet: true });
await withScratchDirectory(async (scratch) => {
  const dataDirectory = values.database ?? path.join(scratch, 'database');
  if (values.database === undefined) await writeManyChunks({ dataDirectory, chunks: Number(values.chunks) });
  const home = path.join(scratch, 'home');
  mkdirSync(home);
  const env = { WINNOW_HOME: home };
  const help = await timesOf(env, ['--help']);
  const inspect = await timesOf(env, ['inspect', dataDirectory, '--json', '--quiet']);
  const starting = { env: { ...env, NODE_COMPILE_CACHE: path.join(home, 'code-cache') } };
  const script = path.join(import.meta.dirname, 'worker-start.mjs');
  await runMeasured(script, [WORKER, 1], starting); // leaves its compiled code
  const first = [];
  const later = [];
  for (let run = 0; run < runs; run++) {
    const { times } = (await runMeasured(script, [WORKER, 2], starting)).result;
    first.push(times[0]);
    later.push(times[1]);
  }
  const figures = { help, inspect, worker: { firstMs: median(first), laterMs: median(later) } };
  const { chunkCount } = (await runMeasured(CLI, ['inspect', dataDirectory, '--json', '--quiet'], { env }))
    .result;
  figures.inspect.chunks = chunkCount.physical;
  const show = (title, ms) => console.log(`${title.padEnd(36)} ${ms.toFixed(0).padStart(6)} ms`);
  show('--help', help.ms);
  show(`inspect, ${chunkCount.physical.toLocaleString('en')} chunks`, inspect.ms);
  show('a first worker thread to its answer', figures.worker.firstMs);
  show('a second one', figures.worker.laterMs);
  if (values.json) writeFileSync(values.json, JSON.stringify(figures, null, 2));
});
