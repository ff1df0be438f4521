// The databases of `npm run bench -- all`: each is written once, in a process of its own, and serves every part that needs it.
//   node all-databases.mjs SPECIFICATION-AS-JSON DIR      writes one
import { spawn } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseByteSize } from '../../src-main/cli/byte-size.ts';
import { NODE_FLAGS } from './measured-process.mjs';
import { FACTS_FILE, writeBenchDatabase, writeManyChunks } from './scavenge-database.mjs';

const self = fileURLToPath(import.meta.url);

/** A database by what it is made of; the key is the name of its directory. */
export const evenDatabase = (size, streams) => ({
  key: `even-${size}-${streams}`,
  size,
  streams,
  shape: 'even'
});
export const skewedDatabase = (size, streams) => ({
  key: `skewed-${size}-${streams}`,
  size,
  streams,
  shape: 'skewed'
});
export const manyChunks = (chunks) => ({ key: `chunks-${chunks}`, chunks });

/** Seconds to write one on a quiet machine. */
export function secondsToWrite({ size, streams, chunks }) {
  return chunks === undefined ? (parseByteSize(size) / 2 ** 30) * 12 + streams * 15e-6 : chunks * 3e-3;
}

/** Writes those that are not in the directory yet, the largest first, `together` at once. */
export async function writeDatabases(specifications, directory, { together, signal, onWritten }) {
  const missing = [...new Map(specifications.map((one) => [one.key, one])).values()]
    .filter(({ key }) => !existsSync(path.join(directory, key, FACTS_FILE)))
    .sort((a, b) => secondsToWrite(b) - secondsToWrite(a));
  const writeNext = async () => {
    for (let next; (next = missing.shift());) {
      const startedMs = performance.now();
      await writeOne(next, path.join(directory, next.key), signal);
      onWritten(next, (performance.now() - startedMs) / 1000);
    }
  };
  await Promise.all(Array.from({ length: together }, writeNext));
}

/** Under its name only once it is whole, so that one that was interrupted is written again. */
async function writeOne(specification, place, signal) {
  const unfinished = `${place}.unfinished`;
  for (const old of [unfinished, place]) rmSync(old, { recursive: true, force: true });
  const args = [...NODE_FLAGS, self, JSON.stringify(specification), unfinished];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], signal });
  await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`Writing ${specification.key} ended with ${code ?? signal}.`));
    });
  });
  renameSync(unfinished, place);
}

if (process.argv[1] === self) {
  const [json, dataDirectory] = process.argv.slice(2);
  const { size, streams, shape, chunks } = JSON.parse(json);
  if (chunks === undefined) {
    await writeBenchDatabase({ dataDirectory, sizeBytes: parseByteSize(size), streams, shape });
  } else {
    await writeManyChunks({ dataDirectory, chunks });
  }
}
