/**
 * What both sides together know of a stream before a position of the log: its last event, whether it was deleted, the
 * metadata in force and the ones before. Asks the indexes; an index that is not whole says nothing and is left out.
 */
import { isReadFault, type StreamIndex } from '../../index/stream-index.ts';
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
    const isMetastream = isMetastreamName(stream);
    const original = isMetastream ? stream.slice(METASTREAM_PREFIX.length) : stream;
    const isDeleted = this.#last(original, position) === DELETED_STREAM_EVENT_NUMBER;
    const last = isDeleted ? DELETED_STREAM_EVENT_NUMBER : this.#last(stream, position);
    const metadata = isDeleted || isMetastream ? undefined : this.#metadata(stream, position)?.metadata;
    return {
      stream,
      last,
      isDeleted,
      isMetastream,
      metadata: metadata ?? null,
      limits: limitsOf(metadata ?? EMPTY_METADATA)
    };
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
        const version = this.#ask(() => versionAt(index, metastream, position));
        if (version) found.set(version.number, version);
      }
    }
    const versions = [...found.values()].sort((a, b) => a.position - b.position);
    return { versions, areAll: versions.every(({ number }, i) => number === i) };
  }

  #last(stream: string, beforePosition: number): number {
    let last = NO_EVENT;
    for (const index of this.#indexes) {
      const found = this.#ask(() => latestOf(index, stream, beforePosition));
      if (found) last = Math.max(last, found.number);
    }
    return last;
  }

  #metadata(stream: string, beforePosition: number): MetadataVersion | undefined {
    let newest: MetadataVersion | undefined;
    const metastream = METASTREAM_PREFIX + stream;
    for (const index of this.#indexes) {
      const version = this.#ask(() => {
        const latest = latestOf(index, metastream, beforePosition);
        return latest && versionAt(index, metastream, latest.position);
      });
      if (version && version.position > (newest?.position ?? -1)) newest = version;
    }
    return newest;
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

/** The stream's latest event before a position, by number and place. */
function latestOf(
  index: StreamIndex,
  stream: string,
  beforePosition: number
): { number: number; position: number } | undefined {
  const hash = index.hashOf(stream);
  const isOfStream = (position: number) => index.recordOf(stream, position) !== undefined;
  let entry = index.latestEntry(hash, beforePosition);
  // Nearly always the hash is that of one stream only, and its latest entry has a record.
  if (entry && !isOfStream(entry.position)) entry = index.latestEntry(hash, beforePosition, isOfStream);
  if (!entry) return undefined;
  const record = index.recordOf(stream, entry.position);
  const isLegacyDeletion =
    entry.number === LEGACY_DELETED_STREAM_EVENT_NUMBER && record?.isTombstone === true;
  const number = isLegacyDeletion ? DELETED_STREAM_EVENT_NUMBER : entry.number;
  return { number, position: entry.position };
}

function versionAt(index: StreamIndex, metastream: string, position: number): MetadataVersion | undefined {
  const record = index.recordOf(metastream, position);
  if (!record) return undefined;
  // As the scavenger reads it: whatever its type says, and whether it is marked as JSON or not.
  const metadata = parseStreamMetadata(record.data, { recordVersion: record.version });
  return { number: record.eventNumber, position, time: record.ticks, metadata };
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
