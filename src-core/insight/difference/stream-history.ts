/**
 * What both sides together know of a stream before a position of the log: its last event, whether it was deleted, the
 * metadata in force and the ones before. Asks the indexes; an index that is not whole says nothing and is left out.
 */
import { isReadFault, type StreamIndex } from '../../index/stream-index.ts';
import type { StreamHash } from '../../index/stream-hash.ts';
import type { IndexedRecord } from '../../index/record-source.ts';
import { EMPTY_METADATA, parseStreamMetadata, type StreamMetadata } from '../../records/stream-metadata.ts';
import { isMetastreamName } from '../../scavenge/decisions/stream-handle.ts';
import {
  DELETED_STREAM_EVENT_NUMBER,
  LEGACY_DELETED_STREAM_EVENT_NUMBER,
  eventNumberFromBigInt
} from '../../units/event-number.ts';
import type { StreamAtEnd } from '../explain/stream-at-end.ts';

const METASTREAM_PREFIX = '$$';
const NO_EVENT = -1;
/** Fewer are asked one by one. */
const FEW_STREAMS = 8;
/** More changes of one stream's metadata than this are not looked through. */
const MOST_VERSIONS = 200;

/** One event of a metastream. */
export interface MetadataVersion {
  number: number;
  position: number;
  /** Ticks. */
  time: bigint;
  metadata: StreamMetadata;
}

export interface MetadataVersions {
  /** In the order of the log. */
  versions: MetadataVersion[];
  /** None is gone: their numbers begin at 0 and have no gap. */
  areAll: boolean;
}

export interface StreamHistoryParts {
  /** Of the side whose scavenge is asked about; called when it is first needed. Undefined: it cannot be used. */
  lacking: () => StreamIndex | undefined;
  /** The same, but that it need not know any streams but these. Undefined: there is no quicker way to one. */
  lackingOf?: ((streams: readonly string[]) => StreamIndex | undefined) | undefined;
  /** Of the other side. Called only where the first says nothing: opening it may mean to read its log. */
  holding: () => StreamIndex | undefined;
}

/**
 * `quick`: a stream without any metadata on the side that lacks records is taken to have none. True of every log from which
 * only scavenges removed something, since the newest metadata outlives them; what it does not explain is asked in full.
 */
export type Depth = 'quick' | 'full';

export class StreamHistory {
  readonly #parts: StreamHistoryParts;
  /** The first streams asked about together, and an index of these. */
  #part: { index: StreamIndex; streams: ReadonlySet<string> } | undefined;
  #isFirst = true;
  /** Of the side that lacks records: knows the streams that are being asked about. */
  #lacking: StreamIndex | undefined;

  constructor(parts: StreamHistoryParts) {
    this.#parts = parts;
  }

  get knowsNothing(): boolean {
    return !(this.#part?.index ?? this.#parts.lacking()) && !this.#openHolding();
  }

  #openHolding(): StreamIndex | undefined {
    return this.#parts.holding();
  }

  /**
   * The next question is about these. A log without tables is read for its entries: where one lot of streams is all that is asked,
   * theirs need not be told from those of all others.
   */
  #turnTo(streams: readonly string[]): void {
    if (this.#isFirst && streams.length >= FEW_STREAMS) {
      const index = this.#parts.lackingOf?.(namesFor(streams));
      if (index) this.#part = { index, streams: new Set(streams) };
    }
    if (streams.length >= FEW_STREAMS) this.#isFirst = false;
    const { index, streams: known } = this.#part ?? {};
    const isKnown = known !== undefined && streams.every((stream) => known.has(stream));
    this.#lacking = isKnown ? index : this.#parts.lacking();
  }

  /** The side that lacks records first. */
  *#indexes(): Generator<StreamIndex> {
    if (this.#lacking) yield this.#lacking;
    const holding = this.#openHolding();
    if (holding) yield holding;
  }

  /** The side that lacks records has nothing of the stream at all; false if that is not known. */
  isGone(stream: string): boolean {
    this.#turnTo([stream]);
    const index = this.#lacking;
    return index !== undefined && this.#ask(() => latestOf(index, stream, Infinity) ?? null) === null;
  }

  /** The stream as it was just before a position; Infinity: at the end of the longer log. */
  before(stream: string, position: number): StreamAtEnd {
    return this.manyBefore([stream], position, 'full')[0]!;
  }

  /** The same of many streams, looked up in the order of their hashes, as the tables have them. */
  manyBefore(streams: readonly string[], position: number, depth: Depth): StreamAtEnd[] {
    this.#turnTo(streams);
    const originals = streams.map(originalOf);
    const lasts = this.#lasts(originals, position);
    const living = streams.filter(
      (stream, i) => stream !== originals[i] && lasts.get(originals[i]!) !== DELETED_STREAM_EVENT_NUMBER
    );
    for (const [name, last] of this.#lasts(living, position)) lasts.set(name, last);
    const ruled = streams.filter(
      (stream) => !isMetastreamName(stream) && lasts.get(stream) !== DELETED_STREAM_EVENT_NUMBER
    );
    const metadata = this.#metadataOf(
      ruled.map((stream) => METASTREAM_PREFIX + stream),
      position,
      depth
    );
    return streams.map((stream, i) => {
      const isDeleted = lasts.get(originals[i]!) === DELETED_STREAM_EVENT_NUMBER;
      const own = isDeleted ? undefined : metadata.get(METASTREAM_PREFIX + stream);
      return {
        stream,
        last: isDeleted ? DELETED_STREAM_EVENT_NUMBER : lasts.get(stream)!,
        isDeleted,
        isMetastream: isMetastreamName(stream),
        metadata: own ?? null,
        limits: limitsOf(own ?? EMPTY_METADATA)
      };
    });
  }

  #lasts(streams: readonly string[], position: number): Map<string, number> {
    const { found: lasts, rest } = this.#latestOnLacking(streams, position, realNumberOf);
    for (const { name } of this.#inOrder(rest)) lasts.set(name, this.#last(name, position));
    return lasts;
  }

  #metadataOf(metastreams: readonly string[], position: number, depth: Depth): Map<string, StreamMetadata> {
    const read = (_number: number, record: IndexedRecord) => versionOf(record).metadata;
    const { found, rest } = this.#latestOnLacking(metastreams, position, read);
    for (const { name } of this.#inOrder(rest)) {
      const version = this.#metadata(name, position, depth);
      if (version) found.set(name, version.metadata);
    }
    return found;
  }

  /**
   * Of the latest event of each stream that the side which lacks records has before a position: entries in the order of the index,
   * records in that of the log. `rest`: of which it has none, or whose hash another stream has too.
   */
  #latestOnLacking<T>(
    streams: readonly string[],
    position: number,
    read: (number: number, record: IndexedRecord) => T
  ): { found: Map<string, T>; rest: readonly string[] } {
    const index = this.#lacking;
    const found = new Map<string, T>();
    if (!index || streams.length < FEW_STREAMS) return { found, rest: streams };
    const wanted: { stream: string; position: number; number: number }[] = [];
    const rest: string[] = [];
    for (const { name: stream, hash } of this.#inOrder(streams)) {
      const entry = this.#ask(() => index.latestEntry(hash!, position));
      if (entry) wanted.push({ stream, position: entry.position, number: entry.number });
      else rest.push(stream);
    }
    index.recordsOf(wanted, (at, record) => {
      const { stream, number } = wanted[at]!;
      if (record) found.set(stream, read(number, record));
      else rest.push(stream);
    });
    return { found, rest };
  }

  /** Each name once, in the order in which tables have their hashes. */
  #inOrder(names: readonly string[]): { name: string; hash: StreamHash | undefined }[] {
    const index = this.#lacking ?? this.#openHolding();
    const hashed = [...new Set(names)].map((name) => ({ name, hash: index?.hashOf(name) }));
    if (!index || hashed.length < 2) return hashed;
    return hashed.sort(({ hash: a }, { hash: b }) => a!.high - b!.high || a!.low - b!.low);
  }

  /** All versions of a stream's metadata that either side still has. */
  versions(stream: string): MetadataVersions {
    this.#turnTo([stream]);
    const found = new Map<number, MetadataVersion>();
    const metastream = METASTREAM_PREFIX + stream;
    for (const index of this.#indexes()) {
      const asked = this.#ask(() =>
        index.entries.range(index.hashOf(metastream), 0, Infinity, MOST_VERSIONS + 1)
      );
      if (!asked || asked.length > MOST_VERSIONS) return { versions: [], areAll: false };
      for (const { position } of asked) {
        const version = this.#ask(() => {
          const record = index.recordOf(metastream, position);
          return record && versionOf(record);
        });
        if (version) found.set(version.number, version);
      }
    }
    const versions = [...found.values()].sort((a, b) => a.position - b.position);
    return { versions, areAll: versions.every(({ number }, i) => number === i) };
  }

  /**
   * Last events and newest metadata outlive every scavenge, so the side that lacks records knows them as well as the other; it
   * is asked alone unless it has nothing of the stream.
   */
  #last(stream: string, beforePosition: number): number {
    for (const index of this.#indexes()) {
      const found = this.#ask(() => latestOf(index, stream, beforePosition));
      if (found) return found.number;
    }
    return NO_EVENT;
  }

  #metadata(metastream: string, beforePosition: number, depth: Depth): MetadataVersion | undefined {
    if (depth === 'quick' && this.#isUnknownToLacking(metastream)) return undefined;
    for (const index of this.#indexes()) {
      const version = this.#ask(() => {
        const latest = latestOf(index, metastream, beforePosition);
        return latest && versionOf(latest.record);
      });
      if (version) return version;
    }
    return undefined;
  }

  #isUnknownToLacking(stream: string): boolean {
    const index = this.#lacking;
    return index !== undefined && this.#ask(() => index.latestEntry(index.hashOf(stream)) ?? null) === null;
  }

  /** What an index leads to may be damaged or gone: then it does not know. */
  #ask<T>(question: () => T): T | undefined {
    try {
      return question();
    } catch (error) {
      if (!isReadFault(error)) throw error;
      return undefined;
    }
  }
}

/** All names that are looked up to answer for these streams. */
function namesFor(streams: readonly string[]): string[] {
  return streams.flatMap((stream) => [stream, originalOf(stream), METASTREAM_PREFIX + stream]);
}

function originalOf(stream: string): string {
  return isMetastreamName(stream) ? stream.slice(METASTREAM_PREFIX.length) : stream;
}

/** The stream's latest event before a position. The record is a view, valid until the log is read again. */
function latestOf(
  index: StreamIndex,
  stream: string,
  beforePosition: number
): { number: number; record: IndexedRecord } | undefined {
  const hash = index.hashOf(stream);
  let entry = index.latestEntry(hash, beforePosition);
  let record = entry && index.recordOf(stream, entry.position);
  if (entry && !record) {
    // Hardly ever: another stream has the same hash, or the entry's record is gone.
    const isOfStream = (position: number) => index.recordOf(stream, position) !== undefined;
    entry = index.latestEntry(hash, beforePosition, isOfStream);
    record = entry && index.recordOf(stream, entry.position);
  }
  if (!entry || !record) return undefined;
  return { number: realNumberOf(entry.number, record), record };
}

/** A deletion in a table from before event numbers had 64 bits has another number: the record tells. */
function realNumberOf(number: number, record: IndexedRecord): number {
  const isLegacyDeletion = number === LEGACY_DELETED_STREAM_EVENT_NUMBER && record.isTombstone;
  return isLegacyDeletion ? DELETED_STREAM_EVENT_NUMBER : number;
}

/** As the scavenger reads it: whatever its type says, and whether it is marked as JSON or not. */
function versionOf(record: IndexedRecord): MetadataVersion {
  const metadata = parseStreamMetadata(record.data, { recordVersion: record.version });
  return { number: record.eventNumber, position: record.position, time: record.ticks, metadata };
}

/** -1: not set. */
export function limitsOf({ maxAgeSeconds, maxCount, truncateBefore }: StreamMetadata): StreamAtEnd['limits'] {
  const orNotSet = (value: bigint | null) => (value === null ? -1 : eventNumberFromBigInt(value));
  return {
    maxAgeSeconds: orNotSet(maxAgeSeconds),
    maxCount: orNotSet(maxCount),
    truncateBefore: orNotSet(truncateBefore)
  };
}
