/**
 * The record at a position, for questions that ask for many all over the log: of a chunk that is asked often the digest tells, where
 * it is there, in place of a read of the file for each record. Of any other the log is read, so that one question is as cheap as ever.
 * `data` is there for metadata and links only.
 */
import type { Chunk } from '../chunks/chunk.ts';
import type { IndexedRecord } from '../index/record-source.ts';
import type { LogReader } from '../log/log-reader.ts';
import type { AtPosition } from '../units/of-unit.ts';
import type { ChunkDigest } from './chunk-digest.ts';
import type { ChunkDigests } from './chunk-digests.ts';
import { DigestRecord } from './digest-cursor.ts';

/** So many reads of records take as long as loading the digest of a chunk: a few, and one for each so many bytes of its records. */
const FEW_READS = 8;
const BYTES_OF_READ = 512 * 1024;
/** Of digests that one question holds. */
const MOST_BYTES = 128 * 1024 * 1024;

interface Known {
  digest: ChunkDigest;
  record: DigestRecord;
}

export interface DigestRecordsParts {
  log: LogReader;
  digests: ChunkDigests;
  mostBytes?: number;
}

export class DigestRecords {
  readonly #parts: DigestRecordsParts;
  readonly #known = new Map<Chunk, Known | undefined>();
  readonly #reads = new Map<Chunk, number>();
  #bytesLeft: number;

  constructor(parts: DigestRecordsParts) {
    this.#parts = parts;
    this.#bytesLeft = parts.mostBytes ?? MOST_BYTES;
  }

  /** As the log's `readAt`, a view that is valid until the next. Throws LogCorrupt where that does. */
  readAt(position: AtPosition): IndexedRecord | undefined {
    const { log } = this.#parts;
    if (position < 0 || position >= log.end) return undefined;
    const chunk = log.chunkAt(position);
    const known = chunk && this.#of(chunk);
    if (!known) return log.readAt(position);
    const { digest, record } = known;
    const place = digest.firstAtOrAfter(position);
    // Whether that is a record which was scavenged, or damage, only the log tells.
    if (place === digest.recordCount || digest.positionOf(place) !== position) return log.readAt(position);
    record.moveTo(place, position, digest.lengthOf(place));
    return record;
  }

  #of(chunk: Chunk): Known | undefined {
    if (this.#known.has(chunk)) return this.#known.get(chunk);
    const reads = (this.#reads.get(chunk) ?? 0) + 1;
    this.#reads.set(chunk, reads);
    if (reads <= FEW_READS + chunk.dataSize / BYTES_OF_READ) return undefined;
    const digest = this.#bytesLeft > 0 ? this.#parts.digests.known(chunk) : undefined;
    this.#bytesLeft -= digest?.sizeBytes ?? 0;
    const known = digest && { digest, record: new DigestRecord(digest) };
    this.#known.set(chunk, known);
    return known;
  }
}
