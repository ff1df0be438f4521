/**
 * A walk over what reads as records in one chunk file, past damage. Where a record cannot be read, the next place is
 * looked for at which two equal lengths enclose a record that knows its own position; what lies between is told as
 * skipped. Never changes anything, and gives nothing as a record that contradicts its place.
 *
 * Where the disk itself refuses to read, the walk continues in small steps: only what lies within two pages of the
 * bad place is lost.
 *
 * A scavenged chunk's position map, if it is sound, says where records begin; otherwise every byte is tried.
 */
import type { AtPhysical, AtPosition } from '../units/of-unit.ts';
import type { Chunk } from '../chunks/chunk.ts';
import { ChunkCursor, ChunkReader } from '../chunks/chunk-reader.ts';
import type { PositionMap } from '../chunks/position-map.ts';
import { transformName } from '../chunks/chunk-header.ts';
import { readInt64 } from '../codec/int64.ts';
import { EngineError, osCodeOf } from '../errors.ts';
import { FRAME_LENGTH, LogRecord, MAX_RECORD_LENGTH } from '../records/log-record.ts';
import type { FileSystem } from '../storage/file-system.ts';

const SEARCH_BLOCK_BYTES = 1024 * 1024;
/** On a disk that fails: what one bad place takes with it. */
const PAGE_BYTES = 4096;
const SMALLEST_PAYLOAD_BYTES = 32;
/** Length, type, version and position of a record: what the search checks before it reads one. */
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
  /** A footer says where that is. Where records go on behind it, it is no footer, and all of the data is searched. */
  isEndOfFooter?: boolean;
}

export class SalvageChunk {
  readonly chunk: Chunk;
  readonly #reader: ChunkReader;
  readonly #cursor: ChunkCursor;
  #searchEnd: number;
  readonly #isEndOfFooter: boolean;
  /** Physical offset behind the last good record. */
  #expected = 0;
  #lastPosition = -1;
  #isAtEnd = false;
  /** The records went on behind the end that a footer seemed to name. */
  isFooterWrong = false;
  /** Set once the disk refused: from then on one record is read at a time. */
  #slow: { record: LogRecord; physical: number } | undefined;
  /** Set when `next` answers `skipped`. */
  skipped: SkippedRange | undefined;

  constructor({ fileSystem, chunk, searchEnd, isEndOfFooter = false }: SalvageChunkParts) {
    this.chunk = chunk;
    this.#reader = new ChunkReader(fileSystem, chunk);
    this.#cursor = new ChunkCursor(this.#reader, 0);
    this.#searchEnd = Math.min(searchEnd ?? chunk.dataSize, chunk.dataSize);
    this.#isEndOfFooter = isEndOfFooter;
  }

  /** Valid after `next` answered `record`, until the next call. */
  get record(): LogRecord {
    return this.#slow?.record ?? this.#cursor.record;
  }

  get fileOffset(): number {
    return this.#slow ? this.chunk.dataStart + this.#slow.physical : this.#cursor.fileOffset;
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
    if (this.#slow) return this.#nextSlowly(this.#slow);
    try {
      if (!this.#cursor.next()) return this.#end();
    } catch (error) {
      if (!isDiskFault(error)) return this.#resume(reasonOf(error));
      this.#slow = { record: new LogRecord(), physical: this.#expected };
      return this.#nextSlowly(this.#slow);
    }
    return this.#passed(this.#cursor.physicalOffset);
  }

  #passed(physical: number): 'record' {
    const { length, position } = this.record;
    this.#expected = physical + length + FRAME_LENGTH;
    this.#lastPosition = position + length + FRAME_LENGTH;
    return 'record';
  }

  #nextSlowly(slow: { record: LogRecord; physical: number }): 'record' | 'skipped' | 'end' {
    const physical = this.#expected;
    if (physical >= this.chunk.dataSize) return this.#end();
    try {
      this.#reader.readAtPhysical(physical, slow.record);
    } catch (error) {
      return this.#resume(reasonOf(error));
    }
    if (!this.#isPlaceOf(slow.record.position, physical))
      return this.#resume('the record does not belong here');
    slow.physical = physical;
    return this.#passed(physical);
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
    if (this.#isEndOfFooter && this.#expected > this.#searchEnd && this.#goesOn()) {
      this.#searchEnd = this.chunk.dataSize;
      this.isFooterWrong = true;
    }
    if (this.#expected >= this.#searchEnd) return this.#end();
    const found = this.#findRecord(this.#expected + 1);
    if (found === undefined) return this.#skipRest(why);
    this.skipped = { file: this.chunk.fileName, from: this.position, to: found.position, why };
    this.#expected = found.physical;
    this.#cursor.skipTo(found.physical);
    return 'skipped';
  }

  /** Behind the last record are not only zeros. */
  #goesOn(): boolean {
    const { dataSize } = this.chunk;
    const block = Buffer.allocUnsafe(SEARCH_BLOCK_BYTES + HEAD_BYTES);
    for (let at = this.#expected; at < dataSize; at += SEARCH_BLOCK_BYTES) {
      const have = this.#readBlock(block, at);
      if (have === 0 || block.subarray(0, have).some((byte) => byte !== 0)) return true;
    }
    return false;
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
    const map = chunk.isScavenged ? this.#soundMap() : undefined;
    if (!map) return this.#search(physical);
    const record = new LogRecord();
    for (let i = 0; i < map.length; i++) {
      const place = map.physicalAt(i);
      if (place >= physical && this.#isRecordAt(place, record))
        return { physical: place, position: record.position };
    }
    return undefined;
  }

  /** Says where records begin; undefined when it is damaged itself. */
  #soundMap(): PositionMap | undefined {
    if (!this.chunk.footer) return undefined;
    try {
      return this.#reader.map;
    } catch (error) {
      reasonOf(error);
      return undefined;
    }
  }

  #search(physical: number): { physical: number; position: number } | undefined {
    const { chunk } = this;
    const record = new LogRecord();
    const isSlow = this.#slow !== undefined;
    const buffer = Buffer.allocUnsafe((isSlow ? PAGE_BYTES : SEARCH_BLOCK_BYTES) + HEAD_BYTES);
    const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
    for (let start = physical; start < this.#searchEnd;) {
      const step = isSlow ? PAGE_BYTES - ((chunk.dataStart + start) % PAGE_BYTES) : SEARCH_BLOCK_BYTES;
      const block = buffer.subarray(0, step + HEAD_BYTES);
      const have = this.#readBlock(block, start);
      if (!isSlow && this.#slow) return this.#search(start);
      const end = Math.min(have - HEAD_BYTES + 1, step, this.#searchEnd - start);
      for (let i = 0; i < end; i++) {
        const length = block.readInt32LE(i);
        if (length < SMALLEST_PAYLOAD_BYTES || length > MAX_RECORD_LENGTH) continue;
        if (start + i + length + FRAME_LENGTH > chunk.dataSize) continue;
        // Costs no read: data that is full of numbers which could be lengths must not make the search crawl.
        if (block[i + 4]! > LAST_TYPE || block[i + 5]! > LAST_VERSION) continue;
        if (!this.#isPlaceOf(readInt64(view, i + 6), start + i)) continue;
        if (this.#isRecordAt(start + i, record)) return { physical: start + i, position: record.position };
      }
      start += step;
    }
    return undefined;
  }

  /** As much of the block as the disk gives: all of it, all but what belongs to the next one, or nothing. */
  #readBlock(block: Buffer, start: number): number {
    const { dataSize, dataStart } = this.chunk;
    for (const wanted of [block.length, block.length - HEAD_BYTES]) {
      try {
        return this.#reader.file.read(block, 0, Math.min(wanted, dataSize - start), dataStart + start);
      } catch (error) {
        if (!isDiskFault(error)) throw error;
        // From here on in pages, and what cannot be read is skipped.
        this.#slow ??= { record: new LogRecord(), physical: this.#expected };
      }
    }
    return 0;
  }

  /** Where a record of a scavenged chunk lies says only how early its position can be; the order says more. */
  #isPlaceOf(position: AtPosition, physical: AtPhysical): boolean {
    const { chunk } = this;
    const place = chunk.startPosition + physical;
    if (!chunk.isScavenged) return position === place;
    return position >= place && position >= this.#lastPosition && position < chunk.endPosition;
  }

  #isRecordAt(physical: number, record: LogRecord): boolean {
    try {
      this.#reader.readAtPhysical(physical, record);
    } catch (error) {
      reasonOf(error); // two numbers happen to be equal: the search continues
      return false;
    }
    return this.#isPlaceOf(record.position, physical);
  }
}

function isDiskFault(error: unknown): error is EngineError {
  return osCodeOf(error) === 'EIO';
}

/**
 * The words of an error that damage causes; a type that nobody knows is damage here, too, and so is a place that the
 * disk does not give. Others pass through.
 */
function reasonOf(error: unknown): string {
  const isContent =
    error instanceof EngineError && (error.code === 'LogCorrupt' || error.code === 'UnsupportedFormat');
  if (isContent || isDiskFault(error)) return error.message;
  throw error;
}
