/**
 * Where the records of a scavenged chunk went: one entry a record, logical offset to physical offset, both
 * ascending. Lies directly behind the last record, unaligned.
 *
 *   12-byte entry: 0 physical offset | 4 logical offset (8 bytes)      8-byte entry: 0 physical | 4 logical
 *
 * Format: docs/format/chunks.md, "Position map".
 */
import { readInt64 } from '../codec/int64.ts';

export class PositionMap {
  readonly logical: Float64Array;
  readonly physical: Float64Array;

  constructor(logical: Float64Array, physical: Float64Array) {
    this.logical = logical;
    this.physical = physical;
  }

  get length(): number {
    return this.logical.length;
  }

  /** Index of the first entry at or after `logicalOffset`; `length` when there is none. */
  indexAtOrAfter(logicalOffset: number): number {
    let low = 0;
    let high = this.logical.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.logical[middle]! < logicalOffset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Physical offset of the record at exactly `logicalOffset`, or -1. */
  exact(logicalOffset: number): number {
    const index = this.indexAtOrAfter(logicalOffset);
    return this.logical[index] === logicalOffset ? this.physical[index]! : -1;
  }
}

/** Decodes a map; gives the index of the first entry that breaks the order or leaves the data instead. */
export function decodePositionMap(
  bytes: Uint8Array,
  { isMap12Bytes, physicalDataSize }: { isMap12Bytes: boolean; physicalDataSize: number }
): PositionMap | number {
  const entryLength = isMap12Bytes ? 12 : 8;
  const count = bytes.length / entryLength;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const logical = new Float64Array(count);
  const physical = new Float64Array(count);
  let lastLogical = -1;
  let lastPhysical = -1;
  for (let i = 0; i < count; i++) {
    const at = i * entryLength;
    const physicalOffset = view.getInt32(at, true);
    const logicalOffset = isMap12Bytes ? readInt64(view, at + 4) : view.getInt32(at + 4, true);
    const isOrdered = physicalOffset > lastPhysical && logicalOffset > lastLogical;
    if (!isOrdered || physicalOffset >= physicalDataSize || logicalOffset < physicalOffset) return i;
    logical[i] = lastLogical = logicalOffset;
    physical[i] = lastPhysical = physicalOffset;
  }
  return new PositionMap(logical, physical);
}
