/**
 * Facts about many streams in columns of numbers: a name, a few doubles and a byte each, no object. Streams are
 * identified by the order in which they were first seen.
 */
import type { StreamMetadata } from '../../../src-core/index.ts';

const EXPLICIT_TRANSACTION = 1;
const FIRST_CAPACITY = 1024;
/** A Map holds at most 2^24 names; above that several share the work. */
const NAMES_PER_MAP = 2 ** 23;

export class StreamColumns {
  readonly #names: string[] = [];
  readonly #maps: Map<string, number>[] = [new Map<string, number>()];
  #eventCounts = new Float64Array(FIRST_CAPACITY);
  #bytes = new Float64Array(FIRST_CAPACITY);
  #firsts = new Float64Array(FIRST_CAPACITY);
  #lasts = new Float64Array(FIRST_CAPACITY);
  #marks = new Uint8Array(FIRST_CAPACITY);
  /** For metastreams: the content of their newest event. */
  readonly #metadata = new Map<number, StreamMetadata>();

  get count(): number {
    return this.#names.length;
  }

  name(at: number): string {
    return this.#names[at] ?? '';
  }

  find(stream: string): number | undefined {
    for (const map of this.#maps) {
      const at = map.get(stream);
      if (at !== undefined) return at;
    }
    return undefined;
  }

  /** The stream's index; a new stream gets one. */
  at(stream: string): number {
    const known = this.find(stream);
    if (known !== undefined) return known;
    const at = this.#names.length;
    if (at === this.#firsts.length) this.#grow();
    this.#names.push(stream);
    this.#firsts[at] = Infinity;
    this.#lasts[at] = -1;
    let map = this.#maps.at(-1);
    if (!map || map.size >= NAMES_PER_MAP) {
      map = new Map<string, number>();
      this.#maps.push(map);
    }
    map.set(stream, at);
    return at;
  }

  add(at: number, events: number, bytes: number): void {
    this.#eventCounts[at] = this.eventCount(at) + events;
    this.#bytes[at] = this.bytes(at) + bytes;
  }

  /** Notes an event's number; true if it is the highest so far. Of two equal ones the first written counts. */
  addNumber(at: number, number: number): boolean {
    if (number < this.first(at)) this.#firsts[at] = number;
    if (number <= this.last(at)) return false;
    this.#lasts[at] = number;
    return true;
  }

  setMetadata(at: number, metadata: StreamMetadata): void {
    this.#metadata.set(at, metadata);
  }

  metadata(at: number): StreamMetadata | undefined {
    return this.#metadata.get(at);
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
    const grown = (old: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> => {
      const larger = new Float64Array(capacity);
      larger.set(old);
      return larger;
    };
    this.#eventCounts = grown(this.#eventCounts);
    this.#bytes = grown(this.#bytes);
    this.#firsts = grown(this.#firsts);
    this.#lasts = grown(this.#lasts);
    const marks = new Uint8Array(capacity);
    marks.set(this.#marks);
    this.#marks = marks;
  }
}
