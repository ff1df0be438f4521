/**
 * Goes once over the prepares of a digest, in the order of the log, and stops at those whose number lies below the limit of
 * their stream. What is asked for each record lies one behind the other in memory; limits fit the processor's cache.
 */
import type { SweepCursor } from '../records/record-head.ts';
import { DigestKind, type ChunkDigest } from './chunk-digest.ts';
import { DigestRecord } from './digest-cursor.ts';

export class DigestSweepCursor implements SweepCursor {
  readonly record: DigestRecord;
  readonly streamCount: number;
  readonly #digest: ChunkDigest;
  #next = 0;

  constructor(digest: ChunkDigest) {
    this.#digest = digest;
    this.record = new DigestRecord(digest);
    this.streamCount = digest.streamCount;
  }

  get stream(): number {
    return this.record.streamOrdinal;
  }

  nameStream(ordinal: number): void {
    this.record.moveToStream(ordinal);
  }

  next(limits: Float64Array): boolean {
    const digest = this.#digest;
    const { kinds, streams, numbers } = digest.columns;
    const count = digest.recordCount;
    let place = this.#next;
    while (
      place < count &&
      !(kinds[place]! <= DigestKind.prepareV0 && numbers[place]! < limits[streams[place]!]!)
    ) {
      place++;
    }
    this.#next = place + 1;
    if (place >= count) return false;
    this.record.moveTo(place, digest.positionOf(place), digest.lengthOf(place));
    return true;
  }

  get place(): number {
    return this.#next - 1;
  }

  moveWithinStream(place: number): void {
    const digest = this.#digest;
    this.record.moveWithinStream(place, digest.positionOf(place), digest.lengthOf(place));
  }
}
