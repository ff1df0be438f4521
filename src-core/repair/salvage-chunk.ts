/**
 * A walk over what reads as records in one chunk file, past damage. Where a record cannot be read, the next place is
 * looked for at which two equal lengths enclose a record that knows its own position; what lies between is told as
 * skipped. Never changes anything, and gives nothing as a record that contradicts its place.
 *
 * A scavenged chunk's position map, if it is sound, says where records begin; otherwise every byte is tried.
 */
import type { Chunk } from '../chunks/chunk.ts';
import { ChunkCursor, ChunkReader } from '../chunks/chunk-reader.ts';
import { transformName } from '../chunks/chunk-header.ts';
import { readInt64 } from '../codec/int64.ts';
import { EngineError } from '../errors.ts';
import { FRAME_LENGTH, LogRecord, MAX_RECORD_LENGTH } from '../records/log-record.ts';
import type { FileSystem } from '../storage/file-system.ts';

const SEARCH_BLOCK_BYTES = 1024 * 1024;
const SMALLEST_PAYLOAD_BYTES = 32;
/** Length, type, version and position of a record: what the search looks at before it reads one. */
const HEAD_BYTES = 14;
const LAST_TYPE = 2;
const LAST_VERSION = 1;

/** Bytes of the log that do not read as records. Log positions, half-open. */
export interface SkippedRange {
  file: string;
  from: number;
  to: number;
  why: string;
}

export interface SalvageChunkParts {
  fileSystem: FileSystem;
  chunk: Chunk;
  /**
   * Physical offset up to which records must lie; behind it only a chain without a break counts, because old bytes
   * mean nothing there. The whole data by default.
   */
  searchEnd?: number;
}

export class SalvageChunk {
  readonly chunk: Chunk;
  readonly #reader: ChunkReader;
  readonly #cursor: ChunkCursor;
  readonly #searchEnd: number;
  /** Physical offset behind the last good record. */
  #expected = 0;
  #lastPosition = -1;
  #isAtEnd = false;
  /** Set when `next` answers `skipped`. */
  skipped: SkippedRange | undefined;

  constructor({ fileSystem, chunk, searchEnd }: SalvageChunkParts) {
    this.chunk = chunk;
    this.#reader = new ChunkReader(fileSystem, chunk);
    this.#cursor = new ChunkCursor(this.#reader, 0);
    this.#searchEnd = Math.min(searchEnd ?? chunk.dataSize, chunk.dataSize);
  }

  /** Valid after `next` answered `record`, until the next call. */
  get record(): LogRecord {
    return this.#cursor.record;
  }

  get fileOffset(): number {
    return this.#cursor.fileOffset;
  }

  /** Log position behind the last good record, or behind the end once that was told as skipped. */
  get position(): number {
    return this.#lastPosition < 0 ? this.chunk.startPosition : this.#lastPosition;
  }

  /** Physical offset behind the last good record. */
  get physicalOffset(): number {
    return this.#expected;
  }

  /** To the next record or hole; `end` behind the last one. */
  next(): 'record' | 'skipped' | 'end' {
    if (this.#isAtEnd) return 'end';
    const transform = transformName(this.chunk.header);
    if (transform !== undefined) return this.#skipRest(`the chunk is encrypted (transform ${transform})`);
    try {
      if (!this.#cursor.next()) return this.#end();
    } catch (error) {
      return this.#resume(reasonOf(error));
    }
    const { length, position } = this.#cursor.record;
    this.#expected = this.#cursor.physicalOffset + length + FRAME_LENGTH;
    this.#lastPosition = position + length + FRAME_LENGTH;
    return 'record';
  }

  close(): void {
    this.#isAtEnd = true;
    this.#reader.close();
  }

  #end(): 'end' {
    this.close();
    return 'end';
  }

  #resume(why: string): 'skipped' | 'end' {
    if (this.#expected >= this.#searchEnd) return this.#end();
    const found = this.#findRecord(this.#expected + 1);
    if (found === undefined) return this.#skipRest(why);
    this.skipped = { file: this.chunk.fileName, from: this.position, to: found.position, why };
    this.#expected = found.physical;
    this.#cursor.skipTo(found.physical);
    return 'skipped';
  }

  #skipRest(why: string): 'skipped' | 'end' {
    const { chunk } = this;
    const to = chunk.isScavenged ? chunk.endPosition : chunk.startPosition + this.#searchEnd;
    const from = this.position;
    this.close();
    if (from >= to) return 'end';
    this.skipped = { file: chunk.fileName, from, to, why };
    this.#lastPosition = to;
    return 'skipped';
  }

  #findRecord(physical: number): { physical: number; position: number } | undefined {
    const { chunk } = this;
    const places = chunk.isScavenged ? this.#mappedPlaces() : undefined;
    if (!places) return this.#search(physical);
    const record = new LogRecord();
    for (const place of places) {
      if (place >= physical && this.#isRecordAt(place, record))
        return { physical: place, position: record.position };
    }
    return undefined;
  }

  /** Where the position map says that records begin; undefined when it is damaged itself. */
  #mappedPlaces(): Float64Array | undefined {
    if (!this.chunk.footer) return undefined;
    try {
      return this.#reader.map.physical;
    } catch (error) {
      reasonOf(error);
      return undefined;
    }
  }

  #search(physical: number): { physical: number; position: number } | undefined {
    const { chunk } = this;
    const record = new LogRecord();
    const block = Buffer.allocUnsafe(SEARCH_BLOCK_BYTES + HEAD_BYTES);
    for (let start = physical; start < this.#searchEnd; start += SEARCH_BLOCK_BYTES) {
      const wanted = Math.min(block.length, chunk.dataSize - start);
      const have = this.#reader.file.read(block, 0, wanted, chunk.dataStart + start);
      const view = new DataView(block.buffer, block.byteOffset, block.length);
      const end = Math.min(have - HEAD_BYTES + 1, SEARCH_BLOCK_BYTES, this.#searchEnd - start);
      for (let i = 0; i < end; i++) {
        const length = block.readInt32LE(i);
        if (length < SMALLEST_PAYLOAD_BYTES || length > MAX_RECORD_LENGTH) continue;
        if (start + i + length + FRAME_LENGTH > chunk.dataSize) continue;
        // Costs no read: data that is full of numbers which could be lengths must not make the search crawl.
        if (block[i + 4]! > LAST_TYPE || block[i + 5]! > LAST_VERSION) continue;
        if (!this.#isPlaceOf(readInt64(view, i + 6), start + i)) continue;
        if (this.#isRecordAt(start + i, record)) return { physical: start + i, position: record.position };
      }
      if (have < wanted) return undefined;
    }
    return undefined;
  }

  /** Where a record of a scavenged chunk lies says only how early its position can be; the order says more. */
  #isPlaceOf(position: number, physical: number): boolean {
    const { chunk } = this;
    const place = chunk.startPosition + physical;
    if (!chunk.isScavenged) return position === place;
    return position >= place && position >= this.#lastPosition && position < chunk.endPosition;
  }

  #isRecordAt(physical: number, record: LogRecord): boolean {
    try {
      this.#reader.readAtPhysical(physical, record);
    } catch (error) {
      reasonOf(error); // two equal numbers by chance: the search goes on
      return false;
    }
    return this.#isPlaceOf(record.position, physical);
  }
}

/** The words of an error that damage causes; a type that nobody knows is damage here, too. Others pass through. */
function reasonOf(error: unknown): string {
  if (error instanceof EngineError && (error.code === 'LogCorrupt' || error.code === 'UnsupportedFormat')) {
    return error.message;
  }
  throw error;
}
