/**
 * The log across its chunk files: records by position, or in order from a position on. Keeps a few files open.
 * Positions of scavenged records simply have no record; gaps between chunks are normal.
 */
import type { AtPosition } from '../units/of-unit.ts';
import type { FileSystem } from '../storage/file-system.ts';
import { BackwardWindow } from '../chunks/backward-window.ts';
import type { Chunk } from '../chunks/chunk.ts';
import { ChunkReader, type ChunkCursor } from '../chunks/chunk-reader.ts';
import { LogRecord } from '../records/log-record.ts';
import type {
  ChunkHeadCursor,
  HashedCursor,
  HeadCursor,
  NotableCursor,
  RecordHead,
  StreamsCursor,
  SweepCursor
} from '../records/record-head.ts';
import { readRising, type ManyReads } from './rising-reads.ts';

const OPEN_READERS = 16;

export interface LogParts {
  fileSystem: FileSystem;
  chunks: readonly Chunk[];
  chunkSizeBytes: number;
  /** Exclusive: the writer's position. */
  end: number;
}

/** The first chunks of a log, one after the other, for who needs no names where no two of their streams share a hash. */
export interface ApartReading {
  /**
   * What accumulation acts on, of the records at or after `from` and below `to`. undefined: it cannot be told in this way whether
   * streams share a hash.
   */
  notableOf(chunk: Chunk, from: AtPosition, to: number): HashedCursor | undefined;
  /** It is certain that no two streams of all these chunks share a hash. Until then nothing is to be done with what was told. */
  areApart(): Promise<boolean>;
}

/** Gives the records of a chunk without reading it: what is known of it from an earlier reading. */
export interface HeadSource {
  /** The records at or after a position. */
  headsOf(chunk: Chunk, from: AtPosition): ChunkHeadCursor;
  /** The prepares of one stream, by the exact bytes of its name; undefined: there are none. */
  headsOfStream(chunk: Chunk, stream: string): ChunkHeadCursor | undefined;
  /** What accumulation acts on, of the records at or after `from` and below `to`. */
  notableOf(chunk: Chunk, from: AtPosition, to: number): NotableCursor;
  /** The same of these chunks, the first of the log, without names. */
  readApart(chunks: readonly Chunk[]): ApartReading;
  /** The prepares that may go. */
  sweepOf(chunk: Chunk): SweepCursor;
  /** All prepares. */
  streamsOf(chunk: Chunk): StreamsCursor;
  /** A chunk was gone through on the way through all of them: what is held of it may be given back. */
  onPassed(): void;
  /** How many records the chunk holds. */
  countOf(chunk: Chunk): number;
  /** Every byte was read, and the hash that the chunk ends with was right. */
  isSound(chunk: Chunk): boolean;
}

export class LogReader {
  readonly chunkSizeBytes: number;
  readonly end: number;
  readonly #chunks: Chunk[];
  readonly #fileSystem: FileSystem;
  /** Most recently used last. */
  readonly #open = new Map<Chunk, ChunkReader>();
  #heads: HeadSource | undefined;

  constructor({ fileSystem, chunks, chunkSizeBytes, end }: LogParts) {
    this.#fileSystem = fileSystem;
    this.#chunks = [...chunks];
    this.chunkSizeBytes = chunkSizeBytes;
    this.end = end;
  }

  /** In the order of the log. */
  get chunks(): readonly Chunk[] {
    return this.#chunks;
  }

  /** From now on `chunk` serves its range instead of the chunks it replaced. Open cursors are not moved. */
  switchIn(chunk: Chunk): void {
    const from = this.#indexAtOrAfter(chunk.startPosition);
    let to = from;
    while (to < this.#chunks.length && this.#chunks[to]!.startPosition < chunk.endPosition) to++;
    for (const replaced of this.#chunks.splice(from, to - from, chunk)) {
      this.#open.get(replaced)?.close();
      this.#open.delete(replaced);
    }
  }

  close(): void {
    for (const reader of this.#open.values()) reader.close();
    this.#open.clear();
  }

  /** The chunk whose range holds `position`. */
  chunkAt(position: AtPosition): Chunk | undefined {
    const chunk = this.chunks[this.#indexAtOrAfter(position)];
    return chunk && chunk.startPosition <= position ? chunk : undefined;
  }

  /**
   * The record that starts exactly at `position`; undefined when it was scavenged, never existed, or its chunk is
   * not here. The view is valid until the next call. Damage throws LogCorrupt.
   */
  readAt(position: AtPosition): LogRecord | undefined {
    if (position < 0 || position >= this.end) return undefined;
    const chunk = this.chunkAt(position);
    return chunk ? this.readerOf(chunk).readAt(position) : undefined;
  }

  /** As `readAt`, of many at once. */
  readMany(...wanted: ManyReads): void {
    readRising(this, ...wanted);
  }

  /** Records at or after `from` and below `to`, in order. Chunks of which `skips` says so are not read. */
  cursor(from = 0, to = this.end, skips?: (chunk: Chunk) => boolean): LogCursor {
    return new LogCursor(this, { from, to, skips });
  }

  /**
   * From now on heads come from here. For questions only: what is written is decided from the log
   * itself.
   */
  useHeads(source: HeadSource): void {
    this.#heads = source;
  }

  /** What is known of the chunks without reading them; undefined: nothing. */
  get knownHeads(): HeadSource | undefined {
    return this.#heads;
  }

  /** As `cursor`, for those who need no payload but that of metadata and links. */
  heads(from = 0, to = this.end): HeadCursor {
    return this.#heads ? new LogHeads(this, this.#heads, from, to) : this.cursor(from, to);
  }

  /**
   * The newest record that lies entirely before `position` and fulfils `wanted`, walking backward; none that begins before
   * `downTo` is found.
   */
  findBackward(
    position: AtPosition,
    wanted: (record: LogRecord) => boolean,
    downTo: AtPosition = 0
  ): LogRecord | undefined {
    const record = new LogRecord();
    const window = new BackwardWindow();
    for (let i = this.chunks.length - 1; i >= 0; i--) {
      const chunk = this.chunks[i]!;
      if (chunk.startPosition >= position) continue;
      if (chunk.endPosition <= downTo) return undefined;
      const reader = this.readerOf(chunk);
      let end = reader.physicalOffsetAtOrAfter(Math.min(position, chunk.endPosition) - chunk.startPosition);
      while (end > 0) {
        end = reader.readEndingAt(end, record, window);
        if (record.position < downTo) return undefined;
        if (wanted(record)) return record;
      }
    }
    return undefined;
  }

  /** The reader of one chunk, opened if need be. */
  readerOf(chunk: Chunk): ChunkReader {
    let reader = this.#open.get(chunk);
    if (reader) {
      this.#open.delete(chunk);
    } else {
      reader = new ChunkReader(this.#fileSystem, chunk);
      if (this.#open.size >= OPEN_READERS) {
        const [oldest, idle] = this.#open.entries().next().value!;
        idle.close();
        this.#open.delete(oldest);
      }
    }
    this.#open.set(chunk, reader);
    return reader;
  }

  /** A reader of its own for a walk, so that look-ups meanwhile cannot close its file. */
  newReader(chunk: Chunk): ChunkReader {
    return new ChunkReader(this.#fileSystem, chunk);
  }

  /** Index of the first chunk that ends behind `position`. */
  firstChunkIndex(position: AtPosition): number {
    return this.#indexAtOrAfter(position);
  }

  #indexAtOrAfter(position: AtPosition): number {
    let low = 0;
    let high = this.chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.chunks[middle]!.endPosition <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const NOTHING = new LogRecord();

interface CursorRange {
  from: number;
  to: number;
  skips: ((chunk: Chunk) => boolean) | undefined;
}

export class LogCursor {
  readonly #log: LogReader;
  readonly #from: number;
  readonly #to: number;
  readonly #skips: ((chunk: Chunk) => boolean) | undefined;
  #index: number;
  #reader: ChunkReader | undefined;
  #cursor: ChunkCursor | undefined;
  /** The current record; changes identity from chunk to chunk. */
  record: LogRecord = NOTHING;

  constructor(log: LogReader, { from, to, skips }: CursorRange) {
    this.#log = log;
    this.#from = from;
    this.#to = to;
    this.#skips = skips;
    this.#index = log.firstChunkIndex(from);
  }

  /** The chunk of the current record. */
  get chunk(): Chunk {
    return this.#cursor!.chunk;
  }

  get fileOffset(): number {
    return this.#cursor!.fileOffset;
  }

  /** Moves to the next record; false at the end. There, and where the log cannot be read, the cursor is closed. */
  next(): boolean {
    try {
      return this.#next();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  #next(): boolean {
    for (;;) {
      if (!this.#cursor) {
        const chunk = this.#log.chunks[this.#index];
        if (!chunk || chunk.startPosition >= this.#to) return false;
        this.#index++;
        if (this.#skips?.(chunk)) continue;
        this.#reader = this.#log.newReader(chunk);
        this.#cursor = this.#reader.cursor(Math.max(this.#from - chunk.startPosition, 0));
        this.record = this.#cursor.record;
      }
      if (this.#cursor.next()) {
        if (this.record.position < this.#to) return true;
        this.close();
        return false;
      }
      this.#reader?.close();
      this.#cursor = undefined;
    }
  }

  close(): void {
    this.#reader?.close();
    this.#reader = undefined;
    this.#cursor = undefined;
    this.#index = this.#log.chunks.length;
  }
}

/** The heads of a range of the log, chunk after chunk. */
class LogHeads implements HeadCursor {
  readonly #log: LogReader;
  readonly #source: HeadSource;
  readonly #from: number;
  readonly #to: number;
  #index: number;
  #cursor: ChunkHeadCursor | undefined;
  /** Changes identity from chunk to chunk. */
  record: RecordHead = NOTHING;

  constructor(log: LogReader, source: HeadSource, from: number, to: number) {
    this.#log = log;
    this.#source = source;
    this.#from = from;
    this.#to = to;
    this.#index = log.firstChunkIndex(from);
  }

  next(): boolean {
    for (;;) {
      if (!this.#cursor) {
        const chunk = this.#log.chunks[this.#index];
        if (!chunk || chunk.startPosition >= this.#to) return false;
        this.#index++;
        this.#cursor = this.#source.headsOf(chunk, this.#from);
        this.record = this.#cursor.record;
      }
      if (this.#cursor.next()) {
        if (this.record.position < this.#to) return true;
        this.close();
        return false;
      }
      this.#cursor = undefined;
    }
  }

  close(): void {
    this.#cursor = undefined;
    this.#index = this.#log.chunks.length;
  }
}
