/**
 * Accumulation for a question that knows nothing yet, from digests and without names: what is met in all chunks is collected, and
 * once it is certain that no two streams share a hash it is taken into account at once. If two do, or it cannot be told, nothing
 * has happened. It comes to the same as what a run does chunk by chunk.
 */
import type { ApartReading, HeadSource } from '../../log/log-reader.ts';
import type { HashedCursor } from '../../records/record-head.ts';
import { chunkNumberOf } from '../../units/log-position.ts';
import { ticksFromHalves } from '../../units/ticks.ts';
import { ChunkWeights, DISCARD_WEIGHT } from '../decisions/chunk-weights.ts';
import { MetadataOrder } from '../decisions/metadata-order.ts';
import { MetadataWarnings } from '../decisions/metadata-warnings.ts';
import { refuseObstacle } from '../find-obstacle.ts';
import { HashedBatch } from '../state/waiting/hashed-batch.ts';
import { WAITING_LIMITS } from '../state/waiting/waiting-limits.ts';
import {
  isUntouched,
  requirePoint,
  tellOfChunk,
  type AccumulationParts,
  type ChunkRange
} from './accumulation-parts.ts';

/** "$$" */
const METASTREAM_PREFIX_BYTES = 2;
/** Of the work on a chunk, what is reading it; the rest is what is found of all of them at the end. */
const READING_PART = 0.5;

export class ApartAccumulation {
  readonly #parts: AccumulationParts;
  readonly #heads: HeadSource;
  readonly #reading: ApartReading;
  /** Behind the last record that counts. */
  readonly #end: number;
  readonly #batch: HashedBatch;
  readonly #weights = new ChunkWeights();
  readonly #warnings = new MetadataWarnings();
  #times: { chunk: number; min: bigint; max: bigint }[] = [];

  /** `heads`: those of the log. */
  constructor(parts: AccumulationParts, { heads, end }: { heads: HeadSource; end: number }) {
    const { log, entries, state, control, keepMetadataFrom: keepFrom, waiting = WAITING_LIMITS } = parts;
    this.#parts = parts;
    this.#heads = heads;
    this.#end = end;
    this.#reading = heads.readApart(log.chunks.filter(({ startPosition }) => startPosition < end));
    const addWeight = (position: number) => {
      this.#weights.add(chunkNumberOf(position, log.chunkSizeBytes), DISCARD_WEIGHT);
    };
    const order = new MetadataOrder({ entries, addWeight, keepFrom });
    this.#batch = new HashedBatch({
      ...{ entries, order, state, control, warnings: this.#warnings, addWeight },
      most: waiting.hashed,
      isUntouched: isUntouched(log)
    });
  }

  /** False: streams may share a hash, and the state is as it was. */
  async run(ranges: readonly ChunkRange[]): Promise<boolean> {
    const { requireRoom, trace, control, outcome } = this.#parts;
    for (const [i, range] of ranges.entries()) {
      requireRoom?.();
      trace?.entry?.({ kind: 'accumulateChunk', chunk: range.number });
      if (!(await this.#read(range))) return false;
      control.within((i + 1) * READING_PART);
      const isLast = i === ranges.length - 1;
      if (!isLast && !this.#batch.isFull) continue;
      if (!(await this.#settle(range.number, (part) => control.within((i + 1) * part)))) return false;
    }
    for (const range of ranges) tellOfChunk(this.#parts, range);
    control.advance(ranges.length);
    this.#warnings.addTo(outcome);
    return true;
  }

  /** False: nothing can be told. */
  async #read(range: ChunkRange): Promise<boolean> {
    const { number, from, to, chunk } = range;
    let lastPosition = -1;
    if (chunk) {
      const cursor = this.#reading.notableOf(chunk, from, to);
      if (!cursor) return false;
      await this.#collect(cursor);
      this.#noteTimes(number, cursor);
      lastPosition = cursor.lastPosition;
    }
    requirePoint(this.#parts, range, { end: this.#end, lastPosition });
    this.#heads.onPassed();
    return true;
  }

  async #collect(cursor: HashedCursor): Promise<void> {
    const { control, trace } = this.#parts;
    while (cursor.next()) {
      const { record } = cursor;
      if (trace?.accumulatingMetadataOf && !record.isTombstone) {
        trace.accumulatingMetadataOf(record.stream.slice(METASTREAM_PREFIX_BYTES));
        control.throwIfStopped();
      }
      refuseObstacle(record);
      this.#batch.add(cursor);
      if (control.isDue()) await control.rest();
    }
  }

  #noteTimes(chunk: number, { prepares }: HashedCursor): void {
    if (!prepares) return;
    const { minHigh, minLow, maxHigh, maxLow } = prepares;
    this.#times.push({ chunk, min: ticksFromHalves(minHigh, minLow), max: ticksFromHalves(maxHigh, maxLow) });
  }

  /** `onPart`: how far the work on all chunks so far has come, from 0 to 1. */
  async #settle(doneChunk: number, onPart: (part: number) => void): Promise<boolean> {
    if (!(await this.#reading.areApart())) return false;
    const { state, point } = this.#parts;
    state.begin();
    try {
      for (const { chunk, min, max } of this.#times) state.timeRanges.put(chunk, min, max);
      await this.#batch.settle((part) => {
        onPart(READING_PART + part * (1 - READING_PART));
      });
      this.#weights.flush(state.weights);
      state.setCheckpoint({ stage: 'accumulating', scavengePoint: point, doneChunk });
      state.commit();
    } catch (error) {
      state.rollback();
      this.#weights.forget();
      throw error;
    }
    this.#times = [];
    return true;
  }
}
