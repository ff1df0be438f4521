/**
 * What is counted of each pair of a stream and an event type within one chunk: a row of numbers in one growing
 * array, so that counting a record is a few additions. The order of the columns is also that of the stored rows.
 */

/** Places in a row. */
export const Column = {
  records: 0,
  /** Records that have an event number, and so an entry in the index. */
  events: 1,
  bytes: 2,
  discardableRecords: 3,
  discardableBytes: 4,
  tombstoneBytes: 5,
  /** Lowest and highest number of a self-committed event; -1 without one. */
  firstNumber: 6,
  lastNumber: 7,
  /** Of the event with the highest number. */
  lastBytes: 8,
  lastMs: 9,
  /** Earliest and latest time of a record, in milliseconds since the year 1. */
  minMs: 10,
  maxMs: 11,
  /** The verdict that was gone by. */
  flags: 12,
  discardPoint: 13,
  maybeDiscardPoint: 14,
  cutoffHigh: 15,
  cutoffLow: 16,
  /** -1: none. */
  maxAgeSeconds: 17
} as const;
export const COLUMN_COUNT = 18;

/** Bits of the flags column. */
export const PairFlag = {
  known: 1,
  tombstoned: 2,
  metastream: 4,
  aged: 8,
  /** Holds records whose fate does not follow from a number of their own. */
  unnumbered: 16,
  /** Holds links. */
  links: 32
} as const;
/** Those bits that say what is known of the stream. */
export const VERDICT_FLAGS = PairFlag.known | PairFlag.tombstoned | PairFlag.metastream | PairFlag.aged;

const FIRST_ROWS = 256;

export class PairColumns {
  /** Row after row. */
  values = new Float64Array(FIRST_ROWS * COLUMN_COUNT);
  streams = new Uint32Array(FIRST_ROWS);
  types = new Uint32Array(FIRST_ROWS);
  count = 0;
  /** Of each stream: its newest pair plus one, and of each pair the one before it. Streams have few types. */
  #newest = new Uint32Array(FIRST_ROWS);
  #earlier = new Uint32Array(FIRST_ROWS);

  /** Number of the pair, -1 for one that was not added yet. */
  find(stream: number, type: number): number {
    if (stream >= this.#newest.length) return -1;
    let pair = this.#newest[stream]! - 1;
    while (pair >= 0 && this.types[pair] !== type) pair = this.#earlier[pair]! - 1;
    return pair;
  }

  /** A new pair, all of whose numbers are 0. */
  add(stream: number, type: number): number {
    const pair = this.count;
    if (pair === this.streams.length) this.#growPairs();
    if (stream >= this.#newest.length) {
      this.#newest = grown(this.#newest, Math.max(stream + 1, this.#newest.length * 2));
    }
    this.streams[pair] = stream;
    this.types[pair] = type;
    this.#earlier[pair] = this.#newest[stream]!;
    this.#newest[stream] = pair + 1;
    this.count++;
    return pair;
  }

  #growPairs(): void {
    const capacity = this.streams.length * 2;
    this.streams = grown(this.streams, capacity);
    this.types = grown(this.types, capacity);
    this.#earlier = grown(this.#earlier, capacity);
    const values = new Float64Array(capacity * COLUMN_COUNT);
    values.set(this.values);
    this.values = values;
  }
}

function grown(old: Uint32Array<ArrayBuffer>, capacity: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(capacity);
  larger.set(old);
  return larger;
}
