// What questions about a database take: the first one, which reads every chunk, and then each with the digests that it left,
// each in a process of its own; time of the operation itself, without the start of the process. Beside them hashing all
// chunks one after the other. `--database DIR` takes one that is there; `--size` (MiB), `--streams` and `--shape`
// (scavenge-database.mjs) make another. `--questions` asks only some, `--again` asks each once more with all that they left,
// `--limit` gives each of them so many seconds, `--first-limit` the first one, `--json FILE` writes the figures. Figures are
// medians of the runs.
import '../answer-help.mjs';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { chunkFacts, plainHashingMs } from './chunk-files.mjs';
import { median, withScratchDirectory } from './measure.mjs';
import { runOperation, TimeIsUp } from './measured-process.mjs';
import { FACTS_FILE, writeBenchDatabase } from './scavenge-database.mjs';

const { values } = parseArgs({
  options: {
    database: { type: 'string' },
    size: { type: 'string', default: '2048' },
    streams: { type: 'string', default: '154000' },
    shape: { type: 'string', default: 'skewed' },
    runs: { type: 'string', default: '3' },
    questions: { type: 'string' },
    again: { type: 'boolean', default: false },
    limit: { type: 'string' },
    'first-limit': { type: 'string' },
    json: { type: 'string' }
  }
});
const NOW = '2027-01-01T00:00:00Z';
const MIB = 2 ** 20;

/** By name: the operation and its request. A stream is one that both shapes have. */
const questionsOf = (shape) => ({
  usage: ['readUsage', { threads: 2, top: 100, now: NOW }],
  plan: ['planScavenge', { scavengePoint: 'detached', now: NOW }],
  thresholds: ['compareThresholds', { now: NOW }],
  explain: ['explain', { stream: shape === 'even' ? 'account-00000001' : 'order-00000001', now: NOW }],
  streams: ['readStreamsPage', {}],
  weights: ['listChunks', { computeWeights: true, now: NOW }]
});
const msOf = (seconds) => (seconds === undefined ? undefined : Number(seconds) * 1000);
const limitMs = msOf(values.limit);
const firstLimitMs = msOf(values['first-limit']) ?? limitMs;

/** `ms` is null if it was not answered in its time. */
async function ask([operation, request], place, limit = limitMs) {
  const given = { ...place, ...request };
  try {
    const { ms, peakBytes, processorMs } = await runOperation(operation, given, { limitMs: limit });
    return { ms, peakBytes, processorMs };
  } catch (error) {
    if (error instanceof TimeIsUp) return { ms: null, peakBytes: null, processorMs: null };
    throw error;
  }
}

await withScratchDirectory(async (scratch) => {
  const dataDirectory = values.database ?? path.join(scratch, 'database');
  if (values.database === undefined) {
    await writeBenchDatabase({
      dataDirectory,
      sizeBytes: Number(values.size) * MIB,
      streams: Number(values.streams),
      shape: values.shape
    });
  }
  const { bytes, chunks } = chunkFacts(dataDirectory);
  const questions = Object.entries(questionsOf(values.shape)).filter(
    ([name]) => values.questions === undefined || values.questions.split(',').includes(name)
  );
  plainHashingMs(dataDirectory);
  const hashing = [];
  const asked = new Map();
  const add = (name, row) => asked.set(name, [...(asked.get(name) ?? []), row]);
  const place = { dataDirectory, winnowHome: path.join(scratch, 'home') };
  for (let run = 0; run < Number(values.runs); run++) {
    rmSync(place.winnowHome, { recursive: true, force: true });
    hashing.push(plainHashingMs(dataDirectory));
    add('firstReading', await ask(questionsOf(values.shape).weights, place, firstLimitMs));
    for (const [name, question] of questions) add(name, await ask(question, place));
    for (const [name, question] of values.again ? questions : [])
      add(`${name}Again`, await ask(question, place));
  }
  const hashingMs = median(hashing);
  const rows = Object.fromEntries([...asked].map(([name, all]) => [name, mediansOf(all)]));
  console.log(`${(bytes / MIB).toFixed(0)} MiB of log in ${chunks} chunks`);
  print('hashing the chunks', { ms: hashingMs }, hashingMs);
  for (const [name, row] of Object.entries(rows)) print(name, row, hashingMs);
  if (values.json) {
    writeFileSync(
      values.json,
      JSON.stringify({ facts: factsOf(dataDirectory), bytes, chunks, hashingMs, rows }, null, 2)
    );
  }
});

/** What the database was made of; one that was not made by us does not say. */
function factsOf(dataDirectory) {
  const file = path.join(dataDirectory, FACTS_FILE);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function mediansOf(all) {
  const of = (key) => (all.some((one) => one[key] === null) ? null : median(all.map((one) => one[key])));
  return { ms: of('ms'), peakBytes: of('peakBytes'), processorMs: of('processorMs') };
}

function print(name, { ms, peakBytes, processorMs }, hashingMs) {
  if (ms === null) {
    console.log(`${name.padEnd(24)} not answered in its time`);
    return;
  }
  const rest =
    peakBytes === undefined
      ? ''
      : `, ${processorMs.toFixed(0).padStart(6)} ms of processor time with its start, ${(peakBytes / MIB).toFixed(0)} MiB`;
  console.log(
    `${name.padEnd(24)} ${ms.toFixed(0).padStart(7)} ms, ${(ms / hashingMs).toFixed(2)} of hashing${rest}`
  );
}
