/**
 * Tells records that a scavenge may have taken from the index and left in the log from those whose entry is missing.
 * A detached scavenge leaves no point in the log to go by. What every scavenge leaves is the end of a stream: it lets
 * go the beginning of one that has rules, or all metadata of a deleted one. A gap in a stream is always damage.
 */
import { hashStream } from '../index/stream-hash.ts';
import { emptyEntry } from '../index/index-entry.ts';
import type { RecentEntries } from '../index/recent-entries.ts';
import type { LogReader } from '../log/log-reader.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../units/event-number.ts';

const METASTREAM_PREFIX = '$$';

export interface LetGoRecordsParts {
  log: LogReader;
  /** All entries that the log alone gives. */
  all: RecentEntries;
  /** The entry at this place of `all` is in a table, or behind the index. */
  isIndexed: (at: number) => boolean;
}

export class LetGoRecords {
  readonly #parts: LetGoRecordsParts;
  readonly #entry = emptyEntry();
  #group: { high: number; low: number; lowestIndexed: number } | undefined;

  constructor(parts: LetGoRecordsParts) {
    this.#parts = parts;
  }

  /** Of an entry of `all` that is in no table. */
  isLetGo(at: number): boolean {
    const { all, log } = this.#parts;
    const { hashHigh, hashLow, position } = all.readEntry(at, this.#entry);
    const stream = log.readAt(position)?.stream;
    if (stream === undefined) return false;
    const isMetastream = stream.startsWith(METASTREAM_PREFIX);
    if (isMetastream && this.#isDeleted(stream.slice(METASTREAM_PREFIX.length))) return true;
    const lowestIndexed = this.#lowestIndexed(hashHigh, hashLow);
    if (lowestIndexed < 0 || at < lowestIndexed) return false;
    return isMetastream || this.#isDeleted(stream) || this.#hasEvents(METASTREAM_PREFIX + stream);
  }

  /** Place of the indexed entry with the lowest number of a hash, -1 when none of it is indexed. */
  #lowestIndexed(high: number, low: number): number {
    const known = this.#group;
    if (known?.high === high && known.low === low) return known.lowestIndexed;
    const { all, isIndexed } = this.#parts;
    const first = all.firstAtOrBelow(high, low, Number.POSITIVE_INFINITY);
    let at = all.firstBelow(high, low, 0) - 1;
    while (at >= first && !isIndexed(at)) at--;
    const lowestIndexed = at >= first ? at : -1;
    this.#group = { high, low, lowestIndexed };
    return lowestIndexed;
  }

  #isDeleted(stream: string): boolean {
    return this.#newestNumber(stream) === DELETED_STREAM_EVENT_NUMBER;
  }

  #hasEvents(stream: string): boolean {
    return this.#newestNumber(stream) >= 0;
  }

  #newestNumber(stream: string): number {
    const { all } = this.#parts;
    const { high, low } = hashStream(stream);
    const at = all.firstAtOrBelow(high, low, Number.POSITIVE_INFINITY);
    if (at >= all.count) return -1;
    const { hashHigh, hashLow, number } = all.readEntry(at, emptyEntry());
    return hashHigh === high && hashLow === low ? number : -1;
  }
}
