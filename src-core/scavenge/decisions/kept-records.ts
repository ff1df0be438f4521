/**
 * Which records of a chunk stay when it is rewritten: their places, in order, in growing typed arrays. Made by
 * reading the chunk once and judging each record; from it the size of the new file is known before a byte of it
 * is written, and a plan stops here.
 */
import type { JudgedCounts } from './kept-judgements.ts';
import type { KnownDiscards } from './known-discards.ts';
import { giveBack } from '../../codec/give-back.ts';
import { completedFileSize, mapSizeOf } from '../../chunks/chunk-writer.ts';

const FIRST_CAPACITY = 1024;
/** Records are rarely smaller, framed. */
const SMALL_RECORD_BYTES = 128;

export class KeptRecords {
  /** From the start of the chunk; a merged one stands for more than 32 bits can count. */
  logical: Float64Array<ArrayBuffer>;
  /** In the data of the file, which is shorter than 2 GiB. */
  physical: Uint32Array<ArrayBuffer>;
  framedLength: Uint32Array<ArrayBuffer>;
  count = 0;
  /** Framed bytes. */
  keptBytes = 0;
  discardedCount = 0;
  discardedBytes = 0;
  /** Discarded records that only ignoring hard deletes, or a hard delete itself, discards. */
  hardDeletedCount = 0;
  /** Of a plan that counts them: the others, where the chunk is known. */
  discards: KnownDiscards | undefined;

  /** `dataSize`: bytes of the records that are to be judged. A log may have many small chunks. */
  constructor(dataSize: number) {
    const capacity = Math.min(FIRST_CAPACITY, Math.ceil(dataSize / SMALL_RECORD_BYTES) + 1);
    this.logical = new Float64Array(capacity);
    this.physical = new Uint32Array(capacity);
    this.framedLength = new Uint32Array(capacity);
  }

  /** Only the counts, not the places. */
  static counted(counts: JudgedCounts): KeptRecords {
    const kept = new KeptRecords(0);
    kept.count = counts.keptCount;
    kept.keptBytes = counts.keptBytes;
    kept.discardedCount = counts.discardedCount;
    kept.discardedBytes = counts.discardedBytes;
    kept.hardDeletedCount = counts.hardDeletedCount;
    return kept;
  }

  get counts(): JudgedCounts {
    const { count: keptCount, keptBytes, discardedCount, discardedBytes, hardDeletedCount } = this;
    return { keptCount, keptBytes, discardedCount, discardedBytes, hardDeletedCount };
  }

  /** Everything of a chunk: for those who only count what goes. */
  keepAll(count: number, bytes: number): void {
    this.count += count;
    this.keptBytes += bytes;
  }

  /** One of them goes. */
  takeBack(framedLength: number): void {
    this.count--;
    this.keptBytes -= framedLength;
    this.discard(framedLength);
  }

  keep(logical: number, physical: number, framedLength: number): void {
    if (this.count === this.logical.length) this.#grow();
    this.logical[this.count] = logical;
    this.physical[this.count] = physical;
    this.framedLength[this.count] = framedLength;
    this.count++;
    this.keptBytes += framedLength;
  }

  discard(framedLength: number): void {
    this.discardedCount++;
    this.discardedBytes += framedLength;
  }

  /** All are copied: only the counts are asked for any more. */
  giveBackPlaces(): void {
    for (const column of [this.logical, this.physical, this.framedLength]) giveBack(column);
  }

  /** Size of the file that holds just these records. */
  fileSize(formatVersion: number): number {
    return completedFileSize({
      dataSize: this.keptBytes,
      mapSize: mapSizeOf(this.count),
      version: formatVersion
    });
  }

  #grow(): void {
    const { logical, physical, framedLength } = this;
    const capacity = logical.length * 2;
    this.logical = new Float64Array(capacity);
    this.logical.set(logical);
    this.physical = new Uint32Array(capacity);
    this.physical.set(physical);
    this.framedLength = new Uint32Array(capacity);
    this.framedLength.set(framedLength);
    for (const column of [logical, physical, framedLength]) giveBack(column);
  }
}
