/**
 * What accumulation acts on in a chunk of a log whose streams are known to be apart: metadata and tombstones only, in the order
 * of the log. Where they are is told by the streams, one after the other, so records of other streams are not looked at.
 */
import { PrepareFlag } from '../records/log-record.ts';
import type { NotableCursor } from '../records/record-head.ts';
import { DigestKind, type ChunkDigest } from './chunk-digest.ts';
import { DigestRecord } from './digest-cursor.ts';
import { timesOf } from './notable-cursor.ts';

export class ApartNotableCursor implements NotableCursor {
  readonly record: DigestRecord;
  readonly lastPosition: number;
  readonly prepares: NotableCursor['prepares'];
  /** Nobody looks for what would be found among known names. */
  readonly passed = 0;
  isFirst = false;
  readonly #digest: ChunkDigest;
  readonly #end: number;
  /** The range begins with the chunk. */
  readonly #isFromStart: boolean;
  /** By place. */
  readonly #isNotable: Uint8Array;
  /** By ordinal of the stream: a bit, earlier chunks have records of it; then a byte, this one had some already. */
  readonly #metBefore: Uint8Array;
  readonly #met: Uint8Array;
  #next: number;

  /** Records at or after `from` and below `to`. */
  constructor(
    digest: ChunkDigest,
    { from, to, metBefore }: { from: number; to: number; metBefore: Uint8Array }
  ) {
    this.#digest = digest;
    this.record = new DigestRecord(digest);
    this.#next = digest.firstAtOrAfter(from);
    this.#isFromStart = this.#next === 0;
    this.#end = digest.firstAtOrAfter(to);
    this.#isNotable = notableIn(digest);
    this.#metBefore = metBefore;
    this.#met = new Uint8Array(digest.streamCount);
    this.lastPosition = this.#end > this.#next ? digest.positionOf(this.#end - 1) : -1;
    this.prepares = timesOf(digest, this.#next, this.#end);
  }

  next(): boolean {
    const place = this.#isNotable.indexOf(1, this.#next);
    if (place < 0 || place >= this.#end) {
      this.#next = this.#end;
      return false;
    }
    const digest = this.#digest;
    const stream = digest.columns.streams[place]!;
    this.isFirst = this.#isFromStart && this.#met[stream] === 0 && !hasBit(this.#metBefore, stream);
    this.#met[stream] = 1;
    this.#next = place + 1;
    this.record.moveTo(place, digest.positionOf(place), digest.lengthOf(place));
    return true;
  }
}

/** By place, 1: a prepare of a metastream, or a tombstone. */
function notableIn({ columns, isMetastream, recordCount, streamCount }: ChunkDigest): Uint8Array {
  const { kinds, flags, streamStarts, byStream } = columns;
  const notable = new Uint8Array(recordCount);
  for (let ordinal = 0; ordinal < streamCount; ordinal++) {
    if (isMetastream[ordinal] === 0) continue;
    const end = streamStarts[ordinal + 1]!;
    for (let i = streamStarts[ordinal]!; i < end; i++) notable[byStream[i]!] = 1;
  }
  for (let place = 0; place < recordCount; place++) {
    if ((flags[place]! & PrepareFlag.streamDelete) !== 0 && kinds[place]! <= DigestKind.prepareV0)
      notable[place] = 1;
  }
  return notable;
}

function hasBit(bits: Uint8Array, at: number): boolean {
  return (bits[at >>> 3]! & (1 << (at & 7))) !== 0;
}
