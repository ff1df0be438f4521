/**
 * Reads the chunks that are new since the last scavenge point, up to and including the record of this one, and
 * remembers what decides later: stream metadata, tombstones, colliding hashes, and the times of each chunk.
 * Each chunk is accumulated once, in one transaction with its checkpoint.
 */
import { logCorrupt } from '../../errors.ts';
import type { ApartStreams, LogReader } from '../../log/log-reader.ts';
import type { HeadCursor, NotableCursor, RecordHead } from '../../records/record-head.ts';
import { chunkNumberOf } from '../../units/log-position.ts';
import { ticksFromHalves } from '../../units/ticks.ts';
import { ChunkWeights, DISCARD_WEIGHT } from '../decisions/chunk-weights.ts';
import { refuseObstacle } from '../find-obstacle.ts';
import { MetadataBatch } from '../state/metadata-batch.ts';
import { TombstoneBatch } from '../state/tombstone-batch.ts';
import { MetadataWarnings } from '../decisions/metadata-warnings.ts';
import type { RunControl } from '../run-control.ts';
import type { ScavengeOutcome } from '../scavenge-result.ts';
import type { ScavengePoint } from '../points/scavenge-point.ts';
import type { ScavengeTrace } from '../scavenge-trace.ts';
import type { ScavengeState } from '../state/scavenge-state.ts';
import { WAITING_LIMITS, type WaitingLimits } from '../state/waiting-limits.ts';
import type { StreamEntries } from '../decisions/stream-entries.ts';

/** "$$" */
const METASTREAM_PREFIX_BYTES = 2;

export interface AccumulationParts {
  log: LogReader;
  entries: StreamEntries;
  state: ScavengeState;
  control: RunControl;
  outcome: ScavengeOutcome;
  point: ScavengePoint;
  /** The point is a record of the log; otherwise it is merely the end of what may be scavenged. */
  isPointInLog: boolean;
  /** See MetadataBatchParts. */
  keepMetadataFrom?: number | undefined;
  /** The state is new, and nobody asks it for the first users of hashes. */
  mayDoWithoutNames?: boolean | undefined;
  /** Asked before each chunk; throws when the state may not grow by it. */
  requireRoom?: (() => void) | undefined;
  /** For tests. */
  waiting?: WaitingLimits | undefined;
  trace?: ScavengeTrace | undefined;
}

/** `doneChunk`: the last logical chunk that was accumulated already, null for none. */
export async function runAccumulation(parts: AccumulationParts, doneChunk: number | null): Promise<void> {
  const { log, control, point } = parts;
  // The record of the point is the last one that counts, so its own chunk is read too.
  const end = parts.isPointInLog ? point.position + 1 : point.position;
  const first = doneChunk === null ? 0 : doneChunk + 1;
  const chunkCount = Math.max(Math.ceil(end / log.chunkSizeBytes) - first, 0);
  control.enter('accumulation', 'chunks', chunkCount);
  const { state } = parts;
  const isFromStart = first === 0;
  const apart = isFromStart ? await apartStreamsOf(parts, end) : undefined;
  if (apart) state.takeAsApart();
  if (!apart) control.say(() => `hash users cache: ${state.cacheMisses} misses, ${state.cacheHits} hits`);
  const accumulator = new ChunkAccumulator(parts, { end, isFromStart, apart });
  for (let chunkNumber = first; chunkNumber < first + chunkCount; chunkNumber++) {
    parts.requireRoom?.();
    await accumulator.accumulate(chunkNumber);
    control.advance(1);
  }
  state.forgetNames();
  accumulator.warnings.addTo(parts.outcome);
  if (apart) {
    parts.outcome.hashUsersCache = undefined;
    return;
  }
  const { cacheHits: hits, cacheMisses: misses } = state;
  parts.outcome.hashUsersCache = { hits, misses };
  control.log(`SCAVENGING: accumulation had ${hits} hits and ${misses} misses of the hash users cache.`);
}

/**
 * Of a question that knows nothing yet: what it has digests of need not be accumulated name by name. undefined: names have to be
 * compared as a run does it.
 */
async function apartStreamsOf(
  { log, state, mayDoWithoutNames }: AccumulationParts,
  end: number
): Promise<ApartStreams | undefined> {
  if (!log.knownHeads || mayDoWithoutNames !== true || state.hashUsers.isEmpty !== true) return undefined;
  // Digests have the hashes of the server; a test may force others.
  if (!state.hasServerHashes) return undefined;
  return log.knownHeads.apartStreams(log.chunks.filter(({ startPosition }) => startPosition < end));
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
type ChunkRange = Pick<NotableCursor, 'lastPosition' | 'prepares'>;

class ChunkAccumulator {
  readonly #parts: AccumulationParts;
  readonly #end: number;
  readonly warnings = new MetadataWarnings();
  readonly #weights = new ChunkWeights();
  readonly #metadata: MetadataBatch;
  readonly #tombstones: TombstoneBatch;
  /** Nothing was ever removed and all is read from the start, so the first record met of a stream is its first. */
  readonly #isUntouched: boolean;
  readonly #apart: ApartStreams | undefined;
  readonly #original = new OriginalName();
  readonly #metadataFound = {
    metastream: { high: 0, low: 0 },
    original: { high: 0, low: 0 },
    isFirst: false
  };

  constructor(
    parts: AccumulationParts,
    { end, isFromStart, apart }: { end: number; isFromStart: boolean; apart: ApartStreams | undefined }
  ) {
    this.#parts = parts;
    this.#end = end;
    this.#apart = apart;
    const { entries, state, control } = parts;
    this.#isUntouched = isFromStart && parts.log.chunks.every((chunk) => !chunk.isScavenged);
    const addWeight = (position: number) => this.#addWeight(position);
    const { keepMetadataFrom: keepFrom, waiting = WAITING_LIMITS } = parts;
    this.#metadata = new MetadataBatch({
      entries,
      state,
      control,
      warnings: this.warnings,
      addWeight,
      keepFrom,
      waiting
    });
    this.#tombstones = new TombstoneBatch({ entries, state, control, addWeight, waiting });
  }

  /** One logical chunk, in one transaction. */
  async accumulate(chunkNumber: number): Promise<void> {
    const { state, point, trace } = this.#parts;
    trace?.entry?.({ kind: 'accumulateChunk', chunk: chunkNumber });
    state.begin();
    try {
      await this.#readChunk(chunkNumber);
      await this.#settle();
      this.#weights.flush(state.weights);
      state.setCheckpoint({ stage: 'accumulating', scavengePoint: point, doneChunk: chunkNumber });
      state.commit();
    } catch (error) {
      state.rollback();
      this.#weights.forget();
      this.#metadata.forget();
      this.#tombstones.forget();
      throw error;
    }
    this.#parts.log.knownHeads?.onPassed();
    this.#tellOfChunk(chunkNumber);
  }

  get #isFull(): boolean {
    return this.#metadata.isFull || this.#tombstones.isFull;
  }

  async #settle(): Promise<void> {
    await this.#metadata.settle();
    await this.#tombstones.settle();
  }

  /** A merged file stands for several chunks, and counts with the first of them. */
  #tellOfChunk(chunkNumber: number): void {
    const { log, outcome } = this.#parts;
    const from = chunkNumber * log.chunkSizeBytes;
    const chunk = log.chunkAt(from);
    outcome.onWork?.({ kind: 'read', bytes: chunk?.startPosition === from ? chunk.dataSize : 0 });
  }

  async #readChunk(chunkNumber: number): Promise<void> {
    const { log, state, point, isPointInLog } = this.#parts;
    const from = chunkNumber * log.chunkSizeBytes;
    const to = Math.min(from + log.chunkSizeBytes, this.#end);
    const chunk = log.knownHeads && log.chunkAt(from);
    const { lastPosition, prepares } =
      log.knownHeads && chunk
        ? await this.#takeNotable(log.knownHeads.notableOf(chunk, from, to, this.#apart))
        : await this.#takeAll(log.heads(from, to));
    if (isPointInLog && to === this.#end && lastPosition !== point.position) {
      throw logCorrupt(`The record of scavenge point ${point.number} is not at position ${point.position}.`, {
        position: point.position
      });
    }
    if (!prepares) return;
    const { minHigh, minLow, maxHigh, maxLow } = prepares;
    state.timeRanges.put(chunkNumber, ticksFromHalves(minHigh, minLow), ticksFromHalves(maxHigh, maxLow));
  }

  /** What a chunk is known to hold. The records that are passed would be found among the known names. */
  async #takeNotable(cursor: NotableCursor): Promise<ChunkRange> {
    const { control, state } = this.#parts;
    while (cursor.next()) {
      this.#accumulate(cursor.record, cursor.isFirst);
      if (this.#isFull) await this.#settle();
      if (control.isDue()) await control.rest();
    }
    state.countKnownNames(cursor.passed);
    return cursor;
  }

  async #takeAll(cursor: HeadCursor): Promise<ChunkRange> {
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

  /** `isFirst`: the record is known to be the first of its stream. */
  #accumulate(record: RecordHead, isFirst = false): void {
    if (record.isTombstone) this.#accumulateTombstone(record);
    else if (record.isMetastream) this.#accumulateMetadata(record, isFirst);
    else this.#parts.state.detectCollisionOf(record);
  }

  #accumulateMetadata(record: RecordHead, isKnownFirst: boolean): void {
    const { state, trace, control } = this.#parts;
    if (trace?.accumulatingMetadataOf) {
      trace.accumulatingMetadataOf(record.stream.slice(METASTREAM_PREFIX_BYTES));
      control.throwIfStopped();
    }
    const found = this.#metadataFound;
    state.detectAndHash(this.#original.of(record), found.original);
    const isNewStream = state.detectAndHash(record, found.metastream);
    refuseObstacle(record);
    found.isFirst = (isNewStream || isKnownFirst) && this.#isUntouched;
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
