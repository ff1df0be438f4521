/**
 * The questions callers ask about streams, answered from the tables, from the entries that only the log holds, and
 * from the log itself: the index knows hashes only, so every entry is checked against the name in its record.
 * Entries whose record is gone are normal and skipped, with one exception: the latest entry of a hash must be
 * readable, or the read fails, as in the server.
 */
import { EngineError, indexCorrupt } from '../errors.ts';
import { INDEX_MAP_NAME } from './index-map.ts';
import { PrepareFlag } from '../records/log-record.ts';
import { EMPTY_METADATA, parseStreamMetadata, type StreamMetadata } from '../records/stream-metadata.ts';
import { DELETED_STREAM_EVENT_NUMBER, LEGACY_DELETED_STREAM_EVENT_NUMBER } from '../units/event-number.ts';
import type { BloomFilter } from './bloom-filter.ts';
import { EntryLookup } from './entry-lookup.ts';
import type { IndexEntry, SortedEntries } from './index-entry.ts';
import { IndexDirectory, type OpenIndex } from './index-directory.ts';
import type { IndexTableReader } from './index-table-reader.ts';
import type { AskedStreams } from './log-entries.ts';
import { readRecentEntries, readRecentEntriesAtOnce, type RecentRange } from './read-recent-entries.ts';
import { RecentEntries } from './recent-entries.ts';
import type { IndexedRecord, RecordLog } from './record-source.ts';
import { hashStream, type StreamHash, type StreamHasher } from './stream-hash.ts';

/** Last event number of a stream that never had an event. */
export const NO_STREAM = -1;
/** The server's default of HashCollisionReadLimit: more colliding entries than this and it gives a stream up. */
const COLLISION_READ_LIMIT = 100;
const TOO_MANY_COLLISIONS = -2147483648;
const METASTREAM_PREFIX = '$$';
const FIXED_METADATA_OF_METASTREAMS: StreamMetadata = { ...EMPTY_METADATA, maxCount: 1n };

export interface StreamIndexParts {
  directory: IndexDirectory;
  recent: RecentEntries;
  log: Pick<RecordLog, 'readAt' | 'readMany'>;
  hasher?: StreamHasher;
  /** Must have caught up with the log: what it does not hold does not exist. */
  existenceFilter?: BloomFilter;
}

export class StreamIndex {
  readonly directory: IndexDirectory;
  /** Entries behind the check points of the map; all entries when the tables cannot be used. */
  readonly recent: RecentEntries;
  readonly hasher: StreamHasher;
  /** By hash alone, over all sources: what a scavenge asks. */
  readonly entries: EntryLookup;
  readonly #log: Pick<RecordLog, 'readAt' | 'readMany'>;
  readonly #existenceFilter: BloomFilter | undefined;

  constructor({ directory, recent, log, hasher, existenceFilter }: StreamIndexParts) {
    this.directory = directory;
    this.recent = recent;
    this.hasher = hasher ?? hashStream;
    this.#log = log;
    this.#existenceFilter = existenceFilter;
    this.entries = new EntryLookup(this.#sources());
  }

  /** The tables in use, newest first; none when the index is damaged. */
  get tables(): readonly IndexTableReader[] {
    return this.directory.isUsable ? this.directory.tables : [];
  }

  hashOf(stream: string): StreamHash {
    return this.hasher(stream);
  }

  /** See IndexDirectory.switchIn; look-ups use the new table from now on. */
  switchIn(old: IndexTableReader, newName: string, id: string): IndexTableReader {
    const table = this.directory.switchIn(old, newName, id);
    this.entries.setSources(this.#sources());
    return table;
  }

  /** Calls `action` for each source of entries, newest first: the log after the index, then the tables. */
  forEachSource(action: (entries: SortedEntries) => void): void {
    for (const entries of this.#sources()) action(entries);
  }

  /**
   * The latest entry of a hash, or the latest below a position. With `isOfStream` the entries are checked against
   * the log as far as needed (for hashes that more than one stream has, or may have); without it the hash alone
   * decides.
   */
  latestEntry(
    hash: StreamHash,
    beforePosition = Number.POSITIVE_INFINITY,
    isOfStream?: (position: number) => boolean
  ): IndexEntry | undefined {
    if (beforePosition === Number.POSITIVE_INFINITY && !isOfStream) return this.entries.latest(hash);
    return this.entries.latestBefore(hash, beforePosition, isOfStream);
  }

  /** The prepare at a position if it exists and is of this stream. A view: valid until the log is read again. */
  recordOf(stream: string, position: number): IndexedRecord | undefined {
    const record = this.#log.readAt(position);
    return record?.kind === 'prepare' && record.stream === stream ? record : undefined;
  }

  /**
   * As `recordOf`, of many at once, in the order of the log. What cannot be read is told as undefined, like what is not there: who
   * must know asks `recordOf`.
   */
  recordsOf(
    wanted: readonly { stream: string; position: number }[],
    found: (index: number, record: IndexedRecord | undefined) => void
  ): void {
    const isOf = (index: number, record: IndexedRecord | undefined): boolean =>
      record?.kind === 'prepare' && record.stream === wanted[index]!.stream;
    this.#log.readMany?.(
      wanted.map(({ position }) => position),
      (index, record) => found(index, isOf(index, record) ? record : undefined),
      (index, error) => {
        if (!isReadFault(error)) throw error;
        found(index, undefined);
      }
    );
  }

  /**
   * Number of the stream's last event; NO_STREAM without one; DELETED_STREAM_EVENT_NUMBER when it, or the stream
   * whose metadata it holds, was deleted for good. Throws IndexCorrupt when the latest entry has no record.
   */
  lastEventNumber(stream: string): number {
    let original = stream;
    while (original.startsWith(METASTREAM_PREFIX)) {
      original = original.slice(METASTREAM_PREFIX.length);
      if (this.#ownLastEventNumber(original) === DELETED_STREAM_EVENT_NUMBER)
        return DELETED_STREAM_EVENT_NUMBER;
    }
    return this.#ownLastEventNumber(stream);
  }

  #ownLastEventNumber(stream: string): number {
    const hash = this.hasher(stream);
    if (this.#existenceFilter && !this.#existenceFilter.mayContain(hash.high, hash.low)) return NO_STREAM;
    const latest = this.entries.latest(hash);
    if (!latest) return NO_STREAM;
    const record = this.#log.readAt(latest.position);
    if (record?.kind !== 'prepare') {
      throw indexCorrupt(
        `The latest index entry of stream "${stream}" (event ${latest.number}) points to position ${latest.position}, where the log has no event.`,
        { position: latest.position }
      );
    }
    let last: number | undefined;
    if (record.stream === stream) last = numberOf(latest, record);
    return this.#lastAmongCollisions(stream, hash, last);
  }

  /** Entries above `last`: there are some only if another stream has the same hash. */
  #lastAmongCollisions(stream: string, hash: StreamHash, last: number | undefined): number {
    const from = last === undefined ? 0 : Math.min(last + 1, DELETED_STREAM_EVENT_NUMBER);
    if (last === DELETED_STREAM_EVENT_NUMBER) return last;
    let best = last;
    let collisions = 0;
    for (const entry of this.entries.range(hash, from, Infinity, COLLISION_READ_LIMIT + 1)) {
      const record = this.recordOf(stream, entry.position);
      if (!record) {
        if (++collisions > COLLISION_READ_LIMIT) return TOO_MANY_COLLISIONS;
        continue;
      }
      const number = numberOf(entry, record);
      if (best !== undefined) return Math.max(best, number);
      best = number;
    }
    return best ?? NO_STREAM;
  }

  /** Metadata in force for the stream: fixed for metastreams, otherwise from the last event of its metastream. */
  metadata(stream: string): StreamMetadata {
    if (stream.startsWith(METASTREAM_PREFIX)) return FIXED_METADATA_OF_METASTREAMS;
    const metastream = METASTREAM_PREFIX + stream;
    const last = this.lastEventNumber(metastream);
    if (last < 0 || last === DELETED_STREAM_EVENT_NUMBER) return EMPTY_METADATA;
    const position = this.firstWritten(metastream, last);
    const record = position === undefined ? undefined : this.recordOf(metastream, position);
    if (!record) throw this.missingEvent(metastream, last);
    if ((record.flags & PrepareFlag.isJson) === 0) return EMPTY_METADATA;
    return parseStreamMetadata(record.data, { recordVersion: record.version });
  }

  /** Position of the event with this number; of several the one that was written first. */
  firstWritten(stream: string, number: number): number | undefined {
    let lowest: number | undefined;
    for (const { position } of this.entries.range(this.hasher(stream), number, number)) {
      if (lowest !== undefined && position > lowest) continue;
      if (this.recordOf(stream, position)) lowest = position;
    }
    return lowest;
  }

  /**
   * IndexCorrupt for the last event of a stream, by number, when no entry leads to its record. In a table that is out of order
   * an entry may be found once and not again: then the error names the table that should have it.
   */
  missingEvent(stream: string, number: number): EngineError {
    const hash = this.hasher(stream);
    const table = this.tables.find((one) => one.mayContain(hash.high, hash.low));
    const latest = this.entries.latest(hash);
    return indexCorrupt(`Event ${number} of stream "${stream}" is in the index but not in the log.`, {
      file: table?.name ?? INDEX_MAP_NAME,
      ...(latest && { position: latest.position })
    });
  }

  close(): void {
    this.directory.close();
  }

  #sources(): SortedEntries[] {
    return [this.recent, ...this.tables];
  }
}

/**
 * In tables from before event numbers had 64 bits a deletion is numbered 2^31-1, and stays so through merges: the
 * record tells.
 */
function numberOf(entry: IndexEntry, record: IndexedRecord): number {
  const isLegacyTombstone = entry.number === LEGACY_DELETED_STREAM_EVENT_NUMBER && record.isTombstone;
  return isLegacyTombstone ? DELETED_STREAM_EVENT_NUMBER : entry.number;
}

export interface OpenStreamIndex extends Omit<OpenIndex, 'logEnd' | 'log' | 'directory'> {
  /** A path, or the directory as it was opened with this log; then it is closed with the index, or when that fails. */
  directory: string | IndexDirectory;
  log: RecordLog;
  /** An index that reaches this position is ahead of the log. Default: where the log ends. */
  chaserCheckpoint?: number;
  hasher?: StreamHasher;
  breathe?: () => Promise<void>;
  /** The records that no table holds are read through this in place of `log`. */
  recentLog?: Pick<RecordLog, 'cursor' | 'heads'>;
  /** Knows the entries of the server's hasher without reading the log; undefined: this time it does not. */
  knownRecent?: ((range: RecentRange) => Promise<RecentEntries | undefined>) | undefined;
}

/**
 * Opens the index directory and reads from the log whatever its tables do not hold; all of it when they cannot be
 * used. `directory.problems` says why they cannot.
 */
export async function openStreamIndex(options: OpenStreamIndex): Promise<StreamIndex> {
  const { log } = options;
  const hasher = options.hasher ?? hashStream;
  const directory =
    typeof options.directory === 'string'
      ? openIndexDirectory({ ...options, directory: options.directory })
      : options.directory;
  try {
    const breathe = options.breathe ? { breathe: options.breathe } : {};
    const range = { ...directory.checkpoints, end: log.end };
    const known = hasher === hashStream ? await options.knownRecent?.(range) : undefined;
    const read = { log: options.recentLog ?? log, ...range, hasher, ...breathe };
    const recent = known ?? (await readRecentEntries(read));
    return new StreamIndex({ directory, recent, log, hasher });
  } catch (error) {
    directory.close();
    throw error;
  }
}

/**
 * The same without a pause. What its tables do not hold may be up to 256 MiB of log: less than a second or two of reading. `only`:
 * of the streams that are asked about; what the log alone knows of others is not kept.
 */
export function openStreamIndexAtOnce(
  options: Pick<OpenStreamIndex, 'log'> & { directory: IndexDirectory; only?: AskedStreams | undefined }
): StreamIndex {
  const { log, directory, only } = options;
  try {
    const range = { ...directory.checkpoints, end: log.end };
    const recent = readRecentEntriesAtOnce({ log, ...range, hasher: hashStream, only });
    return new StreamIndex({ directory, recent, log });
  } catch (error) {
    directory.close();
    throw error;
  }
}

/** The tables alone, for a caller that may not need what they do not hold. */
export function openIndexDirectory({
  fileSystem,
  directory,
  log,
  chaserCheckpoint,
  hasher = hashStream
}: Pick<OpenStreamIndex, 'fileSystem' | 'log' | 'chaserCheckpoint' | 'hasher'> & {
  directory: string;
}): IndexDirectory {
  const logEnd = chaserCheckpoint ?? log.end;
  return IndexDirectory.open({ fileSystem, directory, logEnd, log, hasher });
}

/** True for what a read reports as its result instead of failing as a whole. */
export function isReadFault(error: unknown): error is EngineError {
  return error instanceof EngineError && (error.code === 'IndexCorrupt' || error.code === 'LogCorrupt');
}
