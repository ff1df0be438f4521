/** Digests of one database on the disk: a file for each chunk. Those of chunks that the database no longer has are removed. */
import { firstAtOrAbove } from '../codec/first-at-or-above.ts';
import type { ByteRoom } from '../storage/byte-room.ts';
import type { DerivedFiles } from '../storage/derived-files.ts';
import type { ChunkDigest } from './chunk-digest.ts';
import {
  decodeDigest,
  digestFileSize,
  digestRecordCount,
  encodeDigest,
  findStreamColumns,
  readUpperHashes
} from './digest-file.ts';
import { digestFileName } from './digest-identity.ts';
import { StoredStreams } from './stored-streams.ts';

const SUFFIX = '.digest';
/** Holds the description of every digest. */
const HEAD_BYTES = 4096;

export class DigestStore {
  readonly #files: DerivedFiles;

  constructor(files: DerivedFiles) {
    this.#files = files;
  }

  /** The stored digest; undefined when there is none, or not the whole of it. With `room` it is good until the next one there. */
  load(identity: string, room?: ByteRoom): ChunkDigest | undefined {
    return this.#files.load(digestFileName(identity), (bytes) => decodeDigest(bytes, identity), room);
  }

  /** Bytes of the file, and nearly of its digest in memory; undefined when there is none. */
  sizeOf(identity: string): number | undefined {
    return this.#files.sizeOf(digestFileName(identity));
  }

  /** There is a digest, as far as its size and description tell. */
  has(identity: string): boolean {
    return this.#files.has(digestFileName(identity), HEAD_BYTES, (head) => digestFileSize(head, identity));
  }

  /** One of this size could be stored. */
  hasRoom(sizeBytes: number): boolean {
    return this.#files.hasRoom(sizeBytes);
  }

  remove(identity: string): void {
    this.#files.remove(digestFileName(identity));
  }

  /** Records of the chunk, as far as the size and description of the digest tell. */
  countOf(identity: string): number | undefined {
    let count: number | undefined;
    const isThere = this.#files.has(digestFileName(identity), HEAD_BYTES, (head) => {
      count = digestRecordCount(head, identity);
      return digestFileSize(head, identity);
    });
    return isThere ? count : undefined;
  }

  /** A stream with this upper half of its hash may be in the chunk; undefined: only the digest tells. */
  mayHold(identity: string, hashHigh: number): boolean | undefined {
    const hashes = this.#files.loadPart(digestFileName(identity), (read) => readUpperHashes(read, identity));
    if (!hashes) return undefined;
    return hashes[firstAtOrAbove(hashes, hashHigh)] === hashHigh;
  }

  /** The streams of a stored digest, so many at once; undefined when there is none. */
  streamsOf(identity: string, most: number): StoredStreams | undefined {
    const name = digestFileName(identity);
    const places = this.#files.loadPart(name, (read) => findStreamColumns(read, identity));
    return places && new StoredStreams(places, most, (find) => this.#files.loadPart(name, find));
  }

  save(digest: ChunkDigest, identity: string): void {
    this.#files.save(digestFileName(identity), () => encodeDigest(digest, identity));
  }

  /** Removes every digest but those of these chunks. */
  keepOnly(identities: Iterable<string>): void {
    const wanted = new Set(Array.from(identities, digestFileName));
    this.#files.keepOnly([SUFFIX], (name) => wanted.has(name));
  }
}
