/**
 * Reads the chunks that are new since the last scavenge point, up to and including the record of this one, and
 * remembers what decides later: stream metadata, tombstones, colliding hashes, and the times of each chunk.
 * Each chunk is accumulated once, in one transaction with its checkpoint.
 */
import type { HeadCursor, NotableCursor, RecordHead } from '../../records/record-head.ts';
import { chunkNumberOf } from '../../units/log-position.ts';
import { ticksFromHalves } from '../../units/ticks.ts';
import { ChunkWeights, DISCARD_WEIGHT } from '../decisions/chunk-weights.ts';
import { refuseObstacle } from '../find-obstacle.ts';
import { MetadataBatch } from '../state/waiting/metadata-batch.ts';
import { TombstoneBatch } from '../state/waiting/tombstone-batch.ts';
import { MetadataOrder } from '../decisions/metadata-order.ts';
import { MetadataWarnings } from '../decisions/metadata-warnings.ts';
import { WAITING_LIMITS } from '../state/waiting/waiting-limits.ts';
import {
  isUntouched,
  requirePoint,
  tellOfChunk,
  rangesOf,
  type AccumulationParts,
  type ChunkRange
} from './accumulation-parts.ts';
import { ApartAccumulation } from './apart-accumulation.ts';

/** "$$" */
const METASTREAM_PREFIX_BYTES = 2;

/** `doneChunk`: the last logical chunk that was accumulated already, null for none. */
export async function runAccumulation(parts: AccumulationParts, doneChunk: number | null): Promise<void> {
  const { log, control, point, state, outcome } = parts;
  // The record of the point is the last one that counts, so its own chunk is read too.
  const end = parts.isPointInLog ? point.position + 1 : point.position;
  const first = doneChunk === null ? 0 : doneChunk + 1;
  const ranges = rangesOf(log, { first, end });
  const enter = () => control.enter('accumulation', 'chunks', ranges.length);
  enter();
  if (log.knownHeads && needsNoNames(parts, first)) {
    const accumulation = new ApartAccumulation(parts, { heads: log.knownHeads, end });
    if (await accumulation.run(ranges)) {
      outcome.hashUsersCache = undefined;
      return;
    }
    enter();
  }
  control.say(() => `hash users cache: ${state.cacheMisses} misses, ${state.cacheHits} hits`);
  const accumulator = new ChunkAccumulator(parts, { end, isFromStart: first === 0 });
  for (const range of ranges) {
    parts.requireRoom?.();
    await accumulator.accumulate(range);
    control.advance(1);
  }
  state.forgetNames();
  accumulator.warnings.addTo(outcome);
  const { cacheHits: hits, cacheMisses: misses } = state;
  outcome.hashUsersCache = { hits, misses };
  control.log(`SCAVENGING: accumulation had ${hits} hits and ${misses} misses of the hash users cache.`);
}

/** Of a question that knows nothing yet: what it has digests of need not be accumulated name by name. */
function needsNoNames({ state, mayDoWithoutNames }: AccumulationParts, first: number): boolean {
  // Digests have the hashes of the server; a test may force others.
  return (
    first === 0 && mayDoWithoutNames === true && state.hashUsers.isEmpty === true && state.hasServerHashes
  );
}

/** The name of the stream that a metastream belongs to, within the bytes of the metastream's own name. */
class OriginalName {
  #metastream: RecordHead | undefined;

  of(metastream: RecordHead): this {
    this.#metastream = metastream;
    return this;
  }
  get bytes(): Buffer {
    return this.#metastream!.bytes;
  }
  get view(): DataView {
    return this.#metastream!.view;
  }
  get streamStart(): number {
    return this.#metastream!.streamStart + METASTREAM_PREFIX_BYTES;
  }
  get streamEnd(): number {
    return this.#metastream!.streamEnd;
  }
  get stream(): string {
    return this.#metastream!.stream.slice(METASTREAM_PREFIX_BYTES);
  }
}

/** See NotableCursor. */
type RangeRead = Pick<NotableCursor, 'lastPosition' | 'prepares'>;

class ChunkAccumulator {
  readonly #parts: AccumulationParts;
  readonly #end: number;
  readonly warnings = new MetadataWarnings();
  readonly #weights = new ChunkWeights();
  readonly #metadata: MetadataBatch;
  readonly #tombstones: TombstoneBatch;
  /** Nothing was ever removed and all is read from the start, so the first record met of a stream is its first. */
  readonly #isUntouched: boolean;
  readonly #original = new OriginalName();
  readonly #metadataFound = {
    metastream: { high: 0, low: 0 },
    original: { high: 0, low: 0 },
    isFirst: false
  };

  constructor(parts: AccumulationParts, { end, isFromStart }: { end: number; isFromStart: boolean }) {
    this.#parts = parts;
    this.#end = end;
    const { entries, state, control } = parts;
    this.#isUntouched = isFromStart && isUntouched(parts.log);
    const addWeight = (position: number) => this.#addWeight(position);
    const { keepMetadataFrom: keepFrom, waiting = WAITING_LIMITS } = parts;
    const order = new MetadataOrder({ entries, addWeight, keepFrom });
    this.#metadata = new MetadataBatch({ order, state, control, warnings: this.warnings, waiting });
    this.#tombstones = new TombstoneBatch({ entries, state, control, addWeight, waiting });
  }

  /** One logical chunk, in one transaction. */
  async accumulate(range: ChunkRange): Promise<void> {
    const { state, point, trace } = this.#parts;
    trace?.entry?.({ kind: 'accumulateChunk', chunk: range.number });
    state.begin();
    try {
      await this.#readChunk(range);
      await this.#settle();
      this.#weights.flush(state.weights);
      state.setCheckpoint({ stage: 'accumulating', scavengePoint: point, doneChunk: range.number });
      state.commit();
    } catch (error) {
      state.rollback();
      this.#weights.forget();
      this.#metadata.forget();
      this.#tombstones.forget();
      throw error;
    }
    this.#parts.log.knownHeads?.onPassed();
    tellOfChunk(this.#parts, range);
  }

  get #isFull(): boolean {
    return this.#metadata.isFull || this.#tombstones.isFull;
  }

  async #settle(): Promise<void> {
    await this.#metadata.settle();
    await this.#tombstones.settle();
  }

  async #readChunk(range: ChunkRange): Promise<void> {
    const { log, state } = this.#parts;
    const { number, from, to, chunk } = range;
    const { lastPosition, prepares } =
      log.knownHeads && chunk
        ? await this.#takeNotable(log.knownHeads.notableOf(chunk, from, to))
        : await this.#takeAll(log.heads(from, to));
    requirePoint(this.#parts, range, { end: this.#end, lastPosition });
    if (!prepares) return;
    const { minHigh, minLow, maxHigh, maxLow } = prepares;
    state.timeRanges.put(number, ticksFromHalves(minHigh, minLow), ticksFromHalves(maxHigh, maxLow));
  }

  /** What a chunk is known to hold. The records that are passed would be found among the known names. */
  async #takeNotable(cursor: NotableCursor): Promise<RangeRead> {
    const { control, state } = this.#parts;
    while (cursor.next()) {
      this.#accumulate(cursor.record);
      if (this.#isFull) await this.#settle();
      if (control.isDue()) await control.rest();
    }
    state.countKnownNames(cursor.passed);
    return cursor;
  }

  async #takeAll(cursor: HeadCursor): Promise<RangeRead> {
    const { control } = this.#parts;
    const prepares = { minHigh: 0, minLow: 0, maxHigh: 0, maxLow: 0 };
    let hasPrepares = false;
    let lastPosition = -1;
    try {
      while (cursor.next()) {
        const { record } = cursor;
        lastPosition = record.position;
        if (record.kind === 'prepare') {
          const { timeHigh: high, timeLow: low } = record;
          const { minHigh, maxHigh } = prepares;
          if (!hasPrepares || high < minHigh || (high === minHigh && low < prepares.minLow)) {
            prepares.minHigh = high;
            prepares.minLow = low;
          }
          if (!hasPrepares || high > maxHigh || (high === maxHigh && low > prepares.maxLow)) {
            prepares.maxHigh = high;
            prepares.maxLow = low;
          }
          hasPrepares = true;
          this.#accumulate(record);
          if (this.#isFull) await this.#settle();
        }
        if (control.isDue()) await control.rest();
      }
    } finally {
      cursor.close();
    }
    return { lastPosition, prepares: hasPrepares ? prepares : undefined };
  }

  #accumulate(record: RecordHead): void {
    if (record.isTombstone) this.#accumulateTombstone(record);
    else if (record.isMetastream) this.#accumulateMetadata(record);
    else this.#parts.state.detectCollisionOf(record);
  }

  #accumulateMetadata(record: RecordHead): void {
    const { state, trace, control } = this.#parts;
    if (trace?.accumulatingMetadataOf) {
      trace.accumulatingMetadataOf(record.stream.slice(METASTREAM_PREFIX_BYTES));
      control.throwIfStopped();
    }
    const found = this.#metadataFound;
    state.detectAndHash(this.#original.of(record), found.original);
    const isNewStream = state.detectAndHash(record, found.metastream);
    refuseObstacle(record);
    found.isFirst = isNewStream && this.#isUntouched;
    this.#metadata.add(record, found);
  }

  #accumulateTombstone(record: RecordHead): void {
    const { state } = this.#parts;
    state.detectCollisionOf(record);
    refuseObstacle(record);
    this.#tombstones.add(record.stream);
  }

  #addWeight(position: number): void {
    this.#weights.add(chunkNumberOf(position, this.#parts.log.chunkSizeBytes), DISCARD_WEIGHT);
  }
}
