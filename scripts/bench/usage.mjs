// Counting the content of a database: first, and again with nothing new, each in its own process and compared with
// plain reading and hashing of the chunks, with peak memory. The database is that of the bench of scavenges;
// `--database DIR` takes one that is there, `--size` (MiB), `--streams` and `--shape skewed` (scavenge-database.mjs)
// make another. `--json FILE` writes the figures.
import '../answer-help.mjs';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { chunkFacts, plainHashingMs, plainReadingMs } from './chunk-files.mjs';
import { median, withScratchDirectory } from './measure.mjs';
import { runOperation } from './measured-process.mjs';
import { writeBenchDatabase } from './scavenge-database.mjs';

const { values } = parseArgs({
  options: {
    database: { type: 'string' },
    size: { type: 'string', default: '2048' },
    streams: { type: 'string', default: '100000' },
    shape: { type: 'string', default: 'even' },
    runs: { type: 'string', default: '3' },
    threads: { type: 'string', default: '2' },
    json: { type: 'string' }
  }
});
const NOW = '2027-01-01T00:00:00Z';
const MIB = 2 ** 20;

await withScratchDirectory(async (scratch) => {
  const dataDirectory = values.database ?? path.join(scratch, 'database');
  const threads = Number(values.threads);
  if (values.database === undefined) {
    await writeBenchDatabase({
      dataDirectory,
      sizeBytes: Number(values.size) * MIB,
      streams: Number(values.streams),
      shape: values.shape
    });
  }
  plainReadingMs(dataDirectory);
  const winnowHome = path.join(scratch, 'home');
  const count = () => runOperation('readUsage', { dataDirectory, winnowHome, now: NOW, threads, top: 100 });
  const rows = { first: [], again: [], reading: [], hashing: [], peakBytes: [] };
  for (let run = 0; run < Number(values.runs); run++) {
    rmSync(winnowHome, { recursive: true, force: true });
    rows.reading.push(plainReadingMs(dataDirectory));
    rows.hashing.push(plainHashingMs(dataDirectory));
    const first = await count();
    rows.first.push(first.ms);
    rows.peakBytes.push(first.peakBytes);
    rows.again.push((await count()).ms);
  }
  const figures = Object.fromEntries(Object.entries(rows).map(([name, all]) => [name, median(all)]));
  const { bytes, chunks } = chunkFacts(dataDirectory);
  const show = (title, ms) =>
    console.log(
      `${title.padEnd(24)} ${ms.toFixed(0).padStart(7)} ms, ${(figures.reading / ms).toFixed(2)} of plain reading`
    );
  console.log(`${(bytes / MIB).toFixed(0)} MiB of log in ${chunks} chunks, ${threads} threads`);
  show('plain reading', figures.reading);
  show('plain hashing', figures.hashing);
  show('first count', figures.first);
  show('second, nothing new', figures.again);
  console.log(`peak memory ${(figures.peakBytes / MIB).toFixed(0)} MiB`);
  if (values.json)
    writeFileSync(values.json, JSON.stringify({ bytes, chunks, threads, ...figures }, null, 2));
});
