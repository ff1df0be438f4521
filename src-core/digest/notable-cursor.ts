/**
 * What accumulation acts on in a chunk: the first record of each stream, metadata, tombstones, in the order of the log. All
 * others only count, and are passed without a look at more than their flags.
 */
import { PrepareFlag } from '../records/log-record.ts';
import type { NotableCursor } from '../records/record-head.ts';
import { DigestKind, type ChunkDigest } from './chunk-digest.ts';
import { DigestRecord } from './digest-cursor.ts';

export class DigestNotableCursor implements NotableCursor {
  readonly record: DigestRecord;
  readonly lastPosition: number;
  readonly prepares: NotableCursor['prepares'];
  passed = 0;
  readonly #digest: ChunkDigest;
  readonly #end: number;
  /** Streams whose records were met. */
  readonly #met: Uint8Array;
  #next: number;

  /** Records at or after `from` and below `to`. */
  constructor(digest: ChunkDigest, from: number, to: number) {
    this.#digest = digest;
    this.record = new DigestRecord(digest);
    this.#next = digest.firstAtOrAfter(from);
    this.#end = digest.firstAtOrAfter(to);
    this.#met = new Uint8Array(digest.streamCount);
    this.lastPosition = this.#end > this.#next ? digest.positionOf(this.#end - 1) : -1;
    this.prepares = timesOf(digest, this.#next, this.#end);
  }

  next(): boolean {
    const digest = this.#digest;
    const { kinds, flags, streams } = digest.columns;
    const { isMetastream } = digest;
    const met = this.#met;
    const end = this.#end;
    let passed = 0;
    let place = this.#next;
    for (; place < end; place++) {
      if (kinds[place]! > DigestKind.prepareV0) continue;
      const stream = streams[place]!;
      const isPlain = isMetastream[stream] === 0 && (flags[place]! & PrepareFlag.streamDelete) === 0;
      if (!isPlain || met[stream] === 0) {
        met[stream] = 1;
        break;
      }
      passed++;
    }
    this.passed += passed;
    this.#next = place + 1;
    if (place >= end) return false;
    this.record.moveTo(place, digest.positionOf(place), digest.lengthOf(place));
    return true;
  }
}

/** The earliest and the latest time of prepares; undefined when there are none. */
export function timesOf(digest: ChunkDigest, from: number, to: number): NotableCursor['prepares'] {
  const { kinds, timeHigh, timeLow } = digest.columns;
  let least = -1;
  let most = -1;
  for (let place = from; place < to; place++) {
    if (kinds[place]! > DigestKind.prepareV0) continue;
    if (least < 0) {
      least = place;
      most = place;
    } else if (isEarlier(place, least)) least = place;
    else if (isEarlier(most, place)) most = place;
  }
  if (least < 0) return undefined;
  return {
    minHigh: timeHigh[least]!,
    minLow: timeLow[least]!,
    maxHigh: timeHigh[most]!,
    maxLow: timeLow[most]!
  };

  function isEarlier(a: number, b: number): boolean {
    return timeHigh[a] !== timeHigh[b] ? timeHigh[a]! < timeHigh[b]! : timeLow[a]! < timeLow[b]!;
  }
}
