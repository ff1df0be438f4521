/**
 * Reads the records of one chunk, by position or in order. Nothing in the file is trusted: every length is held
 * against the data area, prefix against suffix, the record's own position against the place where it lies.
 * What does not fit is a LogCorrupt error that names file and offset; it is never skipped here.
 */
import type { AtLogical, AtPhysical, AtPosition } from '../units/of-unit.ts';
import { readInt64 } from '../codec/int64.ts';
import type { FileSystem, OpenFile } from '../storage/file-system.ts';
import { logCorrupt, unsupportedFormat, type EngineError, type ErrorDetails } from '../errors.ts';
import { FRAME_LENGTH, LogRecord, MAX_RECORD_LENGTH } from '../records/log-record.ts';
import { BackwardWindow } from './backward-window.ts';
import type { Chunk } from './chunk.ts';
import { transformName } from './chunk-header.ts';
import type { RisingWindow } from './rising-window.ts';
import { decodePositionMap, type PositionMap } from './position-map.ts';

/** A first guess that holds most records, for reads by position. */
const FIRST_READ_BYTES = 4096;
/** Behind the length, the type and the version of the record. */
const POSITION_IN_FRAME = 6;
/** Sequential reads: large enough that the calls do not count, small enough to stay in the processor's cache. */
const WINDOW_BYTES = 1024 * 1024;

const NOTHING = Buffer.alloc(0);

export class ChunkReader {
  readonly chunk: Chunk;
  #file: OpenFile | undefined;
  readonly #fileSystem: Pick<FileSystem, 'open'>;
  #map: PositionMap | undefined;
  /** For reads by position; a walk has its own. */
  #buffer: Buffer = NOTHING;
  #view: DataView = viewOf(NOTHING);
  readonly #record = new LogRecord();

  constructor(fileSystem: Pick<FileSystem, 'open'>, chunk: Chunk) {
    this.#fileSystem = fileSystem;
    this.chunk = chunk;
  }

  /** The open file; opened at the first use. */
  get file(): OpenFile {
    if (!this.#file) {
      refuseTransformed(this.chunk);
      this.#file = this.#fileSystem.open(this.chunk.path, 'read');
    }
    return this.#file;
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
    this.#map = undefined;
  }

  /** The position map of a scavenged chunk, read at the first use. */
  get map(): PositionMap {
    if (this.#map) return this.#map;
    const { footer, dataSize, dataStart } = this.chunk;
    const size = footer?.mapSize ?? 0;
    const { file } = this; // refuses encrypted chunks, whose sizes have not been compared with the file
    // An empty map would make every record of it look removed.
    if (size === 0 && dataSize > 0 && this.chunk.isScavenged)
      throw this.#corrupt(dataStart + dataSize, 'it has records and no position map');
    const bytes = Buffer.allocUnsafe(size);
    const count = file.read(bytes, 0, size, dataStart + dataSize);
    if (count < size)
      throw this.#corrupt(dataStart + dataSize + count, 'the file ends within the position map');
    const isMap12Bytes = footer?.isMap12Bytes ?? true;
    const map = decodePositionMap(bytes, { isMap12Bytes, physicalDataSize: dataSize });
    if (typeof map === 'number') {
      const at = dataStart + dataSize + map * (isMap12Bytes ? 12 : 8);
      throw this.#corrupt(at, `entry ${map} of the position map is out of order or points outside the data`);
    }
    this.#map = map;
    return map;
  }

  /** Physical offset for a logical one, -1 when no record lies exactly there. */
  physicalOffset(logicalOffset: AtLogical): AtPhysical {
    if (this.chunk.isScavenged) return this.map.exact(logicalOffset);
    const same: number = logicalOffset; // as long as nothing was removed
    return same < this.chunk.dataSize ? same : -1;
  }

  /** Physical offset of the first record at or after a logical offset; the data size when there is none. */
  physicalOffsetAtOrAfter(logicalOffset: AtLogical): AtPhysical {
    if (!this.chunk.isScavenged) return Math.min(logicalOffset, this.chunk.dataSize);
    const index = this.map.indexAtOrAfter(logicalOffset);
    return index < this.map.length ? this.map.physicalAt(index) : this.chunk.dataSize;
  }

  /**
   * The record that starts exactly at a log position. undefined: scavenged away, or behind the data. In a chunk
   * that was never scavenged a position within a record is an error.
   */
  readAt(position: AtPosition): LogRecord | undefined {
    const physical = this.physicalOffset(position - this.chunk.startPosition);
    if (physical < 0) return undefined;
    this.readAtPhysical(physical, this.#record);
    this.#checkPosition(position, physical, this.#record);
    return this.#record;
  }

  #checkPosition(position: AtPosition, physical: AtPhysical, record: LogRecord): void {
    if (record.position === position) return;
    throw this.#corrupt(
      this.chunk.dataStart + physical + 4,
      `the record says it is at position ${record.position}, it was found at ${position}`,
      position
    );
  }

  /** Reads the record at a physical offset into `record`; bytes stay valid until the next call. */
  readAtPhysical(physical: AtPhysical, record: LogRecord): void {
    const { dataSize, dataStart } = this.chunk;
    const left = dataSize - physical;
    if (left < FRAME_LENGTH) throw this.#corrupt(dataStart + physical, 'the data ends within a record');
    let have = this.#fill(physical, Math.min(FIRST_READ_BYTES, left));
    const length = have >= 4 ? this.#view.getInt32(0, true) : 0;
    this.#checkLength(length, physical);
    const framed = length + FRAME_LENGTH;
    if (have < framed && isInFile(this.chunk, physical, framed)) {
      this.#checkPlace(physical);
      have = this.#fill(physical, framed);
    }
    if (have < framed) throw this.#corrupt(dataStart + physical + have, 'the file ends within a record');
    this.#checkFrame(this.#buffer, this.#view, 0, length, physical, record);
  }

  /**
   * As `readAt`, into `record`, for positions that rise. `ahead`: bytes after the position in which the next ones lie. False:
   * there is no record. Bytes stay valid until the next call.
   */
  readRising(position: AtPosition, ahead: () => number, window: RisingWindow, record: LogRecord): boolean {
    const { dataSize, dataStart, startPosition } = this.chunk;
    const physical = this.physicalOffset(position - startPosition);
    if (physical < 0) return false;
    let have = window.availableFrom(this.file, physical);
    if (have < FIRST_READ_BYTES) {
      const wanted = Math.min(ahead() + FIRST_READ_BYTES, dataSize - physical);
      if (wanted > have) {
        window.load(this.file, dataStart, physical, wanted);
        have = window.availableFrom(this.file, physical);
      }
    }
    const at = physical - window.start;
    const length = have >= FRAME_LENGTH ? window.view.getInt32(at, true) : 0;
    // Large records, and what is damaged, are read like any other record.
    if (length > 0 && have >= length + FRAME_LENGTH) {
      this.#checkLength(length, physical);
      this.#checkFrame(window.buffer, window.view, at, length, physical, record);
    } else this.readAtPhysical(physical, record);
    this.#checkPosition(position, physical, record);
    return true;
  }

  /**
   * Reads the record that ends at a physical offset, for walking backward. Gives its physical start. `window`: of
   * a whole walk; bytes stay valid until the next call.
   */
  readEndingAt(
    physicalEnd: number,
    record: LogRecord,
    window = new BackwardWindow(FIRST_READ_BYTES)
  ): number {
    const { dataStart } = this.chunk;
    if (physicalEnd < FRAME_LENGTH) throw this.#corrupt(dataStart + physicalEnd, 'no record can end here');
    window.cover(this.file, dataStart, physicalEnd - 4, physicalEnd);
    const length = window.view.getInt32(physicalEnd - 4 - window.start, true);
    const start = physicalEnd - length - FRAME_LENGTH;
    if (length <= 0 || length > MAX_RECORD_LENGTH || start < 0) {
      throw this.#corrupt(dataStart + physicalEnd - 4, `a record length of ${length} is impossible here`);
    }
    const isCovered = window.cover(this.file, dataStart, start, physicalEnd);
    const at = start - window.start;
    // Large records, and prefixes that contradict the suffix, are read like any other record.
    if (isCovered && window.view.getInt32(at, true) === length) {
      this.#checkLength(length, start);
      this.#checkFrame(window.buffer, window.view, at, length, start, record);
    } else this.readAtPhysical(start, record);
    return start;
  }

  cursor(fromLogicalOffset = 0): ChunkCursor {
    return new ChunkCursor(this, this.physicalOffsetAtOrAfter(fromLogicalOffset));
  }

  #fill(physical: AtPhysical, length: number): number {
    if (this.#buffer.length < length) {
      this.#buffer = Buffer.allocUnsafe(Math.max(length, FIRST_READ_BYTES));
      this.#view = viewOf(this.#buffer);
    }
    return this.file.read(this.#buffer, 0, length, this.chunk.dataStart + physical);
  }

  #checkLength(length: number, physical: AtPhysical): void {
    const problem = lengthProblem(length, this.chunk.dataSize - physical);
    if (problem)
      throw chunkCorrupt(this.chunk, this.chunk.dataStart + physical, problem.text, {
        reason: problem.reason
      });
  }

  /**
   * Before a large record is read: does its head belong here? A search of damaged bytes for a record tries one
   * place after the other and would read megabytes for each number that looks like a length.
   */
  #checkPlace(physical: AtPhysical): void {
    const { chunk } = this;
    const expected = chunk.startPosition + physical;
    const position = readInt64(this.#view, POSITION_IN_FRAME);
    const isPossible = chunk.isScavenged
      ? position >= expected && position < chunk.endPosition
      : position === expected;
    if (isPossible) return;
    throw this.#corrupt(
      chunk.dataStart + physical + 4,
      `the record says it is at position ${position}, it was found at ${expected}`,
      expected
    );
  }

  #checkFrame(
    buffer: Buffer,
    view: DataView,
    at: number,
    length: number,
    physical: AtPhysical,
    record: LogRecord
  ): void {
    const offset = this.chunk.dataStart + physical;
    const suffix = view.getInt32(at + 4 + length, true);
    if (suffix !== length) {
      throw this.#corrupt(offset, `the length before the record is ${length}, the one after it ${suffix}`);
    }
    const problem = record.parse(buffer, view, at + 4, length);
    if (problem) throw this.recordProblem(problem, offset);
  }

  /** A record that cannot be parsed: foreign to the format, or damaged. */
  recordProblem(problem: string, offset: number): EngineError {
    if (problem.includes('experimental log format')) {
      return unsupportedFormat(`${this.chunk.fileName} holds a record at offset ${offset}: ${problem}.`, {
        file: this.chunk.fileName,
        offset
      });
    }
    return this.#corrupt(offset, problem);
  }

  #corrupt(offset: number, problem: string, position?: number): EngineError {
    return chunkCorrupt(this.chunk, offset, problem, position === undefined ? {} : { position });
  }
}

/** Walks the records of a chunk in physical order, which is also the logical one. */
export class ChunkCursor {
  readonly record = new LogRecord();
  readonly #reader: ChunkReader;
  /** Physical offset of the next record. */
  #next: number;
  #physical = -1;
  #lastPosition = -1;
  #buffer: Buffer = Buffer.allocUnsafe(0);
  #view: DataView = viewOf(this.#buffer);
  /** Physical offset of the first byte in the buffer, and how many are valid. */
  #bufferStart = 0;
  #bufferLength = 0;

  constructor(reader: ChunkReader, physicalStart: number) {
    this.#reader = reader;
    this.#next = physicalStart;
  }

  get chunk(): Chunk {
    return this.#reader.chunk;
  }

  /** Offset in the file of the current record's first length field. */
  get fileOffset(): number {
    return this.chunk.dataStart + this.#physical;
  }

  /** Physical offset of the current record. */
  get physicalOffset(): AtPhysical {
    return this.#physical;
  }

  /** Where the framed current record (both lengths included) begins in `record.bytes`. */
  get framedStart(): number {
    return this.record.start - 4;
  }

  /** Moves to the next record; false at the end of the data. */
  next(): boolean {
    const { dataSize, dataStart } = this.chunk;
    const physical = this.#next;
    const left = dataSize - physical;
    if (left < FRAME_LENGTH) {
      if (left === 0) return false;
      throw chunkCorrupt(this.chunk, dataStart + physical, 'the data ends within a record', {
        reason: 'beyondData'
      });
    }
    let at = physical - this.#bufferStart;
    if (at < 0 || at + 4 > this.#bufferLength) at = this.#load(physical, WINDOW_BYTES);
    if (at + 4 > this.#bufferLength)
      throw chunkCorrupt(this.chunk, dataStart + physical, 'the file ends before its data');
    const length = this.#view.getInt32(at, true);
    const problem = lengthProblem(length, left);
    if (problem)
      throw chunkCorrupt(this.chunk, dataStart + physical, problem.text, { reason: problem.reason });
    const framed = length + FRAME_LENGTH;
    if (at + framed > this.#bufferLength) {
      const isWhole = isInFile(this.chunk, physical, framed);
      if (isWhole) at = this.#load(physical, Math.max(framed, WINDOW_BYTES));
      if (!isWhole || framed > this.#bufferLength) {
        throw chunkCorrupt(this.chunk, dataStart + physical, 'the file ends within a record');
      }
    }
    const suffix = this.#view.getInt32(at + 4 + length, true);
    if (suffix !== length) {
      throw chunkCorrupt(
        this.chunk,
        dataStart + physical,
        `the length before the record is ${length}, the one after it ${suffix}`
      );
    }
    const unreadable = this.record.parse(this.#buffer, this.#view, at + 4, length);
    if (unreadable) throw this.#reader.recordProblem(unreadable, dataStart + physical);
    this.#checkPlace(physical);
    this.#physical = physical;
    this.#next = physical + framed;
    return true;
  }

  /** Continues after a damaged record where another one starts, for reading what is left (`--salvage`). */
  skipTo(physical: AtPhysical): void {
    this.#next = physical;
  }

  /** The record's own position against the place where it lies: equal, or at least in order once scavenged. */
  #checkPlace(physical: AtPhysical): void {
    const { chunk, record } = this;
    const expected = chunk.startPosition + physical;
    const isRight = chunk.isScavenged
      ? record.position >= expected &&
        record.position > this.#lastPosition &&
        record.position < chunk.endPosition
      : record.position === expected;
    if (!isRight) {
      throw chunkCorrupt(
        chunk,
        chunk.dataStart + physical + 4,
        chunk.isScavenged
          ? `the record's position ${record.position} is out of order or outside the chunk`
          : `the record says it is at position ${record.position}, it was found at ${expected}`,
        { position: record.position }
      );
    }
    this.#lastPosition = record.position;
  }

  #load(physical: AtPhysical, wanted: number): number {
    const length = Math.min(wanted, this.chunk.dataSize - physical);
    if (this.#buffer.length < length) {
      this.#buffer = Buffer.allocUnsafe(length);
      this.#view = viewOf(this.#buffer);
    }
    this.#bufferLength = this.#reader.file.read(this.#buffer, 0, length, this.chunk.dataStart + physical);
    this.#bufferStart = physical;
    return 0;
  }
}

/** Asked before room is made: of a chunk being written the data may end behind the file if a checkpoint is wrong. */
function isInFile({ dataStart, fileSize }: Chunk, physical: AtPhysical, framed: number): boolean {
  return dataStart + physical + framed <= fileSize;
}

function viewOf(buffer: Buffer): DataView {
  return new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
}

interface LengthProblem {
  text: string;
  /** For verification, which tells a wrong checkpoint from a damaged record by it. */
  reason: 'noRecord' | 'badLength' | 'beyondData';
}

function lengthProblem(length: number, left: number): LengthProblem | undefined {
  if (length <= 0 || length > MAX_RECORD_LENGTH) {
    return {
      text: `a record length of ${length} is impossible`,
      reason: length === 0 ? 'noRecord' : 'badLength'
    };
  }
  if (length + FRAME_LENGTH <= left) return undefined;
  return {
    text: `a record length of ${length} reaches beyond the data, ${left} bytes are left`,
    reason: 'beyondData'
  };
}

/** The error for bytes of a chunk that contradict the format. */
export function chunkCorrupt(
  chunk: Chunk,
  offset: number,
  problem: string,
  details: ErrorDetails = {}
): EngineError {
  return logCorrupt(`${chunk.fileName} is damaged at offset ${offset}: ${problem}.`, {
    file: chunk.fileName,
    offset,
    ...details
  });
}

/** Encrypted chunks are recognised and named; their data is never parsed. */
export function refuseTransformed(chunk: Chunk): void {
  const transform = transformName(chunk.header);
  if (transform === undefined) return;
  throw unsupportedFormat(
    `${chunk.fileName} is encrypted (transform ${transform}); encrypted chunks are not supported.`,
    { file: chunk.fileName, offset: 35 },
    'Scavenge and read this database with the server and its encryption plug-in. Nothing was changed.'
  );
}
