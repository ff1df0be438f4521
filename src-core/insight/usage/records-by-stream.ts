/**
 * What judging and counting need of the prepares of a chunk, in the order of their streams. Records of a stream lie far
 * apart: one column after the other is brought into order here, each small enough for the caches of a processor, instead
 * of looking into distant memory several times for every record.
 */
import type { ChunkDigest } from '../../digest/chunk-digest.ts';

export class RecordsByStream {
  /** Place in `byStream` of the first record that is here. */
  readonly first: number;
  readonly places: Uint32Array;
  /** Framed. */
  readonly sizes: Uint32Array;
  readonly flags: Uint16Array;
  readonly types: Uint32Array;
  readonly numbers: Float64Array;
  readonly timeHigh: Int32Array;
  readonly timeLow: Uint32Array;

  /** The streams from `first` on, before `end`. */
  constructor({ columns, recordCount, dataSize }: ChunkDigest, first: number, end: number) {
    const { byStream, streamStarts, offsets } = columns;
    this.first = streamStarts[first]!;
    const places = byStream.subarray(this.first, streamStarts[end]);
    const sizes = new Uint32Array(places.length);
    for (let i = 0; i < places.length; i++) {
      const place = places[i]!;
      sizes[i] = (place + 1 < recordCount ? offsets[place + 1]! : dataSize) - offsets[place]!;
    }
    this.places = places;
    this.sizes = sizes;
    this.flags = inOrder(columns.flags, places, new Uint16Array(places.length));
    this.types = inOrder(columns.types, places, new Uint32Array(places.length));
    this.numbers = inOrder(columns.numbers, places, new Float64Array(places.length));
    this.timeHigh = inOrder(columns.timeHigh, places, new Int32Array(places.length));
    this.timeLow = inOrder(columns.timeLow, places, new Uint32Array(places.length));
  }
}

function inOrder<T extends Uint16Array | Uint32Array | Int32Array | Float64Array>(
  column: T,
  places: Uint32Array,
  into: T
): T {
  for (let i = 0; i < places.length; i++) into[i] = column[places[i]!]!;
  return into;
}
