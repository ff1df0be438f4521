/**
 * A walk over what still reads as records behind damage. Chunk by chunk; where a record cannot be read, the
 * data is searched byte by byte for the next place where two equal lengths enclose a record that knows its own
 * position. Says what it passed over; never changes anything.
 */
import {
  ChunkReader,
  EngineError,
  FRAME_LENGTH,
  LogRecord,
  type Chunk,
  type ChunkCursor,
  type Database
} from '../../src-core/index.ts';

const SEARCH_BLOCK_BYTES = 1024 * 1024;
/** Larger records are found, too: a second look at the length they claim reads them whole. */
const MAX_PAYLOAD_BYTES = 16 * 1024 * 1024;
const SMALLEST_PAYLOAD_BYTES = 32;
/** Length, type, version and position of a record: what the search looks at before it reads one. */
const HEAD_BYTES = 14;
const LAST_TYPE = 2;
const LAST_VERSION = 1;

export class SalvageWalk {
  readonly from: number;
  readonly to: number;
  readonly #database: Database;
  readonly #say: (message: string) => void;
  #chunkIndex: number;
  #reader: ChunkReader | undefined;
  #cursor: ChunkCursor | undefined;
  /** Physical offset at which the next record is expected. */
  #expected = 0;

  constructor(database: Database, range: { from: number; to: number }, say: (message: string) => void) {
    this.#database = database;
    this.#say = say;
    this.from = range.from;
    this.to = Math.min(range.to, database.log.end);
    this.#chunkIndex = database.log.firstChunkIndex(range.from);
    for (const problem of database.problems) {
      if (problem.severity === 'damage') say(problem.message);
    }
  }

  get record(): LogRecord {
    return this.#current().record;
  }

  get chunk(): Chunk {
    return this.#current().chunk;
  }

  get fileOffset(): number {
    return this.#current().fileOffset;
  }

  next(): boolean {
    for (;;) {
      if (!this.#cursor) {
        const chunk = this.#database.log.chunks[this.#chunkIndex];
        if (!chunk || chunk.startPosition >= this.to) return false;
        this.#chunkIndex += 1;
        this.#reader = new ChunkReader(this.#database.fileSystem, chunk);
        this.#expected = 0;
        this.#cursor = this.#openCursor(this.#reader);
        if (!this.#cursor) continue;
      }
      if (!this.#step(this.#cursor)) {
        this.#closeChunk();
        continue;
      }
      const { position } = this.#cursor.record;
      if (position >= this.to) return false;
      if (position >= this.from) return true;
    }
  }

  close(): void {
    this.#closeChunk();
    this.#chunkIndex = Infinity;
  }

  #current(): ChunkCursor {
    if (!this.#cursor) throw new RangeError('The walk stands on no record.');
    return this.#cursor;
  }

  #openCursor(reader: ChunkReader): ChunkCursor | undefined {
    try {
      return reader.cursor();
    } catch (error) {
      this.#tell(error);
      this.#closeChunk();
      return undefined;
    }
  }

  /** To the next record that can be read; false at the end of the chunk. */
  #step(cursor: ChunkCursor): boolean {
    for (;;) {
      try {
        if (!cursor.next()) return false;
        this.#expected = cursor.physicalOffset + cursor.record.length + FRAME_LENGTH;
        return true;
      } catch (error) {
        this.#tell(error);
        const { fileName, dataStart } = cursor.chunk;
        const found = this.#findRecord(this.#expected + 1);
        if (found === undefined) {
          this.#say(`${fileName}: nothing behind offset ${dataStart + this.#expected} reads as a record.`);
          return false;
        }
        const passed = found - this.#expected;
        this.#say(`${fileName}: passed over ${passed} bytes, going on at offset ${dataStart + found}.`);
        this.#expected = found;
        cursor.skipTo(found);
      }
    }
  }

  /** Physical offset at or behind `physical` at which a whole record lies. */
  #findRecord(physical: number): number | undefined {
    const reader = this.#reader;
    if (!reader) return undefined;
    const { chunk } = reader;
    const record = new LogRecord();
    const block = Buffer.allocUnsafe(SEARCH_BLOCK_BYTES + HEAD_BYTES);
    for (let start = physical; start < chunk.dataSize; start += SEARCH_BLOCK_BYTES) {
      const wanted = Math.min(block.length, chunk.dataSize - start);
      const have = reader.file.read(block, 0, wanted, chunk.dataStart + start);
      const end = Math.min(have - 3, SEARCH_BLOCK_BYTES);
      for (let i = 0; i < end; i++) {
        const length = block.readInt32LE(i);
        if (length < SMALLEST_PAYLOAD_BYTES || length > MAX_PAYLOAD_BYTES) continue;
        if (start + i + length + FRAME_LENGTH > chunk.dataSize) continue;
        if (i + HEAD_BYTES <= have && !isHeadAt(block, i, chunk, start + i)) continue;
        if (isRecordAt(reader, start + i, record)) return start + i;
      }
      if (have < wanted) return undefined;
    }
    return undefined;
  }

  #tell(error: unknown): void {
    if (!(error instanceof EngineError) || error.code !== 'LogCorrupt') throw error;
    this.#say(error.message);
  }

  #closeChunk(): void {
    this.#reader?.close();
    this.#reader = undefined;
    this.#cursor = undefined;
  }
}

/** Costs no read: data that is full of numbers which could be lengths must not make the search crawl. */
function isHeadAt(block: Buffer, at: number, chunk: Chunk, physical: number): boolean {
  if (block[at + 4]! > LAST_TYPE || block[at + 5]! > LAST_VERSION) return false;
  const position = block.readInt32LE(at + 10) * 4294967296 + block.readUInt32LE(at + 6);
  return isPlaceOf(position, chunk, physical);
}

/** Where a record of a scavenged chunk lies says only how early its position can be. */
function isPlaceOf(position: number, chunk: Chunk, physical: number): boolean {
  const place = chunk.startPosition + physical;
  return chunk.isScavenged ? position >= place && position < chunk.endPosition : position === place;
}

function isRecordAt(reader: ChunkReader, physical: number, record: LogRecord): boolean {
  const { chunk } = reader;
  try {
    reader.readAtPhysical(physical, record);
  } catch {
    return false; // two equal numbers by chance: the search goes on
  }
  return isPlaceOf(record.position, chunk, physical);
}
