/**
 * Where the records of a scavenged chunk went: one entry a record, logical offset to physical offset, both
 * ascending. Lies directly behind the last record, unaligned.
 *
 *   12-byte entry: 0 physical offset | 4 logical offset (8 bytes)      8-byte entry: 0 physical | 4 logical
 *
 * Format: docs/format/chunks.md, "Position map".
 */
const HIGH_WORD = 2 ** 32;

export class PositionMap {
  /** As they lie in the file, since most of a map is never asked about. */
  readonly #words: Int32Array;
  readonly #wordsPerEntry: number;
  readonly length: number;

  constructor(words: Int32Array, wordsPerEntry: 2 | 3) {
    this.#words = words;
    this.#wordsPerEntry = wordsPerEntry;
    this.length = Math.floor(words.length / wordsPerEntry);
  }

  /** Logical offset of the entry at an index below `length`. */
  logicalAt(index: number): number {
    const at = index * this.#wordsPerEntry;
    const low = this.#words[at + 1]!;
    return this.#wordsPerEntry === 3 ? (low >>> 0) + this.#words[at + 2]! * HIGH_WORD : low;
  }

  /** Physical offset of the entry at an index below `length`. */
  physicalAt(index: number): number {
    return this.#words[index * this.#wordsPerEntry]!;
  }

  /** Index of the first entry at or after `logicalOffset`; `length` when there is none. */
  indexAtOrAfter(logicalOffset: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.logicalAt(middle) < logicalOffset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Physical offset of the record at exactly `logicalOffset`, or -1. */
  exact(logicalOffset: number): number {
    const index = this.indexAtOrAfter(logicalOffset);
    return index < this.length && this.logicalAt(index) === logicalOffset ? this.physicalAt(index) : -1;
  }

  /** Where the records begin, in order. */
  physicalOffsets(): Int32Array {
    return Int32Array.from({ length: this.length }, (_, i) => this.physicalAt(i));
  }
}

/** A map over these bytes; gives the index of the first entry that breaks the order or leaves the data instead. */
export function decodePositionMap(
  bytes: Uint8Array,
  { isMap12Bytes, physicalDataSize }: { isMap12Bytes: boolean; physicalDataSize: number }
): PositionMap | number {
  const map = new PositionMap(wordsOf(bytes), isMap12Bytes ? 3 : 2);
  let lastLogical = -1;
  let lastPhysical = -1;
  for (let i = 0; i < map.length; i++) {
    const physical = map.physicalAt(i);
    const logical = map.logicalAt(i);
    const isOrdered = physical > lastPhysical && logical > lastLogical;
    if (!isOrdered || physical >= physicalDataSize || logical < physical) return i;
    lastLogical = logical;
    lastPhysical = physical;
  }
  return map;
}

/** The bytes as numbers of four bytes; all systems this runs on have the lowest byte first, as the file does. */
function wordsOf(bytes: Uint8Array): Int32Array {
  const count = Math.floor(bytes.length / 4);
  const isAligned = bytes.byteOffset % 4 === 0;
  return isAligned
    ? new Int32Array(bytes.buffer, bytes.byteOffset, count)
    : new Int32Array(bytes.slice(0, 4 * count).buffer);
}
