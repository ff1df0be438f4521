// The speed of a full backup, as a ratio to the floor measured in the same run: reading, hashing (SHA-256) and writing
// the same bytes with plain loops, each file flushed. `--size 2GiB` makes the database, `--database DIR` takes one,
// `--runs N`, `--threads N`. Clones are switched off for the ratio, and measured on their own where the disk has them.
// Verifying the backup afterwards stands beside the MD5 of its chunks. `--json FILE` writes the figures.
import '../answer-help.mjs';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  LocalBackupTarget,
  NodeFileSystem,
  OperationControl,
  runBackup,
  writeSampleDatabase
} from '../../src-core/index.ts';
import { startCopyThreads } from '../../src-main/threads/copy-threads.ts';
import { nodeLinks } from '../../src-main/threads/node-links.ts';
import { parseByteSize } from '../../src-main/cli/byte-size.ts';
import { plainHashingMs } from './chunk-files.mjs';
import { median, withScratchDirectory } from './measure.mjs';
import { runOperation } from './measured-process.mjs';

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '2GiB' },
    database: { type: 'string' },
    runs: { type: 'string', default: '5' },
    json: { type: 'string' },
    threads: { type: 'string', default: String(Math.min(4, os.availableParallelism())) }
  }
});
const runs = Number(values.runs);
const BLOCK_BYTES = 1024 * 1024;
const NOW = 638_700_000_000_000_000n;
const fileSystem = new NodeFileSystem();

const control = () =>
  new OperationControl({
    elapsedMs: () => performance.now(),
    yieldTurn: () => new Promise((resolve) => setImmediate(resolve))
  });

/** Every file below a directory, by its path in it. */
function filesBelow(directory) {
  return fs
    .readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)));
}

/** The floor: nothing but reading, hashing and writing. */
function copyPlainly(from, to) {
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  let bytes = 0;
  for (const name of filesBelow(from)) {
    const target = path.join(to, name);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    const source = fs.openSync(path.join(from, name), 'r');
    const copy = fs.openSync(target, 'w');
    const hash = createHash('sha256');
    for (let count; (count = fs.readSync(source, block)) > 0; bytes += count) {
      hash.update(block.subarray(0, count));
      fs.writeSync(copy, block, 0, count);
    }
    hash.digest('hex');
    fs.fsyncSync(copy);
    fs.closeSync(copy);
    fs.closeSync(source);
  }
  return bytes;
}

async function backUp(dataDirectory, directory, { threads, links }) {
  const copier = threads > 1 ? startCopyThreads(threads) : undefined;
  const target = new LocalBackupTarget({ fileSystem, directory, links, copier, parallelFiles: threads });
  try {
    return await runBackup(
      {
        dataDirectory,
        indexDirectory: path.join(dataDirectory, 'index'),
        mode: 'full',
        threads,
        bytesPerSecond: 0,
        isMoved: false
      },
      {
        fileSystem,
        target,
        operation: control(),
        now: () => NOW,
        newGuid: () => '0000',
        toolVersion: 'bench',
        wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms))
      }
    );
  } finally {
    await copier?.close();
  }
}

await withScratchDirectory(async (scratch) => {
  const dataDirectory = values.database ?? path.join(scratch, 'database');
  if (values.database === undefined) {
    await writeSampleDatabase({
      fileSystem,
      dataDirectory,
      sizeBytes: parseByteSize(values.size),
      chunkSizeBytes: 256 * 1024 * 1024,
      seed: 1,
      now: NOW,
      control: control()
    });
  }
  const copies = path.join(scratch, 'copies');
  const timed = async (work) => {
    const start = performance.now();
    const result = await work();
    const elapsedMs = performance.now() - start;
    fs.rmSync(copies, { recursive: true, force: true });
    return { result, elapsedMs };
  };
  const variants = [
    { name: 'full backup, 1 thread', threads: 1 },
    ...(Number(values.threads) > 1
      ? [{ name: `full backup, ${values.threads} threads`, threads: Number(values.threads) }]
      : [])
  ];
  const floorMs = [];
  const times = new Map(variants.map(({ name }) => [name, []]));
  let bytes = 0;
  for (let run = -1; run < runs; run++) {
    const floor = await timed(() => copyPlainly(dataDirectory, copies));
    bytes = floor.result;
    if (run >= 0) floorMs.push(floor.elapsedMs);
    for (const { name, threads } of variants) {
      const { elapsedMs } = await timed(() => backUp(dataDirectory, copies, { threads }));
      if (run >= 0) times.get(name).push(elapsedMs);
    }
  }
  const floor = median(floorMs);
  const rows = [
    { name: 'floor: read, hash, write', ms: floor },
    ...variants.map(({ name }) => ({ name, ms: median(times.get(name)) }))
  ];
  if (nodeLinks.clone(path.join(dataDirectory, 'writer.chk'), path.join(scratch, 'clone'))) {
    const { elapsedMs } = await timed(() => backUp(dataDirectory, copies, { threads: 1, links: nodeLinks }));
    rows.push({ name: 'full backup, by clones', ms: elapsedMs });
  }
  for (const row of rows) row.ratio = floor / row.ms;
  rows.push(await verifying(dataDirectory, copies));
  console.log(`${(bytes / 1073741824).toFixed(2)} GiB, median of ${runs}`);
  for (const { name, ms, ratio } of rows) {
    console.log(
      `${name.padEnd(28)} ${ms.toFixed(0).padStart(7)} ms ${(bytes / 1048576 / (ms / 1000)).toFixed(0).padStart(6)} MiB/s` +
        `  ratio to the floor ${ratio.toFixed(2)}`
    );
  }
  if (values.json) fs.writeFileSync(values.json, JSON.stringify({ bytes, runs, rows }, null, 2));
});

/** Of a backup made for it; median of the runs, the hashing of the same chunks beside each. */
async function verifying(dataDirectory, copies) {
  await backUp(dataDirectory, copies, { threads: 1 });
  const ratios = [];
  const verified = [];
  for (let run = 0; run < runs; run++) {
    const hashingMs = plainHashingMs(dataDirectory);
    const { ms, peakBytes } = await runOperation('verifyAllBackups', { target: copies });
    ratios.push(hashingMs / ms);
    verified.push({ ms, peakBytes });
  }
  const of = (key) => median(verified.map((one) => one[key]));
  return { name: 'verifying it', ms: of('ms'), ratio: median(ratios), peakBytes: of('peakBytes') };
}
