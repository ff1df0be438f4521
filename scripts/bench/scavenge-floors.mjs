// What no scavenger can be faster than: the same bytes with plain loops. Each floor is a process of its own, as the
// phases are that it is held against, and goes over the files once.
//   node scavenge-floors.mjs walk DIR               read the chunks, walk the lengths of the records
//   node scavenge-floors.mjs copy DIR TARGET SIZES  read chunks, hash and write as many bytes as their copies have
//   node scavenge-floors.mjs sort TARGET COUNT      sort and write entries of 24 bytes
//   node scavenge-floors.mjs hash DIR               read chunks and index tables, hash them
import { createHash } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  readdirSync,
  unlinkSync,
  writeSync
} from 'node:fs';
import path from 'node:path';

const PIECE_BYTES = 1024 * 1024;
const CHUNK_HEADER_BYTES = 128;
const CHUNK_FOOTER_BYTES = 128;
const ENTRY_BYTES = 24;
const piece = Buffer.allocUnsafe(PIECE_BYTES);

const filesOf = (directory, isWanted) =>
  readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isFile() && isWanted(entry.name))
    .map(({ name }) => path.join(directory, name))
    .sort();
const chunksOf = (directory) => filesOf(directory, (name) => name.startsWith('chunk-'));
const tablesOf = (directory) =>
  filesOf(path.join(directory, 'index'), (name) => /^[0-9a-f-]{36}$/.test(name));

function readWhole(file, use) {
  const handle = openSync(file, 'r');
  for (let count; (count = readSync(handle, piece)) > 0;) {
    use(count === PIECE_BYTES ? piece : piece.subarray(0, count));
  }
  closeSync(handle);
}

function walk(directory) {
  let records = 0;
  for (const file of chunksOf(directory)) {
    const handle = openSync(file, 'r');
    const end = fstatSync(handle).size - CHUNK_FOOTER_BYTES;
    let start = 0;
    let filled = 0;
    for (let at = CHUNK_HEADER_BYTES; at < end;) {
      if (at + 4 > filled) {
        start = at;
        filled = at + readSync(handle, piece, 0, PIECE_BYTES, at);
      }
      const length = piece.readInt32LE(at - start);
      if (length <= 0) break; // the zeros before the footer
      at += length + 8;
      records++;
    }
    closeSync(handle);
  }
  return { records };
}

/** `sizes`: bytes of each copy, in the order of the chunks. */
function copy(directory, target, sizes) {
  const written = [];
  for (const [i, file] of chunksOf(directory).entries()) {
    const md5 = createHash('md5');
    const copied = path.join(target, `floor-${i}`);
    const handle = openSync(copied, 'w');
    let left = sizes[i] ?? 0;
    readWhole(file, (bytes) => {
      const part = left < bytes.length ? bytes.subarray(0, left) : bytes;
      left -= part.length;
      md5.update(part);
      writeSync(handle, part);
    });
    md5.digest();
    fsyncSync(handle);
    closeSync(handle);
    written.push(copied);
  }
  return { written };
}

/** One key a number that holds the upper bits of a hash and the entry's place, so that the fast sort can do it. */
function sort(target, count) {
  const hashes = new Uint32Array(count * 2);
  for (let i = 0; i < hashes.length; i++) hashes[i] = Math.imul(i, 0x9e3779b1) ^ (i >>> 7);
  const started = performance.now();
  const places = 2 ** Math.ceil(Math.log2(count));
  const hashRange = 2 ** 53 / places;
  const keys = new Float64Array(count);
  for (let i = 0; i < count; i++)
    keys[i] = Math.floor((hashes[2 * i + 1] / 2 ** 32) * hashRange) * places + i;
  keys.sort();
  const entries = new Uint32Array(PIECE_BYTES / 4);
  const bytes = new Uint8Array(entries.buffer);
  const perPiece = Math.floor(PIECE_BYTES / ENTRY_BYTES);
  const file = path.join(target, 'floor-table');
  const handle = openSync(file, 'w');
  for (let done = 0; done < count; done += perPiece) {
    const part = Math.min(perPiece, count - done);
    for (let i = 0, w = 0; i < part; i++, w += 6) {
      const place = keys[done + i] % places;
      entries[w] = place;
      entries[w + 2] = hashes[2 * place];
      entries[w + 3] = hashes[2 * place + 1];
      entries[w + 4] = place;
    }
    writeSync(handle, bytes, 0, part * ENTRY_BYTES);
  }
  fsyncSync(handle);
  closeSync(handle);
  return { ms: performance.now() - started, written: [file] };
}

function hash(directory) {
  for (const file of [...chunksOf(directory), ...tablesOf(directory)]) {
    const md5 = createHash('md5');
    readWhole(file, (bytes) => md5.update(bytes));
    md5.digest();
  }
  return {};
}

const [kind, place, ...rest] = process.argv.slice(2);
const startedMs = performance.now();
const FLOORS = {
  walk: () => walk(place),
  copy: () => copy(place, rest[0], rest[1].split(',').map(Number)),
  sort: () => sort(place, Number(rest[0])),
  hash: () => hash(place)
};
const found = FLOORS[kind]();
const ms = found.ms ?? performance.now() - startedMs;
for (const file of found.written ?? []) unlinkSync(file);
console.log(JSON.stringify({ ms, records: found.records }));
