/**
 * Finds for every active stream up to where its events can go, from the index alone, and adds weight to the
 * chunks that hold them. Discard points, weight and checkpoint of a batch of streams commit together; a weight
 * that is committed without its checkpoint would be added twice.
 */
import type { AtNumber, AtPosition } from '../../units/of-unit.ts';
import { assert } from '../../assert.ts';
import { indexCorrupt } from '../../errors.ts';
import { EntryBlock } from '../../index/index-entry.ts';
import type { LogReader } from '../../log/log-reader.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../../units/event-number.ts';
import { chunkNumberOf } from '../../units/log-position.ts';
import { ChunkWeights, DISCARD_WEIGHT, MAYBE_DISCARD_WEIGHT } from '../decisions/chunk-weights.ts';
import { discardBefore, discardEither, discardIncluding, KEEP_ALL } from '../decisions/discard-point.ts';
import type { RunControl } from '../run-control.ts';
import type { ScavengePoint } from '../points/scavenge-point.ts';
import type { ScavengeTrace } from '../scavenge-trace.ts';
import { cutoffOf, decideEvent, EventDecision, type CalculationRules } from '../decisions/should-discard.ts';
import type { ScavengeState } from '../state/scavenge-state.ts';
import { StreamStatus, type ActiveStream, type OriginalStreamData } from '../state/stream-tables.ts';
import type { StreamEntries } from '../decisions/stream-entries.ts';
import type { StreamHandle } from '../decisions/stream-handle.ts';

export const DEFAULT_BATCH_SIZE = 32768;
/** Event numbers asked of the index at once. */
const SLICE_ENTRIES = 8192;

export interface CalculationParts {
  log: LogReader;
  entries: StreamEntries;
  state: ScavengeState;
  control: RunControl;
  point: ScavengePoint;
  batchSize?: number | undefined;
  /** Asked before each batch; throws when the state may not grow by it. */
  requireRoom?: (() => void) | undefined;
  trace?: ScavengeTrace | undefined;
}

/** `doneStream`: the last stream that was calculated already, null for none. */
export async function runCalculation(
  parts: CalculationParts,
  doneStream: StreamHandle | null
): Promise<void> {
  const { state, control } = parts;
  control.enter('calculation', 'streams');
  const calculator = new StreamCalculator(parts);
  const batchSize = parts.batchSize ?? DEFAULT_BATCH_SIZE;
  let after = doneStream;
  for (;;) {
    // Read whole before the transaction: calculating changes the status that the walk goes by.
    const batch = state.originals.activeAfter(after, batchSize);
    if (batch.length === 0) break;
    parts.requireRoom?.();
    await calculator.calculateBatch(batch);
    after = batch.at(-1)!.handle;
  }
  await control.rest();
}

class StreamCalculator {
  readonly #parts: CalculationParts;
  readonly #weights = new ChunkWeights();
  readonly #block = new EntryBlock(SLICE_ENTRIES);
  readonly #rules: CalculationRules;

  constructor(parts: CalculationParts) {
    this.#parts = parts;
    this.#rules = {
      pointPosition: parts.point.position,
      last: -1,
      isTombstoned: false,
      truncateBefore: -1,
      maxCount: -1,
      cutoff: { isSet: false, high: 0, low: 0 },
      isTombstoneAt: (position) => parts.log.readAt(position)?.isTombstone === true
    };
  }

  async calculateBatch(batch: readonly ActiveStream[]): Promise<void> {
    const { state, control, point } = this.#parts;
    state.begin();
    try {
      for (const stream of batch) {
        await this.#calculate(stream);
        control.advance(1);
        if (control.isDue()) await control.rest();
      }
      this.#weights.flush(state.weights);
      state.setCheckpoint({ stage: 'calculating', scavengePoint: point, doneStream: batch.at(-1)!.handle });
      state.commit();
    } catch (error) {
      state.rollback();
      this.#weights.forget();
      throw error;
    }
  }

  async #calculate({ handle, data }: ActiveStream): Promise<void> {
    const { entries, state, point, trace } = this.#parts;
    const rules = this.#rules;
    rules.last = entries.last(handle)?.number ?? -1;
    rules.isTombstoned = data.isTombstoned;
    rules.truncateBefore = data.truncateBefore;
    rules.maxCount = data.maxCount;
    cutoffOf(point.effectiveNow, data.maxAgeSeconds, rules.cutoff);
    const found = await this.#findDiscardPoints(handle);
    const discardPoint = discardEither(found.discard, discardBefore(data.discardPoint));
    const maybeDiscardPoint = discardEither(found.maybe, discardBefore(data.maybeDiscardPoint));
    assert(discardPoint >= data.discardPoint, 'a discard point never moves backward');
    const status = statusAfter(data, rules.last);
    const isChanged =
      discardPoint !== data.discardPoint ||
      maybeDiscardPoint !== data.maybeDiscardPoint ||
      status !== data.status;
    if (!isChanged) return;
    state.originals.setDiscardPoints(handle, { status, discardPoint, maybeDiscardPoint });
    trace?.entry?.({ kind: 'setDiscardPoints', stream: handle, status, discardPoint, maybeDiscardPoint });
  }

  /** Walks the entries upward until the first that is kept. */
  async #findDiscardPoints(handle: StreamHandle) {
    const { entries, state, control, log, trace } = this.#parts;
    const block = this.#block;
    let discard = KEEP_ALL;
    let maybe = KEEP_ALL;
    let isFirst = true;
    // No "maybe" since the last certain discard: an entry without a record may then go with those before it.
    let isContiguous = true;
    for (let from = 0; ;) {
      const count = entries.read(handle, from, DELETED_STREAM_EVENT_NUMBER, block);
      for (let i = 0; i < count; i++) {
        const number: AtNumber = block.number[i]!;
        const position: AtPosition = block.position[i]!;
        if (isFirst) {
          if (trace?.calculatingStream) {
            trace.calculatingStream(handle);
            control.throwIfStopped();
          }
          // What was below the first entry is gone already.
          discard = maybe = discardBefore(number);
          isFirst = false;
        }
        const chunkNumber = chunkNumberOf(position, log.chunkSizeBytes);
        const decision = decideEvent(this.#rules, state.timeRanges, number, position, chunkNumber);
        if (decision === EventDecision.keep) return { discard, maybe: discardEither(maybe, discard) };
        if (decision === EventDecision.discard) {
          this.#weights.add(chunkNumber, DISCARD_WEIGHT);
          discard = discardIncluding(number);
          isContiguous = true;
        } else if (decision === EventDecision.maybeDiscard) {
          this.#weights.add(chunkNumber, MAYBE_DISCARD_WEIGHT);
          maybe = discardIncluding(number);
          isContiguous = false;
        } else if (isContiguous) {
          discard = discardIncluding(number);
        }
        if (control.isDue()) await control.rest();
      }
      if (count < block.capacity) break;
      from = block.number[count - 1]! + 1;
    }
    if (isFirst) return { discard: KEEP_ALL, maybe: KEEP_ALL };
    throw indexCorrupt(
      `Every event of a stream would be discarded (${describeHandle(handle)}), though the last one is always kept.`,
      {}
    );
  }
}

function describeHandle(handle: StreamHandle): string {
  return handle.kind === 'id' ? handle.stream : `hash ${handle.hash.toString(16).padStart(16, '0')}`;
}

/** Does the stream need another look in later scavenges? */
export function statusAfter(data: OriginalStreamData, last: number): number {
  if (data.isTombstoned) return StreamStatus.archived; // kept, so that a run that ignores hard deletes finds it
  if (data.maxAgeSeconds >= 0 || data.maxCount >= 0) return StreamStatus.active;
  const { truncateBefore } = data;
  const isWaiting =
    truncateBefore >= 0 && truncateBefore !== DELETED_STREAM_EVENT_NUMBER && last < truncateBefore;
  return isWaiting ? StreamStatus.active : StreamStatus.spent;
}
