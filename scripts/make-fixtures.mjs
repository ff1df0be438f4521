// Packs golden databases, written by real servers, into test/fixtures/golden: one NAME.tar.zst for each story.
//   node scripts/make-fixtures.mjs SOURCE
// SOURCE has a folder for each story, which holds database directories and what the server says of them
// (expected*.json). Recorded permission bits go into the archive; owners and times do not, so that packing the
// same source again gives the same bytes. Needs a Node with zstd (22.15).
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import zlib from 'node:zlib';

const BLOCK = 512;
const DEFAULT_MODE = 0o644;
// These hold no database: answers and locks of a running server.
const LEFT_OUT = new Set(['http', 'locks']);

const source = process.argv[2];
if (!source || !zlib.zstdCompressSync) {
  console.error('Usage: node scripts/make-fixtures.mjs SOURCE, with Node 22.15 or newer.');
  process.exit(2);
}

const target = path.join(path.dirname(path.dirname(fileURLToPath(import.meta.url))), 'test/fixtures/golden');
mkdirSync(target, { recursive: true });
let packedCount = 0;
let packedBytes = 0;
for (const entry of readdirSync(source, { withFileTypes: true })) {
  if (!entry.isDirectory() || LEFT_OUT.has(entry.name)) continue;
  const packed = compress(packStory(path.join(source, entry.name)));
  writeFileSync(path.join(target, `${entry.name}.tar.zst`), packed);
  packedCount++;
  packedBytes += packed.length;
}
console.log(`${packedCount} archives, ${packedBytes} bytes`);

function packStory(directory) {
  const modes = recordedModes(directory);
  const names = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      path.relative(directory, path.join(entry.parentPath, entry.name)).split(path.sep).join('/')
    )
    .sort();
  const blocks = names.flatMap((name) => {
    const bytes = readFileSync(path.join(directory, name));
    const padding = Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK);
    return [tarHeader(name, bytes.length, modes.get(name) ?? DEFAULT_MODE), bytes, padding];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

/** Permission bits by path in the story, out of what the server said of each database directory. */
function recordedModes(directory) {
  const modes = new Map();
  const folders = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name: folder } of folders) {
    for (const file of [`expected.${folder}.json`, 'expected.json']) {
      if (!readdirSync(directory).includes(file)) continue;
      const { files = [] } = JSON.parse(readFileSync(path.join(directory, file), 'utf8'));
      for (const row of files) modes.set(`${folder}/${row.path}`, Number.parseInt(row.mode, 8));
      break;
    }
  }
  return modes;
}

function tarHeader(name, size, mode) {
  if (Buffer.byteLength(name) > 100) throw new Error(`The path ${name} is too long for this format.`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value, length) => `${value.toString(8).padStart(length - 1, '0')}\0`;
  header.write(name, 0);
  header.write(octal(mode, 8), 100);
  header.write(octal(0, 8), 108); // owner
  header.write(octal(0, 8), 116); // group
  header.write(octal(size, 12), 124);
  header.write(octal(0, 12), 136); // time of change
  header.write('0', 156); // an ordinary file
  header.write('ustar\x0000', 257);
  // The sum is taken with spaces in its own place.
  header.fill(' ', 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

function compress(bytes) {
  const { constants } = zlib;
  return zlib.zstdCompressSync(bytes, {
    params: {
      [constants.ZSTD_c_compressionLevel]: 19,
      // A story holds one database several times over: the window must reach from one to the next.
      [constants.ZSTD_c_windowLog]: 26,
      [constants.ZSTD_c_enableLongDistanceMatching]: 1,
      [constants.ZSTD_c_checksumFlag]: 1
    }
  });
}
