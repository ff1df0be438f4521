// What benchmarks know of a database without the engine: its chunk files, and plain loops over them.
import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import path from 'node:path';

const PIECE_BYTES = 1024 * 1024;

const chunkFiles = (directory) =>
  readdirSync(directory)
    .filter((name) => name.startsWith('chunk-'))
    .map((name) => path.join(directory, name));

/** How many chunks there are, and their bytes. */
export function chunkFacts(directory) {
  const files = chunkFiles(directory);
  return { chunks: files.length, bytes: files.reduce((sum, file) => sum + statSync(file).size, 0) };
}

/** Reads every byte of the chunks once, in one thread; ms. `begin` gives what to do with the pieces of one chunk. */
function timeOfReading(directory, begin) {
  const piece = new Uint8Array(PIECE_BYTES);
  const startedMs = performance.now();
  for (const file of chunkFiles(directory)) {
    const handle = openSync(file, 'r');
    const { use, end } = begin();
    for (let count; (count = readSync(handle, piece)) > 0;) use(piece.subarray(0, count));
    end();
    closeSync(handle);
  }
  return performance.now() - startedMs;
}

export const plainReadingMs = (directory) =>
  timeOfReading(directory, () => ({ use: () => {}, end: () => {} }));

/** MD5 of `node:crypto` over each chunk, one after the other. */
export const plainHashingMs = (directory) =>
  timeOfReading(directory, () => {
    const hash = createHash('md5');
    return { use: (bytes) => hash.update(bytes), end: () => hash.digest() };
  });
