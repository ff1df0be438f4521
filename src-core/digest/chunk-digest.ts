/**
 * All that questions need of a completed chunk, in columns: a row for each record, one for each stream and each event
 * type, and the payloads of metadata and links. Some 35 bytes a record instead of all of it, in arrays that are walked
 * without making anything. Immutable.
 *
 * Streams have ordinals in the rising order of their hashes (upper half, lower half, then the bytes of the name), types in
 * that of their first record. `byStream` lists the prepares of each stream in the order of the log.
 */
import { firstAtOrAbove } from '../codec/first-at-or-above.ts';
import { hashStream } from '../index/stream-hash.ts';
import type { AtPosition } from '../units/of-unit.ts';

/** In `kinds`: what a record is, and the version of its format. */
export const DigestKind = { prepare: 0, prepareV0: 1, commit: 2, commitV0: 3, system: 4 } as const;
/** In `streams` and `types` of a record that is no prepare. */
export const NO_ORDINAL = 0xffffffff;

export interface DigestColumns {
  /** Of each record. */
  kinds: Uint8Array;
  /** Flags of a prepare, 0 otherwise. */
  flags: Uint16Array;
  /** Offset in the chunk's data of the framed record. */
  offsets: Uint32Array;
  /** Offset from the chunk's first position; empty unless the chunk was scavenged: then both offsets are the same. */
  logical: Float64Array;
  streams: Uint32Array;
  types: Uint32Array;
  /** Event numbers. */
  numbers: Float64Array;
  timeHigh: Int32Array;
  timeLow: Uint32Array;

  /** Of each stream: its hash, and where its name ends among the names. */
  hashHigh: Uint32Array;
  hashLow: Uint32Array;
  nameEnds: Uint32Array;
  names: Uint8Array;
  /** One more than streams: where the records of each begin in `byStream`. */
  streamStarts: Uint32Array;
  /** Places of prepares. */
  byStream: Uint32Array;

  /** Of each type: where its name ends. */
  typeEnds: Uint32Array;
  typeNames: Uint8Array;

  /** Places of the records that belong to an explicit transaction, commits included; then what else is known of each. */
  inTransaction: Uint32Array;
  transactionPositions: Float64Array;
  transactionOffsets: Int32Array;

  /** Places of records whose data is here, rising, and where it ends. */
  withData: Uint32Array;
  dataEnds: Uint32Array;
  data: Uint8Array;
}

export interface DigestFacts {
  /** Of the chunk: its first position, and the bytes of its records. */
  startPosition: AtPosition;
  dataSize: number;
  /** Every byte was hashed, and the hash was that of the footer. */
  isHashed: boolean;
}

/** A digest as plain values, which cross to another thread. */
export interface DigestImage {
  columns: DigestColumns;
  facts: DigestFacts;
}

const DOLLAR = 0x24;
/** Framed length fields around a payload. */
const FRAME_BYTES = 8;

export class ChunkDigest {
  readonly columns: DigestColumns;
  readonly startPosition: AtPosition;
  readonly dataSize: number;
  readonly isHashed: boolean;
  readonly recordCount: number;
  readonly streamCount: number;
  readonly typeCount: number;
  /** By ordinal, 1: the name starts with `$$`. Asked for each record, where a look at the name would be one at far memory. */
  readonly isMetastream: Uint8Array;
  readonly #names: Buffer;
  readonly #data: Buffer;

  constructor(columns: DigestColumns, facts: DigestFacts) {
    this.columns = columns;
    this.startPosition = facts.startPosition;
    this.dataSize = facts.dataSize;
    this.isHashed = facts.isHashed;
    this.recordCount = columns.kinds.length;
    this.streamCount = columns.hashHigh.length;
    this.typeCount = columns.typeEnds.length;
    this.#names = bufferOver(columns.names);
    this.#data = bufferOver(columns.data);
    this.isMetastream = new Uint8Array(this.streamCount);
    for (let ordinal = 0, start = 0; ordinal < this.streamCount; ordinal++) {
      const end = columns.nameEnds[ordinal]!;
      const { names } = columns;
      if (end - start >= 2 && names[start] === DOLLAR && names[start + 1] === DOLLAR)
        this.isMetastream[ordinal] = 1;
      start = end;
    }
  }

  /** Bytes of memory and, nearly, of the file. */
  get sizeBytes(): number {
    return columnsOf(this).reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  get image(): DigestImage {
    const { columns, startPosition, dataSize, isHashed } = this;
    return { columns, facts: { startPosition, dataSize, isHashed } };
  }

  positionOf(place: number): AtPosition {
    const { logical, offsets } = this.columns;
    return this.startPosition + (logical.length > 0 ? logical[place]! : offsets[place]!);
  }

  /** Payload bytes of a record: records lie one behind the other. */
  lengthOf(place: number): number {
    const { offsets } = this.columns;
    const end = place + 1 < offsets.length ? offsets[place + 1]! : this.dataSize;
    return end - offsets[place]! - FRAME_BYTES;
  }

  streamName(ordinal: number): string {
    return this.#names.toString('utf8', this.nameStart(ordinal), this.columns.nameEnds[ordinal]);
  }

  /** Ordinal of the stream with just this name, -1 when the chunk has no record of it. */
  streamOrdinal(name: string): number {
    const { high, low } = hashStream(name);
    const { hashHigh, hashLow, nameEnds } = this.columns;
    let from = 0;
    let to = this.streamCount;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const isBelow = hashHigh[middle]! < high || (hashHigh[middle] === high && hashLow[middle]! < low);
      if (isBelow) from = middle + 1;
      else to = middle;
    }
    const bytes = Buffer.from(name, 'utf8');
    for (let at = from; hashHigh[at] === high && hashLow[at] === low; at++) {
      if (bytes.compare(this.#names, this.nameStart(at), nameEnds[at]) === 0) return at;
    }
    return -1;
  }

  /** The names of all streams, one behind the other. */
  get names(): Buffer {
    return this.#names;
  }

  nameStart(ordinal: number): number {
    return ordinal === 0 ? 0 : this.columns.nameEnds[ordinal - 1]!;
  }

  /** Where the record stands in `withData`, -1 when its data is not here. */
  dataPlace(place: number): number {
    return placeIn(this.columns.withData, place);
  }

  /** A window over the data at this place in `withData`. */
  dataAt(at: number): Buffer {
    const { dataEnds } = this.columns;
    return this.#data.subarray(at === 0 ? 0 : dataEnds[at - 1]!, dataEnds[at]);
  }

  /** Where the record stands in `inTransaction`, -1 when it belongs to none. */
  transactionPlace(place: number): number {
    return placeIn(this.columns.inTransaction, place);
  }

  /** Times of the prepares, milliseconds since the year 1; Infinity and -Infinity without any. */
  prepareTimes(): { oldest: number; newest: number } {
    const { kinds, timeHigh, timeLow } = this.columns;
    let [oldest, newest] = [Infinity, -Infinity];
    for (let place = 0; place < this.recordCount; place++) {
      if (kinds[place]! > DigestKind.prepareV0) continue;
      const ms = (timeHigh[place]! * 4294967296 + timeLow[place]!) / 10_000;
      if (ms < oldest) oldest = ms;
      if (ms > newest) newest = ms;
    }
    return { oldest, newest };
  }

  /** The first record at or after a position; the count of records when there is none. */
  firstAtOrAfter(position: AtPosition): number {
    let low = 0;
    let high = this.recordCount;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.positionOf(middle) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** All columns, for those who move or store them. */
export function columnsOf({ columns }: ChunkDigest): DigestColumns[keyof DigestColumns][] {
  return Object.values(columns) as DigestColumns[keyof DigestColumns][];
}

function bufferOver(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

function placeIn(rising: Uint32Array, value: number): number {
  const place = firstAtOrAbove(rising, value);
  return rising[place] === value ? place : -1;
}
