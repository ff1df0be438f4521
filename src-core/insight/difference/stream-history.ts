/**
 * What both sides together know of a stream before a position of the log: its last event, whether it was deleted, the
 * metadata in force and the ones before. Asks the indexes; an index that is not whole says nothing and is left out.
 */
import { isReadFault, type StreamIndex } from '../../index/stream-index.ts';
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

export class StreamHistory {
  readonly #indexes: readonly StreamIndex[];
  readonly #lacking: StreamIndex | undefined;

  /** `lacking`: of the side whose scavenge is asked about. */
  constructor({ lacking, holding }: { lacking: StreamIndex | undefined; holding: StreamIndex | undefined }) {
    this.#lacking = lacking;
    this.#indexes = [lacking, holding].filter((index) => index !== undefined);
  }

  get knowsNothing(): boolean {
    return this.#indexes.length === 0;
  }

  /** The side that lacks records has nothing of the stream at all; false if that is not known. */
  isGone(stream: string): boolean {
    const index = this.#lacking;
    return index !== undefined && this.#ask(() => latestOf(index, stream, Infinity) ?? null) === null;
  }

  /** The stream as it was just before a position; Infinity: at the end of the longer log. */
  before(stream: string, position: number): StreamAtEnd {
    return this.manyBefore([stream], position)[0]!;
  }

  /** The same of many streams, looked up in the order of their hashes, as the tables have them. */
  manyBefore(streams: readonly string[], position: number): StreamAtEnd[] {
    const originals = streams.map(originalOf);
    const lasts = this.#inOrder([...streams, ...originals.filter((name, i) => name !== streams[i])], (name) =>
      this.#last(name, position)
    );
    const ruled = streams.filter(
      (stream) => !isMetastreamName(stream) && lasts.get(stream) !== DELETED_STREAM_EVENT_NUMBER
    );
    const metadata = this.#inOrder(
      ruled.map((stream) => METASTREAM_PREFIX + stream),
      (metastream) => this.#metadata(metastream, position)?.metadata
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

  #inOrder<T>(names: readonly string[], question: (name: string) => T): Map<string, T> {
    const [index] = this.#indexes;
    if (!index) return new Map(names.map((name) => [name, question(name)]));
    const hashed = names.map((name) => ({ name, ...index.hashOf(name) }));
    hashed.sort((a, b) => a.high - b.high || a.low - b.low);
    return new Map(hashed.map(({ name }) => [name, question(name)]));
  }

  /** All versions of a stream's metadata that either side still has. */
  versions(stream: string): MetadataVersions {
    const found = new Map<number, MetadataVersion>();
    const metastream = METASTREAM_PREFIX + stream;
    for (const index of this.#indexes) {
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
    for (const index of this.#indexes) {
      const found = this.#ask(() => latestOf(index, stream, beforePosition));
      if (found) return found.number;
    }
    return NO_EVENT;
  }

  #metadata(metastream: string, beforePosition: number): MetadataVersion | undefined {
    for (const index of this.#indexes) {
      const version = this.#ask(() => {
        const latest = latestOf(index, metastream, beforePosition);
        return latest && versionOf(latest.record);
      });
      if (version) return version;
    }
    return undefined;
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
  const isLegacyDeletion = entry.number === LEGACY_DELETED_STREAM_EVENT_NUMBER && record.isTombstone;
  return { number: isLegacyDeletion ? DELETED_STREAM_EVENT_NUMBER : entry.number, record };
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
