/**
 * A walk over the records of the log that never skips a hole silently: a chunk that is missing between
 * two others, or at the end, is an error where the walk reaches it. Positions need not be those of
 * records: the walk begins with the first record at or after `from`.
 */
import type { Chunk, Database, LogCursor, LogRecord } from '../../../src-core/index.ts';

export interface WalkRange {
  from?: number | undefined;
  /** Exclusive. */
  to?: number | undefined;
  /** Chunks that hold nothing of what is wanted; a hole between them is an error all the same. */
  skips?: ((chunk: Chunk) => boolean) | undefined;
}

/** For those who go through the chunks themselves: a hole before the end of the log is an error. */
export function requireNoHole(database: Database): void {
  const { log } = database;
  for (let position = 0; position < log.end;) {
    const chunk = log.chunkAt(position);
    if (!chunk) {
      database.requireWhole();
      return; // the server would not treat this as damage
    }
    position = chunk.endPosition;
  }
}

export class LogWalk {
  readonly from: number;
  readonly to: number;
  readonly #database: Database;
  readonly #cursor: LogCursor;
  #chunk: Chunk | undefined;
  /** Every position below is covered by chunks seen so far. */
  #coveredTo: number;

  constructor(database: Database, range: WalkRange = {}) {
    const { log } = database;
    this.#database = database;
    this.from = Math.min(range.from ?? 0, log.end);
    this.to = Math.min(range.to ?? log.end, log.end);
    const first = log.chunkAt(this.from);
    // In a chunk that was never scavenged only a walk from its start finds where records begin.
    const start = first && !first.isScavenged ? first.startPosition : this.from;
    this.#coveredTo = start;
    this.#cursor = log.cursor(start, this.to, range.skips);
  }

  get record(): LogRecord {
    return this.#cursor.record;
  }

  get chunk(): Chunk {
    return this.#cursor.chunk;
  }

  get fileOffset(): number {
    return this.#cursor.fileOffset;
  }

  next(): boolean {
    while (this.#cursor.next()) {
      const { chunk } = this.#cursor;
      if (chunk !== this.#chunk) this.#enter(chunk);
      if (this.#cursor.record.position >= this.from) return true;
    }
    if (this.from < this.to) this.#cover(this.to);
    return false;
  }

  close(): void {
    this.#cursor.close();
  }

  /** Chunks without records are legal and give no record: whatever chunk exists counts as covered. */
  #enter(chunk: Chunk): void {
    this.#cover(chunk.startPosition);
    this.#chunk = chunk;
    this.#coveredTo = chunk.endPosition;
  }

  #cover(position: number): void {
    while (this.#coveredTo < position) {
      const chunk = this.#database.log.chunkAt(this.#coveredTo);
      if (!chunk) {
        this.#database.requireWhole();
        return; // the server would not treat this as damage
      }
      this.#coveredTo = chunk.endPosition;
    }
  }
}
