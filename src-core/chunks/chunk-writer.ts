/**
 * Writes a new chunk file, to be completed and then renamed into place by the code that switches it in. Two uses: the
 * output of a scavenge or merge (records keep their positions, a position map follows them), and a plain chunk that
 * is written from the start (tests, the sample database).
 *
 * Order: header, records, position map, zero padding, footer with the MD5 of all bytes before it, flush, read-only. Before
 * the file is handed over its footer is read back and decoded. The MD5 may be left to others, who hash several files side by
 * side: unsealed-chunk.ts.
 * Format: docs/format/chunks.md.
 */
import type { AtLogical, AtPhysical } from '../units/of-unit.ts';
import { createHash, type Hash } from 'node:crypto';
import { assert } from '../assert.ts';
import type { FileSystem, OpenFile } from '../storage/file-system.ts';
import { giveBack } from '../codec/give-back.ts';
import { writeInt64 } from '../codec/int64.ts';
import { CHUNK_FOOTER_LENGTH, encodeChunkFooterHead } from './chunk-footer.ts';
import {
  CHUNK_HEADER_LENGTH,
  FIRST_ALIGNED_VERSION,
  encodeChunkHeader,
  type ChunkHeader
} from './chunk-header.ts';
import type { WrittenHash } from './written-hash.ts';
import { COMPLETED_FILE_MODE, writeSeal, type UnsealedChunk } from './unsealed-chunk.ts';

const BUFFER_BYTES = 1024 * 1024;
export const CHUNK_ALIGNMENT = 4096;
const MAP_ENTRY_LENGTH = 12;

export interface NewChunk {
  fileSystem: FileSystem;
  path: string;
  header: ChunkHeader;
  /** Write a position map; true for everything a scavenge or merge makes. */
  withMap: boolean;
  /** Hashes the file in another thread while it is written; it ends with `completeFollowed` then. */
  follow?: ((path: string) => WrittenHash) | undefined;
  /** Nobody hashes it while it is written: it ends with `leaveUnsealed`. */
  isHashedLater?: boolean | undefined;
}

export interface CompletedChunk extends Omit<UnsealedChunk, 'path'> {
  md5: string;
}

/** Size of a completed file, known before it is written. */
export function completedFileSize(sizes: { dataSize: number; mapSize: number; version: number }): number {
  const bare = CHUNK_HEADER_LENGTH + sizes.dataSize + sizes.mapSize + CHUNK_FOOTER_LENGTH;
  return sizes.version >= FIRST_ALIGNED_VERSION ? Math.ceil(bare / CHUNK_ALIGNMENT) * CHUNK_ALIGNMENT : bare;
}

/** Bytes of the position map that `recordCount` records need. */
export function mapSizeOf(recordCount: number): number {
  return recordCount * MAP_ENTRY_LENGTH;
}

export class ChunkWriter {
  readonly path: string;
  readonly #file: OpenFile;
  readonly #fileSystem: FileSystem;
  readonly #header: ChunkHeader;
  readonly #withMap: boolean;
  /** Where the file is hashed here. */
  readonly #md5: Hash | undefined;
  readonly #followed: WrittenHash | undefined;
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #buffered = 0;
  /** Handed to the file. */
  #flushedBytes = 0;
  #written = 0;
  #dataSize = 0;
  #logicalEnd = 0;
  #lastLogical = -1;
  /** Map entries so far, encoded; grows by doubling. */
  #map = new Uint8Array(0);
  #mapView = new DataView(this.#map.buffer, 0, 0);
  #mapLength = 0;

  private constructor(parts: NewChunk, file: OpenFile) {
    this.path = parts.path;
    this.#fileSystem = parts.fileSystem;
    this.#file = file;
    this.#header = parts.header;
    this.#withMap = parts.withMap;
    this.#followed = parts.isHashedLater ? undefined : parts.follow?.(parts.path);
    this.#md5 = this.#followed || parts.isHashedLater ? undefined : createHash('md5');
    if (parts.withMap) this.#growMap(4096 * MAP_ENTRY_LENGTH);
  }

  /** Creates the file, which must not exist, and writes its header. */
  static create(parts: NewChunk): ChunkWriter {
    const file = parts.fileSystem.open(parts.path, 'createNew');
    const writer = new ChunkWriter(parts, file);
    const header = encodeChunkHeader(parts.header);
    writer.#put(header, 0, header.length);
    return writer;
  }

  /** Bytes of framed records so far. */
  get dataSize(): number {
    return this.#dataSize;
  }

  /**
   * Appends a framed record (both lengths included). `logicalOffset` is its position less the start of the
   * chunk; offsets rise.
   */
  append(source: Uint8Array, start: number, framedLength: number, logicalOffset: number): void {
    assert(logicalOffset > this.#lastLogical, 'records are appended in the order of their positions');
    assert(this.#dataSize + framedLength <= this.#header.chunkSizeBytes, 'the records fit the chunk');
    if (this.#withMap) this.#addToMap(this.#dataSize, logicalOffset);
    else assert(logicalOffset === this.#dataSize, 'records without a map lie without gaps');
    this.#put(source, start, framedLength);
    this.#dataSize += framedLength;
    this.#lastLogical = logicalOffset;
    this.#logicalEnd = logicalOffset + framedLength;
  }

  /** Writes map, padding and footer, flushes, and closes the file. */
  complete(): CompletedChunk {
    assert(this.#md5 !== undefined, 'a file that is hashed elsewhere is completed in another way');
    const unsealed = this.#writeUpToHash();
    return this.#finish(unsealed, this.#md5.digest('hex'));
  }

  /** The same of a file that may be hashed in another thread. */
  async completeFollowed(): Promise<CompletedChunk> {
    if (!this.#followed) return this.complete();
    const unsealed = this.#writeUpToHash();
    return this.#finish(unsealed, await this.#followed.digest(this.#flushedBytes));
  }

  /** Writes everything before the hash, and closes the file. Nothing of it is flushed yet. */
  leaveUnsealed(): UnsealedChunk {
    assert(!this.#md5 && !this.#followed, 'a file that is hashed already is completed');
    const unsealed = this.#writeUpToHash();
    this.#file.close();
    return unsealed;
  }

  #finish(unsealed: UnsealedChunk, md5: string): CompletedChunk {
    writeSeal(this.#file, unsealed, md5);
    this.#file.close();
    this.#fileSystem.changeMode(this.path, COMPLETED_FILE_MODE);
    return { ...unsealed, md5 };
  }

  #writeUpToHash(): UnsealedChunk {
    const { version } = this.#header;
    const mapSize = this.#mapLength;
    if (mapSize > 0) this.#put(this.#map, 0, mapSize);
    giveBack(this.#map);
    const fileSize = completedFileSize({ dataSize: this.#dataSize, mapSize, version });
    const padding = fileSize - CHUNK_FOOTER_LENGTH - this.#written;
    this.#put(new Uint8Array(padding), 0, padding);
    const sizes = { physicalDataSize: this.#dataSize, logicalDataSize: this.#logicalEnd, mapSize };
    const head = encodeChunkFooterHead(sizes);
    this.#put(head, 0, head.length);
    this.#flushBuffer();
    return { path: this.path, fileSize, ...sizes };
  }

  /** Gives the file up and removes it. */
  abort(): void {
    this.#followed?.abandon();
    this.#file.close();
    this.#fileSystem.remove(this.path);
  }

  #addToMap(physicalOffset: AtPhysical, logicalOffset: AtLogical): void {
    if (this.#mapLength + MAP_ENTRY_LENGTH > this.#map.length) this.#growMap(this.#map.length * 2);
    this.#mapView.setInt32(this.#mapLength, physicalOffset, true);
    writeInt64(this.#mapView, this.#mapLength + 4, logicalOffset);
    this.#mapLength += MAP_ENTRY_LENGTH;
  }

  #growMap(size: number): void {
    const larger = new Uint8Array(size);
    larger.set(this.#map.subarray(0, this.#mapLength));
    giveBack(this.#map);
    this.#map = larger;
    this.#mapView = new DataView(larger.buffer, larger.byteOffset, larger.length);
  }

  #put(source: Uint8Array, start: number, length: number): void {
    let done = 0;
    while (done < length) {
      const part = Math.min(length - done, BUFFER_BYTES - this.#buffered);
      this.#buffer.set(source.subarray(start + done, start + done + part), this.#buffered);
      this.#buffered += part;
      done += part;
      if (this.#buffered === BUFFER_BYTES) this.#flushBuffer();
    }
    this.#written += length;
  }

  #flushBuffer(): void {
    if (this.#buffered === 0) return;
    const bytes = this.#buffer.subarray(0, this.#buffered);
    this.#md5?.update(bytes);
    this.#file.write(bytes, 0, bytes.length, this.#flushedBytes);
    this.#flushedBytes += bytes.length;
    this.#followed?.wrote(this.#flushedBytes);
    this.#buffered = 0;
  }
}
