/**
 * Records that only one side has, copied until some thousands of them are judged at once: their streams are then looked up
 * in the order of the index, where one read serves many, and the records in the order of the log.
 */
import { LogRecord } from '../../records/log-record.ts';
import type { SideName } from '../../units/difference-terms.ts';
import type { FoundRecord } from './compare-range.ts';

const POOL_BYTES = 16 * 1024 * 1024;
const FIRST_POOL_BYTES = 256 * 1024;
const MOST_RECORDS = 32_768;

interface Pending extends FoundRecord {
  side: SideName;
  record: LogRecord;
  /** Payload in the pool. */
  start: number;
  length: number;
}

export class PendingRecords {
  #pool: Buffer = Buffer.alloc(0);
  #used = 0;
  #pending: Pending[] = [];
  /** Of each of them while it is looked at. */
  readonly #record = new LogRecord();

  /** Copies it. False: there is no room before `take`, or it is too large to be kept. */
  add(side: SideName, found: FoundRecord, record: LogRecord): boolean {
    const { length } = record;
    if (this.#pending.length >= MOST_RECORDS || !this.#makeRoom(length)) return false;
    record.bytes.copy(this.#pool, this.#used, record.start, record.start + length);
    const { position, framedLength, fileName, fileOffset } = found;
    const place = { position, framedLength, fileName, fileOffset };
    this.#pending.push({ side, ...place, start: this.#used, length, record: this.#record });
    this.#used += length;
    return true;
  }

  get isEmpty(): boolean {
    return this.#pending.length === 0;
  }

  /** The records in the order in which they were added; each is a view until the next. Afterwards none is left. */
  take(action: (side: SideName, found: FoundRecord & { record: LogRecord }) => void): void {
    const view = new DataView(this.#pool.buffer, this.#pool.byteOffset, this.#pool.length);
    for (const pending of this.#pending) {
      pending.record.parse(this.#pool, view, pending.start, pending.length); // it was a record when it was added
      action(pending.side, pending);
    }
    this.#pending = [];
    this.#used = 0;
  }

  /** Names of the streams of the records that one side has, each once. */
  streamsOf(side: SideName): Set<string> {
    const streams = new Set<string>();
    const record = new LogRecord();
    const view = new DataView(this.#pool.buffer, this.#pool.byteOffset, this.#pool.length);
    for (const { side: of, start, length } of this.#pending) {
      if (of !== side) continue;
      record.parse(this.#pool, view, start, length);
      if (record.kind === 'prepare') streams.add(record.stream);
    }
    return streams;
  }

  #makeRoom(length: number): boolean {
    const needed = this.#used + length;
    if (needed > POOL_BYTES) return false;
    if (needed > this.#pool.length) {
      const pool = Buffer.allocUnsafe(
        Math.min(POOL_BYTES, Math.max(2 * this.#pool.length, needed, FIRST_POOL_BYTES))
      );
      this.#pool.copy(pool, 0, 0, this.#used);
      this.#pool = pool;
    }
    return true;
  }
}
