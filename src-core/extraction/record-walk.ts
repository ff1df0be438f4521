/**
 * The records of a source in the order of the log, past whatever cannot be read: that is told as a range. A source is a
 * database directory, whose files are read where they are (also those that opening refuses), or a backup that is decoded
 * chunk by chunk. Only reads.
 */
import type { Database } from '../database/database.ts';
import { EngineError } from '../errors.ts';
import type { DifferenceSide, OpenedChunk, SideChunk } from '../insight/difference/difference-side.ts';
import type { LogRecord } from '../records/log-record.ts';
import { SalvageChunk, type SkippedRange } from '../repair/salvage-chunk.ts';
import { SalvageLog } from '../repair/salvage-log.ts';
import type { FileSystem } from '../storage/file-system.ts';

/** Log positions, half-open. */
export interface PositionRange {
  from: number;
  to: number;
}

export interface RecordWalk {
  /** Valid after `next` answered `record`, until the next call. */
  readonly record: LogRecord;
  /** Set when `next` answers `skipped`. */
  readonly skipped: SkippedRange | undefined;
  /** `chunk`: the next chunk has to be fetched first; call `enter`, then go on. */
  next(): 'record' | 'skipped' | 'chunk' | 'end';
  enter(): Promise<void>;
  close(): void;
}

export interface RecordSource {
  /** For messages. */
  readonly description: string;
  readonly chunkSizeBytes: number;
  /** Exclusive: the writer's position. */
  readonly end: number;
  walk(range: PositionRange): RecordWalk;
}

/** `database` need not be whole. */
export function databaseSource(database: Database): RecordSource {
  const { dataDirectory, log } = database;
  return {
    description: dataDirectory,
    chunkSizeBytes: log.chunkSizeBytes,
    end: log.end,
    walk: (range) => new DatabaseWalk(database, range)
  };
}

/** For a backup that cannot be read in place. */
export function sideSource(side: DifferenceSide, fileSystem: FileSystem): RecordSource {
  const { description, chunkSizeBytes, end } = side;
  return { description, chunkSizeBytes, end, walk: (range) => new SideWalk(side, fileSystem, range) };
}

class DatabaseWalk implements RecordWalk {
  readonly #log: SalvageLog;

  constructor(database: Database, range: PositionRange) {
    this.#log = new SalvageLog(database, range);
  }

  get record(): LogRecord {
    return this.#log.record;
  }

  get skipped(): SkippedRange | undefined {
    return this.#log.skipped;
  }

  next(): 'record' | 'skipped' | 'end' {
    return this.#log.next();
  }

  async enter(): Promise<void> {}

  close(): void {
    this.#log.close();
  }
}

class SideWalk implements RecordWalk {
  skipped: SkippedRange | undefined;
  readonly #side: DifferenceSide;
  readonly #fileSystem: FileSystem;
  readonly #range: PositionRange;
  #at = 0;
  /** Everything below is walked or told. */
  #coveredTo: number;
  #opened: OpenedChunk | undefined;
  #walk: SalvageChunk | undefined;
  /** A chunk that could not be opened. */
  #refused: SkippedRange | undefined;

  constructor(side: DifferenceSide, fileSystem: FileSystem, range: PositionRange) {
    this.#side = side;
    this.#fileSystem = fileSystem;
    this.#range = range;
    this.#coveredTo = range.from;
  }

  get record(): LogRecord {
    if (!this.#walk) throw new RangeError('The walk stands on no record.');
    return this.#walk.record;
  }

  next(): 'record' | 'skipped' | 'chunk' | 'end' {
    for (;;) {
      const found = this.#walk ? this.#nextInChunk(this.#walk) : this.#nextChunk();
      if (found !== undefined) return found;
    }
  }

  #nextInChunk(walk: SalvageChunk): 'record' | 'skipped' | 'end' | undefined {
    const { from, to } = this.#range;
    switch (walk.next()) {
      case 'end':
        this.#leave();
        return undefined;
      case 'skipped':
        return walk.skipped && this.#skip(walk.skipped) ? 'skipped' : undefined;
      case 'record': {
        const { position } = walk.record;
        if (position >= to) {
          this.close();
          return 'end';
        }
        return position >= from ? 'record' : undefined;
      }
    }
  }

  /** Between two chunks. */
  #nextChunk(): 'skipped' | 'chunk' | 'end' | undefined {
    const refused = this.#refused;
    if (refused) {
      this.#refused = undefined;
      return this.#skip(refused) ? 'skipped' : undefined;
    }
    const { from, to } = this.#range;
    const chunk = this.#side.chunks[this.#at];
    const start = chunk ? this.#startOf(chunk) : to;
    if (start > this.#coveredTo) {
      const missing = { file: this.#nameAt(this.#coveredTo), from: this.#coveredTo, to: Math.min(start, to) };
      this.#coveredTo = start;
      return this.#skip({ ...missing, why: 'this chunk has no file' }) ? 'skipped' : undefined;
    }
    if (!chunk || start >= to) return 'end';
    if (this.#endOf(chunk) > from) return 'chunk';
    this.#leave();
    return undefined;
  }

  async enter(): Promise<void> {
    const chunk = this.#side.chunks[this.#at];
    if (!chunk || this.#walk) return;
    try {
      this.#opened = await this.#side.open(chunk);
      this.#walk = new SalvageChunk({ fileSystem: this.#fileSystem, chunk: this.#opened.chunk });
    } catch (error) {
      const isContent = error instanceof EngineError && UNREADABLE.has(error.code);
      if (!isContent) throw error;
      const [from, to] = [this.#startOf(chunk), Math.min(this.#endOf(chunk), this.#side.end)];
      this.#leave();
      this.#refused = { file: chunk.fileName, from, to, why: error.message };
    }
  }

  close(): void {
    this.#closeChunk();
    this.#at = this.#side.chunks.length;
    this.#coveredTo = this.#range.to;
  }

  #leave(): void {
    const chunk = this.#side.chunks[this.#at];
    if (chunk) this.#coveredTo = Math.max(this.#coveredTo, this.#endOf(chunk));
    this.#closeChunk();
    this.#at++;
  }

  #closeChunk(): void {
    this.#walk?.close();
    this.#opened?.close();
    this.#walk = undefined;
    this.#opened = undefined;
  }

  #startOf({ startNumber }: SideChunk): number {
    return startNumber * this.#side.chunkSizeBytes;
  }

  #endOf({ endNumber }: SideChunk): number {
    return (endNumber + 1) * this.#side.chunkSizeBytes;
  }

  #nameAt(position: number): string {
    return `chunk-${String(Math.floor(position / this.#side.chunkSizeBytes)).padStart(6, '0')}`;
  }

  /** False when nothing of the range was asked for. */
  #skip({ file, from, to, why }: SkippedRange): boolean {
    const first = Math.max(from, this.#range.from);
    const last = Math.min(to, this.#range.to, this.#side.end);
    if (first >= last) return false;
    this.skipped = { file, from: first, to: last, why };
    return true;
  }
}

/** What is wrong is in the chunk, not in the disk or the request. */
const UNREADABLE: ReadonlySet<string> = new Set(['LogCorrupt', 'UnsupportedFormat']);
