/**
 * One chunk file of a bundle: as long as the chunk's own, every record at its place and as long as it was, the position map
 * and the sizes of the footer the same, another hash. What does not read as a record is zeros: its bytes are nobody's
 * business, and what finds the damage in the chunk finds it here. A chunk whose hash was wrong gets a wrong one.
 */
import { readChunkChecksum } from '../chunks/chunk-checksum.ts';
import { CHUNK_FOOTER_LENGTH, decodeChunkFooter, type ChunkFooter } from '../chunks/chunk-footer.ts';
import {
  CHUNK_HEADER_LENGTH,
  decodeChunkHeader,
  encodeChunkHeader,
  transformName
} from '../chunks/chunk-header.ts';
import { ChunkReader } from '../chunks/chunk-reader.ts';
import type { Chunk } from '../chunks/chunk.ts';
import { writeInt64 } from '../codec/int64.ts';
import type { OperationControl } from '../database/operation-control.ts';
import { requireFault } from '../errors.ts';
import { FRAME_LENGTH, MAX_RECORD_LENGTH } from '../records/log-record.ts';
import { SalvageChunk, type SkippedRange } from '../repair/salvage-chunk.ts';
import type { FileSystem, OpenFile } from '../storage/file-system.ts';
import type { RecordRewriter } from './record-rewriter.ts';
import { SparseFile } from './sparse-file.ts';

const MD5_LENGTH = 16;
const LENGTH_FIELD = 4;
/** In place of one that contradicts itself: what stands there may be of a record. */
const IMPOSSIBLE_FOOTER: ChunkFooter = {
  isCompleted: true,
  isMap12Bytes: true,
  physicalDataSize: -1,
  logicalDataSize: 0,
  mapSize: 0,
  md5: ''
};

export interface BundleChunk {
  fileSystem: FileSystem;
  chunk: Chunk;
  /** New file. */
  target: string;
  rewriter: RecordRewriter;
  control: OperationControl;
  /** Hears of the bytes of each record as they are done. */
  onBytes: (count: number) => void;
}

/** Gives what could not be read, which is zeros in the new file. */
export async function writeBundleChunk(parts: BundleChunk): Promise<SkippedRange[]> {
  const { fileSystem, chunk, target } = parts;
  const out = new SparseFile(fileSystem, target);
  try {
    out.put(encodeChunkHeader(chunk.header));
    const skipped = await writeRecords(parts, out);
    out.zerosUpTo(CHUNK_HEADER_LENGTH + chunk.dataSize);
    const reader = new ChunkReader(fileSystem, chunk);
    try {
      writeMap(reader, out);
      const footer = chunk.footer ?? lateFooter(fileSystem, chunk);
      if (footer?.isCompleted) {
        const isRight = await isHashRight(parts);
        writeFooter(out, footer, { fileSize: chunk.fileSize, isRight });
      }
    } finally {
      reader.close();
    }
    out.complete(chunk.fileSize);
    return skipped;
  } catch (error) {
    out.close();
    throw error;
  }
}

async function writeRecords(
  { fileSystem, chunk, rewriter, control, onBytes }: BundleChunk,
  out: SparseFile
): Promise<SkippedRange[]> {
  const skipped: SkippedRange[] = [];
  const walk = new SalvageChunk({ fileSystem, chunk });
  const file = new FrameLengths(fileSystem, chunk.path);
  const end = CHUNK_HEADER_LENGTH + chunk.dataSize;
  try {
    for (let step = walk.next(); step !== 'end'; step = walk.next()) {
      if (step === 'skipped') {
        if (walk.skipped) skipped.push(walk.skipped);
        continue;
      }
      const { record } = walk;
      const framed = record.length + FRAME_LENGTH;
      const at = walk.physicalOffset - framed + CHUNK_HEADER_LENGTH;
      if (out.length < at) leaveOut(file, out, at);
      const { bytes, start } = record;
      rewriter.rewrite(record);
      out.put(bytes, start - LENGTH_FIELD, framed);
      onBytes(framed);
      if (control.isDue) await control.breathe();
    }
    if (out.length < end) leaveOut(file, out, end);
    return skipped;
  } finally {
    walk.close();
    file.close();
  }
}

/**
 * Zeros, and the lengths before and after the first record that is there no more, as far as they can be lengths: what is
 * wrong with it is found again as what it was.
 */
function leaveOut(lengths: FrameLengths, out: SparseFile, end: number): void {
  const start = out.length;
  const length = lengths.at(start);
  const bytes = Buffer.alloc(LENGTH_FIELD);
  bytes.writeInt32LE(length >= 0 && length <= MAX_RECORD_LENGTH ? length : -1);
  out.put(bytes, 0, Math.min(LENGTH_FIELD, end - start));
  const suffix = start + LENGTH_FIELD + length;
  if (length > 0 && suffix + LENGTH_FIELD <= end && lengths.at(suffix) === length) {
    out.zerosUpTo(suffix);
    out.put(bytes);
  }
  out.zerosUpTo(end);
}

/** Numbers of four bytes in a file that may be damaged, -1 where it cannot be read. */
class FrameLengths {
  readonly #fileSystem: FileSystem;
  readonly #path: string;
  #file: OpenFile | undefined;
  readonly #bytes = Buffer.alloc(LENGTH_FIELD);

  constructor(fileSystem: FileSystem, path: string) {
    this.#fileSystem = fileSystem;
    this.#path = path;
  }

  at(offset: number): number {
    this.#file ??= this.#fileSystem.open(this.#path, 'read');
    try {
      const count = this.#file.read(this.#bytes, 0, LENGTH_FIELD, offset);
      return count === LENGTH_FIELD ? this.#bytes.readInt32LE() : -1;
    } catch (error) {
      requireFault(error);
      return -1;
    }
  }

  close(): void {
    this.#file?.close();
  }
}

/** Numbers only. A map out of order is zeros: what is wrong with it is found again. */
function writeMap(reader: ChunkReader, out: SparseFile): void {
  const { footer, header } = reader.chunk;
  if (!footer || footer.mapSize === 0) return;
  const end = out.length + footer.mapSize;
  const map = transformName(header) === undefined ? readMap(reader) : undefined;
  if (map) {
    const entry = Buffer.alloc(footer.isMap12Bytes ? 12 : 8);
    const view = new DataView(entry.buffer, entry.byteOffset, entry.length);
    for (let i = 0; i < map.length; i++) {
      view.setInt32(0, map.physicalAt(i), true);
      if (footer.isMap12Bytes) writeInt64(view, 4, map.logicalAt(i));
      else view.setInt32(4, map.logicalAt(i), true);
      out.put(entry);
    }
  }
  out.zerosUpTo(end);
}

function readMap(reader: ChunkReader) {
  try {
    return reader.map;
  } catch (error) {
    requireFault(error, 'LogCorrupt');
    return undefined;
  }
}

/** A server that was killed while it completed its last chunk leaves a footer in one that it goes on writing. */
function lateFooter(fileSystem: FileSystem, { path, fileSize, dataSize }: Chunk): ChunkFooter | undefined {
  const at = fileSize - CHUNK_FOOTER_LENGTH;
  if (at < CHUNK_HEADER_LENGTH + dataSize) return undefined;
  const file = fileSystem.open(path, 'read');
  try {
    const bytes = Buffer.alloc(CHUNK_FOOTER_LENGTH);
    file.read(bytes, 0, bytes.length, at);
    const footer = decodeChunkFooter(bytes);
    const isLikely =
      typeof footer !== 'string' &&
      footer.isCompleted &&
      CHUNK_HEADER_LENGTH + footer.physicalDataSize + footer.mapSize + CHUNK_FOOTER_LENGTH <= fileSize;
    return isLikely ? footer : undefined;
  } finally {
    file.close();
  }
}

/** True also of a chunk that has none yet. */
async function isHashRight({ fileSystem, chunk, control }: BundleChunk): Promise<boolean> {
  const sums = await readChunkChecksum(fileSystem, chunk, () =>
    control.isDue ? control.breathe() : undefined
  );
  return sums === undefined || sums.computed === sums.stored;
}

function writeFooter(
  out: SparseFile,
  footer: ChunkFooter,
  { fileSize, isRight }: { fileSize: number; isRight: boolean }
): void {
  out.zerosUpTo(fileSize - CHUNK_FOOTER_LENGTH);
  out.put(encodeFooterHead(footer));
  const md5 = out.digest();
  if (!isRight) md5[0] = md5[0]! ^ 0xff;
  out.put(md5);
}

/** The first 112 bytes, in the form that the file has. */
function encodeFooterHead({ isMap12Bytes, physicalDataSize, logicalDataSize, mapSize }: ChunkFooter): Buffer {
  const bytes = Buffer.alloc(CHUNK_FOOTER_LENGTH - MD5_LENGTH);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  bytes[0] = isMap12Bytes ? 3 : 1;
  view.setInt32(1, physicalDataSize, true);
  if (isMap12Bytes) {
    writeInt64(view, 5, logicalDataSize);
    view.setInt32(13, mapSize, true);
  } else {
    view.setInt32(5, logicalDataSize, true);
    view.setInt32(9, mapSize, true);
  }
  return bytes;
}

/**
 * A file that only its name and size speak for: an older version of a chunk, a temporary file, a chunk that cannot be read.
 * Zeros, and of a chunk file what its header and footer say. `headBytes`: so many are as they were, which say what is wrong.
 */
export function writeStandIn(
  fileSystem: FileSystem,
  { source, target, headBytes = 0 }: { source: string; target: string; headBytes?: number }
): number {
  const file = fileSystem.open(source, 'read');
  let size: number;
  let header: Uint8Array | undefined;
  let footer: ChunkFooter | string | undefined;
  try {
    size = file.size();
    const bytes = Buffer.alloc(CHUNK_HEADER_LENGTH);
    const head = bytes.subarray(0, file.read(bytes, 0, CHUNK_HEADER_LENGTH, 0));
    const decoded = decodeChunkHeader(head);
    header = typeof decoded === 'string' ? undefined : encodeChunkHeader(decoded);
    if (headBytes > 0) header = Buffer.from(head.subarray(0, headBytes));
    else if (header && size >= CHUNK_HEADER_LENGTH + CHUNK_FOOTER_LENGTH) {
      file.read(bytes, 0, CHUNK_FOOTER_LENGTH, size - CHUNK_FOOTER_LENGTH);
      footer = decodeChunkFooter(bytes);
    }
  } finally {
    file.close();
  }
  const out = new SparseFile(fileSystem, target);
  try {
    if (header) out.put(header);
    const named = typeof footer === 'string' ? IMPOSSIBLE_FOOTER : footer;
    if (named?.isCompleted) {
      out.zerosUpTo(size - CHUNK_FOOTER_LENGTH);
      out.put(encodeFooterHead(named));
    }
    out.complete(size);
    return size;
  } catch (error) {
    out.close();
    throw error;
  }
}
