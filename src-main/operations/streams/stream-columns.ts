/**
 * Facts about many streams in columns of numbers: the bytes of a name, a few doubles and a byte each, no object. Streams are
 * identified by the order in which they were first seen.
 */
import { isUtf8 } from 'node:buffer';
import { longerColumn, NameOrdinals } from '../../../src-core/index.ts';

const EXPLICIT_TRANSACTION = 1;
const FIRST_CAPACITY = 1024;
/** Of the newest event of a metastream: there is none, or its content is no metadata. */
const NO_METADATA = -1;

export class StreamColumns {
  #names = new NameOrdinals();
  #eventCounts: Float64Array;
  #bytes: Float64Array;
  #firsts: Float64Array;
  #lasts: Float64Array;
  #marks: Uint8Array;
  /** Of metastreams: position of the newest event, if that is metadata. */
  #metadata: Float64Array;

  /** `capacity`: of so many streams, about. */
  constructor(capacity = FIRST_CAPACITY) {
    const room = Math.max(capacity, 1);
    this.#eventCounts = new Float64Array(room);
    this.#bytes = new Float64Array(room);
    this.#firsts = new Float64Array(room).fill(Infinity);
    this.#lasts = new Float64Array(room).fill(-1);
    this.#marks = new Uint8Array(room);
    this.#metadata = new Float64Array(room).fill(NO_METADATA);
  }

  get count(): number {
    return this.#names.count;
  }

  name(at: number): string {
    return this.#names.bytes.toString('utf8', this.#names.startOf(at), this.#names.ends[at]);
  }

  /** Where the UTF-8 bytes of names lie, for those who compare them. */
  get nameBytes(): Buffer {
    return this.#names.bytes;
  }
  nameStart(at: number): number {
    return this.#names.startOf(at);
  }
  nameEnd(at: number): number {
    return this.#names.ends[at]!;
  }

  find(stream: string): number | undefined {
    const bytes = Buffer.from(stream, 'utf8');
    const at = this.#names.find(bytes, 0, bytes.length);
    return at < 0 ? undefined : at;
  }

  /** The stream's index; a new stream gets one. */
  at(stream: string): number {
    const bytes = Buffer.from(stream, 'utf8');
    return this.#atBytes(bytes, 0, bytes.length);
  }

  /** The same by the bytes of a record's stream: those that are not valid UTF-8 are the name that readers see. */
  atBytes(bytes: Buffer, start: number, end: number): number {
    for (let i = start; i < end; i++) {
      if (bytes[i]! < 0x80) continue;
      if (isUtf8(bytes.subarray(start, end))) break;
      return this.at(bytes.toString('utf8', start, end));
    }
    return this.#atBytes(bytes, start, end);
  }

  #atBytes(bytes: Buffer, start: number, end: number): number {
    const at = this.#names.of(bytes, start, end);
    if (at === this.#firsts.length) this.#grow();
    return at;
  }

  add(at: number, events: number, bytes: number): void {
    this.#eventCounts[at]! += events;
    this.#bytes[at]! += bytes;
  }

  /** Notes an event's number; true if it is the highest so far. Of two equal ones the first written counts. */
  addNumber(at: number, number: number): boolean {
    if (number < this.first(at)) this.#firsts[at] = number;
    if (number <= this.last(at)) return false;
    this.#lasts[at] = number;
    return true;
  }

  /** `position`: of the newest event of a metastream; undefined: it is no metadata. */
  setMetadata(at: number, position: number | undefined): void {
    this.#metadata[at] = position ?? NO_METADATA;
  }

  /** Position of the event that holds the metadata. */
  metadata(at: number): number | undefined {
    const position = this.#metadata[at]!;
    return position === NO_METADATA ? undefined : position;
  }

  markExplicitTransaction(at: number): void {
    this.#marks[at] = EXPLICIT_TRANSACTION;
  }

  hasExplicitTransaction(at: number): boolean {
    return this.#marks[at] === EXPLICIT_TRANSACTION;
  }

  eventCount(at: number): number {
    return this.#eventCounts[at] ?? 0;
  }

  bytes(at: number): number {
    return this.#bytes[at] ?? 0;
  }

  /** Lowest number seen, Infinity without one. */
  first(at: number): number {
    return this.#firsts[at] ?? Infinity;
  }

  /** Highest number seen, -1 without one. */
  last(at: number): number {
    return this.#lasts[at] ?? -1;
  }

  #grow(): void {
    const capacity = this.#firsts.length * 2;
    const grown = (old: Float64Array, filling = 0): Float64Array => {
      const larger = longerColumn(old, capacity);
      return filling === 0 ? larger : larger.fill(filling, old.length);
    };
    this.#eventCounts = grown(this.#eventCounts);
    this.#bytes = grown(this.#bytes);
    this.#firsts = grown(this.#firsts, Infinity);
    this.#lasts = grown(this.#lasts, -1);
    this.#metadata = grown(this.#metadata, NO_METADATA);
    this.#marks = longerColumn(this.#marks, capacity);
  }
}
