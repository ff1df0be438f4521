/**
 * What the structure of a completed chunk says about its own damaged bytes. Some bytes are known without any copy:
 * the file type, numbers that the name repeats, the length before a record that the length behind it repeats, the
 * position map, padding and unused bytes. Where putting these right gives a file whose MD5 is the stored one, that is
 * the proof that the file is again what it was. Without that proof nothing is proposed: no hash is ever written over
 * unproven bytes.
 */
import { createHash } from 'node:crypto';
import { Chunk } from '../chunks/chunk.ts';
import { CHUNK_FOOTER_LENGTH, MD5_LENGTH, encodeChunkFooterHead } from '../chunks/chunk-footer.ts';
import { decodeChunkFileName } from '../chunks/chunk-file-name.ts';
import { CHUNK_FILE_TYPE, CHUNK_HEADER_LENGTH, NEWEST_CHUNK_VERSION } from '../chunks/chunk-header.ts';
import { decodeGuid } from '../codec/guid.ts';
import type { OperationControl } from '../database/operation-control.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { readPatched, type Patch } from './patched-file.ts';
import { walkFrames, type Correction, type FrameWalk } from './walk-frames.ts';

export interface HealChunk {
  fileSystem: FileSystem;
  directory: string;
  fileName: string;
  chunkSizeBytes: number;
  /** First number that the next file covers, or the number behind the last one. */
  nextNumber: number;
  control: OperationControl;
}

export interface Healing {
  patches: Patch[];
  /** Each correction in words. */
  corrections: string[];
}

/** So many wrong bytes in the stored hash leave twelve that vouch for the file. */
const MOST_DAMAGED_HASH_BYTES = 4;

/** Minimum version, version and transform as a header may hold them; encrypted chunks are left alone. */
const VERSION_BYTES: readonly (readonly [number, number, number])[] = [
  [3, 4, 0],
  [3, 0, 0],
  [2, 0, 0]
];

/** undefined when nothing contradicts the structure, or putting it right is not what the stored hash was made of. */
export async function healChunk(options: HealChunk): Promise<Healing | undefined> {
  const { fileSystem, directory, fileName, control } = options;
  const path = fileSystem.join(directory, fileName);
  const ends = readEnds(fileSystem, path);
  if (!ends) return undefined;
  const chunk = shapeOf(options, path, ends);
  const walk = await walkFrames(fileSystem, chunk, control);
  if (!walk) return undefined;
  const found = [...walk.corrections, ...rearCorrections(fileSystem, chunk, ends, walk)];
  const stored = ends.footer.subarray(CHUNK_FOOTER_LENGTH - MD5_LENGTH);
  for (const versions of VERSION_BYTES) {
    const header = headerCorrection(chunk, ends.header, versions);
    const corrections = header ? [header, ...found] : found;
    const patches = corrections.map(({ patch }) => patch);
    const md5 = await hashOf(options, { path, fileSize: ends.fileSize, patches });
    const hash = hashCorrection(md5, stored, ends.fileSize - MD5_LENGTH);
    if (hash === 'other') continue;
    const all = hash ? [...corrections, hash] : corrections;
    if (all.length === 0) return undefined;
    return { patches: all.map(({ patch }) => patch), corrections: all.map(({ words }) => words) };
  }
  return undefined;
}

/** MD5 of the file as it would be, without the hash at its end. */
async function hashOf(
  { fileSystem, control }: HealChunk,
  { path, fileSize, patches }: { path: string; fileSize: number; patches: Patch[] }
): Promise<Buffer> {
  const md5 = createHash('md5');
  let left = fileSize - MD5_LENGTH;
  for (const block of readPatched(fileSystem, path, patches)) {
    md5.update(block.subarray(0, Math.min(block.length, left)));
    left -= Math.min(block.length, left);
    if (control.isDue) await control.breathe();
  }
  return md5.digest();
}

/**
 * undefined when the hashes are equal. A stored hash that differs in a few of its bytes is damaged itself: that the
 * others happen to agree with bytes that are not the file's is less likely than one in 2^96.
 */
function hashCorrection(computed: Buffer, stored: Buffer, offset: number): Correction | 'other' | undefined {
  const equal = computed.filter((byte, i) => byte === stored[i]).length;
  if (equal < MD5_LENGTH - MOST_DAMAGED_HASH_BYTES) return 'other';
  return correction(offset, stored, computed, 'stored hash, the rest of which matches the file');
}

interface Ends {
  fileSize: number;
  header: Buffer;
  footer: Buffer;
}

function readEnds(fileSystem: FileSystem, path: string): Ends | undefined {
  if (fileSystem.describe(path) === undefined) return undefined;
  const file = fileSystem.open(path, 'read');
  try {
    const fileSize = file.size();
    if (fileSize < CHUNK_HEADER_LENGTH + CHUNK_FOOTER_LENGTH) return undefined;
    const header = Buffer.alloc(CHUNK_HEADER_LENGTH);
    const footer = Buffer.alloc(CHUNK_FOOTER_LENGTH);
    file.read(header, 0, header.length, 0);
    file.read(footer, 0, footer.length, fileSize - CHUNK_FOOTER_LENGTH);
    return { fileSize, header, footer };
  } finally {
    file.close();
  }
}

/** The chunk as its name, its neighbours and the flag "scavenged" make it, with all that is no header or footer as data. */
function shapeOf(
  { fileName, chunkSizeBytes, nextNumber }: HealChunk,
  path: string,
  { fileSize, header }: Ends
): Chunk {
  const { chunkNumber, fileVersion } = decodeChunkFileName(fileName)!;
  const isScavenged = fileVersion > 0 && header.readInt32LE(14) > 0;
  return new Chunk({
    fileName,
    path,
    fileVersion,
    fileSize,
    header: {
      version: NEWEST_CHUNK_VERSION,
      minCompatibleVersion: NEWEST_CHUNK_VERSION - 1,
      chunkSizeBytes,
      startNumber: chunkNumber,
      endNumber: isScavenged ? Math.max(chunkNumber, nextNumber - 1) : chunkNumber,
      isScavenged,
      chunkId: decodeGuid(header, 18),
      transformType: 0
    },
    footer: null,
    isActive: false,
    dataSize: fileSize - CHUNK_HEADER_LENGTH - CHUNK_FOOTER_LENGTH
  });
}

function headerCorrection(
  { header }: Chunk,
  raw: Buffer,
  [minimum, version, transform]: readonly [number, number, number]
): Correction | undefined {
  const bytes = Buffer.from(raw);
  bytes[0] = CHUNK_FILE_TYPE;
  bytes[1] = minimum;
  bytes.writeInt32LE(header.chunkSizeBytes, 2);
  bytes.writeInt32LE(header.startNumber, 6);
  bytes.writeInt32LE(header.endNumber, 10);
  bytes.writeInt32LE(header.isScavenged ? 1 : 0, 14);
  bytes.fill(0, 34);
  bytes[34] = version;
  bytes[35] = transform;
  return correction(0, raw, bytes, 'header');
}

/** Everything behind the last record: map, padding, footer but for its hash. */
function rearCorrections(
  fileSystem: FileSystem,
  chunk: Chunk,
  { fileSize, footer }: Ends,
  { dataSize, logicalDataSize, map }: FrameWalk
): Correction[] {
  const mapStart = CHUNK_HEADER_LENGTH + dataSize;
  const wanted = Buffer.alloc(Math.max(map.length, fileSize - CHUNK_FOOTER_LENGTH - mapStart));
  wanted.set(map);
  const found = Buffer.alloc(wanted.length);
  const file = fileSystem.open(chunk.path, 'read');
  try {
    file.read(found, 0, found.length, mapStart);
  } finally {
    file.close();
  }
  const head = Buffer.from(
    encodeChunkFooterHead({ physicalDataSize: dataSize, logicalDataSize, mapSize: map.length })
  );
  return [
    correction(mapStart, found.subarray(0, map.length), wanted.subarray(0, map.length), 'position map'),
    correction(
      mapStart + map.length,
      found.subarray(map.length),
      wanted.subarray(map.length),
      'padding after the records'
    ),
    correction(fileSize - CHUNK_FOOTER_LENGTH, footer.subarray(0, head.length), head, 'footer')
  ].filter((one) => one !== undefined);
}

/** The smallest patch that makes `found` equal to `wanted`; undefined when they are. */
function correction(offset: number, found: Buffer, wanted: Buffer, part: string): Correction | undefined {
  let from = 0;
  while (from < wanted.length && found[from] === wanted[from]) from++;
  if (from === wanted.length) return undefined;
  let to = wanted.length;
  while (to > from && found[to - 1] === wanted[to - 1]) to--;
  const bytes = Buffer.from(wanted.subarray(from, to));
  const place = bytes.length === 1 ? `byte ${offset + from}` : `bytes ${offset + from} to ${offset + to - 1}`;
  return { patch: { offset: offset + from, bytes }, words: `${place} (${part})` };
}
