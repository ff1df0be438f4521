/**
 * What accumulation acts on in a chunk of a log whose streams are told apart by their hashes: metadata and tombstones, in the order
 * of the log, each with the hash of what it is about.
 */
import { firstAtOrAbove } from '../codec/first-at-or-above.ts';
import { takeTouched } from '../codec/touched.ts';
import type { StreamHash } from '../index/stream-hash.ts';
import { PrepareFlag } from '../records/log-record.ts';
import type { HashedCursor } from '../records/record-head.ts';
import { DigestKind, type ChunkDigest } from './chunk-digest.ts';
import { DigestRecord } from './digest-cursor.ts';
import type { ImpliedOfChunk, ImpliedStreams } from './implied-streams.ts';
import { timesOf } from './notable-cursor.ts';

/** Places whose far columns are brought near at once. */
const BLOCK = 256;

export interface ApartCursorParts {
  digest: ChunkDigest;
  implied: ImpliedOfChunk;
  /** Of the implied. */
  hashes: ImpliedStreams;
  /** Records at or after this position, and below the next one. */
  from: number;
  to: number;
}

export class ApartCursor implements HashedCursor {
  readonly record: DigestRecord;
  readonly about: StreamHash = { high: 0, low: 0 };
  readonly lastPosition: number;
  readonly prepares: HashedCursor['prepares'];
  readonly #digest: ChunkDigest;
  readonly #implied: ImpliedOfChunk;
  readonly #hashes: ImpliedStreams;
  readonly #end: number;
  #next: number;
  /** Up to here the columns of streams are near. */
  #near: number;
  readonly #nearRows = new Uint32Array(BLOCK);
  /** Among the deletions. */
  #nextDeletion: number;

  constructor({ digest, implied, hashes, from, to }: ApartCursorParts) {
    this.#digest = digest;
    this.#implied = implied;
    this.#hashes = hashes;
    this.record = new DigestRecord(digest);
    this.#next = digest.firstAtOrAfter(from);
    this.#end = digest.firstAtOrAfter(to);
    this.#near = this.#next;
    this.#nextDeletion = firstAtOrAbove(implied.deletions, this.#next);
    this.lastPosition = this.#end > this.#next ? digest.positionOf(this.#end - 1) : -1;
    this.prepares = timesOf(digest, this.#next, this.#end);
  }

  next(): boolean {
    const digest = this.#digest;
    const { kinds, flags, streams } = digest.columns;
    const { isMetastream } = digest;
    const end = this.#end;
    let place = this.#next;
    let isDeletion = false;
    for (; place < end; place++) {
      if (kinds[place]! > DigestKind.prepareV0) continue;
      isDeletion = (flags[place]! & PrepareFlag.streamDelete) !== 0;
      if (isDeletion || isMetastream[streams[place]!] === 1) break;
    }
    this.#next = place + 1;
    if (place >= end) return false;
    if (place >= this.#near) this.#bringNear(place);
    const { originals, firstDeleted } = this.#implied;
    const row = isDeletion ? firstDeleted + this.#nextDeletion++ : originals[streams[place]!]!;
    this.#hashes.readHash(row, this.about);
    this.record.moveTo(place, digest.positionOf(place), digest.lengthOf(place));
    return true;
  }

  /** Streams lie in the order of their hashes, records in that of the log: what is asked of the stream of a record is at far memory. */
  #bringNear(from: number): void {
    const { streams, hashHigh, hashLow, nameEnds, names } = this.#digest.columns;
    const { isMetastream } = this.#digest;
    const { originals } = this.#implied;
    const to = Math.min(from + BLOCK, this.#end);
    const rows = this.#nearRows;
    let count = 0;
    let touched = 0;
    for (let place = from; place < to; place++) {
      const stream = streams[place]!;
      if (isMetastream[stream] !== 1) continue;
      touched ^= hashHigh[stream]! ^ hashLow[stream]! ^ nameEnds[stream]!;
      rows[count++] = originals[stream]!;
    }
    for (let place = from; place < to; place++) {
      const stream = streams[place]!;
      if (isMetastream[stream] === 1) touched ^= names[nameEnds[stream]! - 1]!;
    }
    takeTouched(touched);
    this.#hashes.touch(rows, count);
    this.#near = to;
  }
}
