// How fast `diff` reads, against hashing both sides (MD5 of node:crypto, one thread, pieces of 1 MiB) in the same process,
// in turns, with all files read once before. Unscavenged chunks that differ in their ids only, as two nodes have them; then
// one side scavenged. Options: --size 1GiB, --shape even|skewed, --streams 100K, --rounds 3.
import '../answer-help.mjs';
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { byteCount } from '../../src-main/settings/byte-count.ts';
import { chunkFacts, plainHashingMs } from './chunk-files.mjs';
import { copyDatabase } from './copy-database.mjs';
import { countOf, medianPairMs, withScratchDirectory } from './measure.mjs';
import { runOperation } from './run-operation.mjs';
import { writeBenchDatabase } from './scavenge-database.mjs';

const CHUNK_ID_OFFSET = 18;
const HASH_LENGTH = 16;

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '1GiB' },
    shape: { type: 'string', default: 'even' },
    streams: { type: 'string', default: '100K' },
    rounds: { type: 'string', default: '3' }
  }
});

/** Gives each chunk another id, and the hash that goes with it, as another node would have written it. */
function giveOtherIds(directory) {
  for (const name of readdirSync(directory).filter((file) => file.startsWith('chunk-'))) {
    const file = path.join(directory, name);
    const bytes = readFileSync(file);
    bytes[CHUNK_ID_OFFSET] ^= 0xff;
    const end = bytes.length - HASH_LENGTH;
    if ((bytes.at(-128) & 1) === 1) {
      createHash('md5').update(bytes.subarray(0, end)).digest().copy(bytes, end);
    }
    writeFileSync(file, bytes);
  }
}

async function compare(title, one, other, rounds) {
  let report;
  const { workMs, baselineMs } = await medianPairMs(
    async () =>
      (report = await runOperation('compareDatabases', {
        dataDirectory: one,
        others: [{ dataDirectory: other }]
      })),
    () => plainHashingMs(one) + plainHashingMs(other),
    rounds
  );
  const bytes = chunkFacts(one).bytes + chunkFacts(other).bytes;
  const rate = (ms) => `${(bytes / ms / 1000).toFixed(0)} MB/s`;
  const [{ verdict, total, readBytes }] = report.comparisons;
  const explained = total.onlyOne.explained.records + total.onlyOther.explained.records;
  console.log(
    `${title}: ${verdict}, ${total.equal.records} equal, ${explained} removed by rule; read ${readBytes} bytes`
  );
  console.log(
    `  diff ${workMs.toFixed(0)} ms (${rate(workMs)}), hashing ${baselineMs.toFixed(0)} ms (${rate(baselineMs)}): ` +
      `${(baselineMs / workMs).toFixed(2)} of the speed of hashing`
  );
}

await withScratchDirectory(async (scratch) => {
  const [one, other, scavenged] = ['one', 'other', 'scavenged'].map((name) => path.join(scratch, name));
  const { shape } = values;
  const sizeBytes = byteCount(values.size);
  await writeBenchDatabase({ dataDirectory: one, sizeBytes, streams: countOf(values.streams), shape });
  cpSync(one, other, { recursive: true });
  giveOtherIds(other);
  copyDatabase(one, scavenged);
  await runOperation('runScavenge', {
    dataDirectory: scavenged,
    scavengePoint: 'existing',
    alwaysKeepScavenged: true
  });
  const rounds = Number(values.rounds);
  await compare('other ids', one, other, rounds);
  await compare('one side scavenged', one, scavenged, rounds);
});
