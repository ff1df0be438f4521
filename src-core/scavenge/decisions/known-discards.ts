/**
 * The records of a known chunk that are discarded, by their places: to count them, nothing is judged again. They are noted in the
 * order of the log and gone through stream by stream, in the rising order of hashes: what holds for a stream is found out once, and
 * look-ups by hash go forward too.
 */
import type { RecordHead, StreamsCursor, SweepCursor } from '../../records/record-head.ts';
import type { StreamVerdict } from './should-discard.ts';
import type { StreamVerdictColumns } from './stream-verdict-columns.ts';

const FIRST_CAPACITY = 1024;

export class KnownDiscards implements StreamsCursor {
  /** How many streams lose records. */
  streamCount = 0;
  readonly #sweep: SweepCursor;
  readonly #verdicts: StreamVerdictColumns;
  /** Of each record: its place, and its stream. */
  #places = new Uint32Array(FIRST_CAPACITY);
  #streams = new Uint32Array(FIRST_CAPACITY);
  #count = 0;
  /** Of each stream: how many there are; then where the next one of it lies among the places. */
  readonly #counts: Uint32Array;
  #stream = -1;
  #next = 0;
  #end = 0;

  constructor(sweep: SweepCursor, verdicts: StreamVerdictColumns) {
    this.#sweep = sweep;
    this.#verdicts = verdicts;
    this.#counts = new Uint32Array(sweep.streamCount);
  }

  /** The record that the sweep is at. All are added before the first is asked for. */
  add(): void {
    const { place, stream } = this.#sweep;
    if (this.#count === this.#places.length) {
      this.#places = grown(this.#places);
      this.#streams = grown(this.#streams);
    }
    this.#places[this.#count] = place;
    this.#streams[this.#count++] = stream;
    if (this.#counts[stream]!++ === 0) this.streamCount++;
  }

  get record(): RecordHead {
    return this.#sweep.record;
  }

  /** Of the stream. Valid until the next one. */
  get verdict(): StreamVerdict {
    return this.#verdicts.get(this.#stream);
  }

  nextStream(): boolean {
    if (this.#stream < 0) this.#sort();
    const counts = this.#counts;
    let stream = this.#stream + 1;
    // Sorted: the number of a stream is where its records end.
    while (stream < counts.length && counts[stream]! === this.#end) stream++;
    if (stream >= counts.length) return false;
    this.#stream = stream;
    this.#next = this.#end;
    this.#end = counts[stream]!;
    this.#sweep.nameStream(stream);
    return true;
  }

  next(): boolean {
    if (this.#next >= this.#end) return false;
    this.#sweep.moveWithinStream(this.#places[this.#next++]!);
    return true;
  }

  /** By stream, each in the order of the log. */
  #sort(): void {
    const starts = this.#counts;
    let start = 0;
    for (let stream = 0; stream < starts.length; stream++) {
      const count = starts[stream]!;
      starts[stream] = start;
      start += count;
    }
    const sorted = new Uint32Array(this.#count);
    for (let i = 0; i < this.#count; i++) sorted[starts[this.#streams[i]!]!++] = this.#places[i]!;
    this.#places = sorted;
  }
}

function grown(column: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(column.length * 2);
  larger.set(column);
  return larger;
}
