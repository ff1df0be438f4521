/**
 * Distinguishes records whose entry a scavenge may have removed from the index, leaving the record in the log, from
 * those whose entry is missing. A detached scavenge leaves no point in the log. What every scavenge leaves is the end
 * of a stream: it discards the beginning of one that has rules, or all metadata of a deleted one. A gap in a stream is
 * always damage.
 */
import { isFileGone } from '../errors.ts';
import { emptyEntry, type SortedEntries } from '../index/index-entry.ts';
import { hashStream } from '../index/stream-hash.ts';
import type { LogReader } from '../log/log-reader.ts';
import type { LogRecord } from '../records/log-record.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../units/event-number.ts';

const METASTREAM_PREFIX = '$$';
const NOWHERE = -1;

export interface ScavengedEntriesParts {
  log: Pick<LogReader, 'readAt'>;
  /** All entries of the index, in tables and after them. */
  sources: readonly SortedEntries[];
}

export class ScavengedEntries {
  readonly #parts: ScavengedEntriesParts;
  readonly #entry = emptyEntry();

  constructor(parts: ScavengedEntriesParts) {
    this.#parts = parts;
  }

  /** For the record at a position whose entry is in no source. */
  isScavenged(position: number): boolean {
    let record: LogRecord | undefined;
    try {
      record = this.#parts.log.readAt(position);
    } catch (error) {
      if (!isFileGone(error)) throw error;
      return true; // a running scavenge has replaced the chunk since it was walked
    }
    if (record?.kind !== 'prepare') return false;
    const { stream } = record;
    const isMetastream = stream.startsWith(METASTREAM_PREFIX);
    if (isMetastream && this.#isDeleted(stream.slice(METASTREAM_PREFIX.length))) return true;
    // Numbers rise with positions, so the oldest entry that is left tells whether this record is of the beginning.
    const oldest = this.#oldestPosition(stream);
    if (oldest === NOWHERE || oldest < position) return false;
    const hasRules = isMetastream || this.#oldestPosition(METASTREAM_PREFIX + stream) !== NOWHERE;
    return hasRules || this.#isDeleted(stream);
  }

  #isDeleted(stream: string): boolean {
    const { high, low } = hashStream(stream);
    return this.#parts.sources.some((source) => {
      const at = source.firstAtOrBelow(high, low, DELETED_STREAM_EVENT_NUMBER);
      return this.#isOf(source, at, high, low) && this.#entry.number === DELETED_STREAM_EVENT_NUMBER;
    });
  }

  /** Position of the entry with the lowest number. */
  #oldestPosition(stream: string): number {
    const { high, low } = hashStream(stream);
    let oldest = NOWHERE;
    let lowest = Infinity;
    for (const source of this.#parts.sources) {
      const at = source.firstBelow(high, low, 0) - 1;
      if (!this.#isOf(source, at, high, low) || this.#entry.number >= lowest) continue;
      lowest = this.#entry.number;
      oldest = this.#entry.position;
    }
    return oldest;
  }

  #isOf(source: SortedEntries, at: number, high: number, low: number): boolean {
    if (at < 0 || at >= source.count) return false;
    const { hashHigh, hashLow } = source.readEntry(at, this.#entry);
    return hashHigh === high && hashLow === low;
  }
}
