/** Metadata records that wait, in columns: there may be tens of thousands, and of nearly all only hashes are needed. */
import { lengthened } from '../../../codec/longer-column.ts';
import type { StreamHash } from '../../../index/stream-hash.ts';
import type { RecordHead } from '../../../records/record-head.ts';
import type { StreamMetadata } from '../../../records/stream-metadata.ts';

const FIRST_CAPACITY = 1024;
const FIRST_NAME_BYTES = 32_768;
/** "$$" */
const PREFIX_BYTES = 2;
const DOLLAR = 0x24;

export class MetadataColumns {
  count = 0;
  metastreamHigh = new Uint32Array(FIRST_CAPACITY);
  metastreamLow = new Uint32Array(FIRST_CAPACITY);
  originalHigh = new Uint32Array(FIRST_CAPACITY);
  originalLow = new Uint32Array(FIRST_CAPACITY);
  position = new Float64Array(FIRST_CAPACITY);
  eventNumber = new Float64Array(FIRST_CAPACITY);
  flags = new Uint32Array(FIRST_CAPACITY);
  /** 1: the first of its stream in the log; nothing can be out of order with it. */
  isFirst = new Uint8Array(FIRST_CAPACITY);
  isInOrder = new Uint8Array(FIRST_CAPACITY);
  readonly metadata: StreamMetadata[] = [];
  /** Names of metastreams one behind the other, and where each begins. */
  #names = Buffer.allocUnsafe(FIRST_NAME_BYTES);
  #start = new Uint32Array(FIRST_CAPACITY + 1);

  add(
    record: RecordHead,
    {
      metastream,
      original,
      metadata,
      isFirst
    }: { metastream: StreamHash; original: StreamHash; metadata: StreamMetadata; isFirst: boolean }
  ): void {
    const at = this.count;
    if (at === this.position.length) this.#grow();
    this.metastreamHigh[at] = metastream.high;
    this.metastreamLow[at] = metastream.low;
    this.originalHigh[at] = original.high;
    this.originalLow[at] = original.low;
    this.position[at] = record.position;
    this.eventNumber[at] = record.eventNumber;
    this.flags[at] = record.flags;
    this.isFirst[at] = isFirst ? 1 : 0;
    this.isInOrder[at] = 1;
    this.metadata.push(metadata);
    const start = this.#start[at]!;
    const end = start + record.streamEnd - record.streamStart;
    if (end > this.#names.length) this.#growNames(start, end);
    record.bytes.copy(this.#names, start, record.streamStart, record.streamEnd);
    this.#start[++this.count] = end;
  }

  clear(): void {
    this.count = 0;
    this.metadata.length = 0;
  }

  metastreamAt(at: number): string {
    return this.#names.toString('utf8', this.#start[at], this.#start[at + 1]);
  }

  originalAt(at: number): string {
    return this.#names.toString('utf8', this.#start[at]! + PREFIX_BYTES, this.#start[at + 1]);
  }

  /** Metadata of a metastream: the name of what it belongs to begins like a metastream's itself. */
  isOfMetastream(at: number): boolean {
    const start = this.#start[at]! + PREFIX_BYTES;
    const end = this.#start[at + 1]!;
    return end - start >= PREFIX_BYTES && this.#names[start] === DOLLAR && this.#names[start + 1] === DOLLAR;
  }

  #grow(): void {
    const length = this.position.length * 2;
    this.metastreamHigh = lengthened(this.metastreamHigh, length);
    this.metastreamLow = lengthened(this.metastreamLow, length);
    this.originalHigh = lengthened(this.originalHigh, length);
    this.originalLow = lengthened(this.originalLow, length);
    this.position = lengthened(this.position, length);
    this.eventNumber = lengthened(this.eventNumber, length);
    this.flags = lengthened(this.flags, length);
    this.isFirst = lengthened(this.isFirst, length);
    this.isInOrder = lengthened(this.isInOrder, length);
    this.#start = lengthened(this.#start, length + 1);
  }

  #growNames(used: number, needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(this.#names.length * 2, needed));
    this.#names.copy(larger, 0, 0, used);
    this.#names = larger;
  }
}
