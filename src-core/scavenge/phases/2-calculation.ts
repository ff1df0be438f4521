/**
 * Finds for every active stream up to where its events can go, from the index alone, and adds weight to the
 * chunks that hold them. Discard points, weight and checkpoint of a batch of streams commit together; a weight
 * that is committed without its checkpoint would be added twice.
 */
import type { AtNumber, AtPosition } from '../../units/of-unit.ts';
import { assert } from '../../assert.ts';
import { indexCorrupt } from '../../errors.ts';
import { hashText } from '../../index/stream-hash.ts';
import type { LogReader } from '../../log/log-reader.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../../units/event-number.ts';
import { chunkNumberOf } from '../../units/log-position.ts';
import { ChunkWeights, DISCARD_WEIGHT, MAYBE_DISCARD_WEIGHT } from '../decisions/chunk-weights.ts';
import { discardBefore, discardEither, discardIncluding, KEEP_ALL } from '../decisions/discard-point.ts';
import type { RunControl } from '../run-control.ts';
import type { ScavengePoint } from '../points/scavenge-point.ts';
import type { ScavengeTrace } from '../scavenge-trace.ts';
import { decideEvent, EventDecision, type CalculationRules } from '../decisions/should-discard.ts';
import type { ScavengeState } from '../state/scavenge-state.ts';
import { ActiveStreams } from '../state/active-streams.ts';
import { StreamStatus, type DiscardPoints } from '../state/stream-data.ts';
import { CutoffMemo } from '../decisions/cutoff-memo.ts';
import type { StreamEntries, StreamWalk } from '../decisions/stream-entries.ts';
import type { StreamHandle } from '../decisions/stream-handle.ts';

export const DEFAULT_BATCH_SIZE = 32768;

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
  const batch = new ActiveStreams();
  let after = doneStream;
  for (;;) {
    // Read whole before the transaction: calculating changes the status that the walk goes by.
    state.originals.readActive(after, batchSize, batch);
    if (batch.count === 0) break;
    parts.requireRoom?.();
    await calculator.calculateBatch(batch);
    after = batch.handleAt(batch.count - 1);
  }
  await control.rest();
}

class StreamCalculator {
  readonly #parts: CalculationParts;
  readonly #weights = new ChunkWeights();
  readonly #entries: StreamWalk;
  readonly #cutoffs: CutoffMemo;
  readonly #rules: CalculationRules;
  readonly #ownHandle = { kind: 'hash' as const, high: 0, low: 0 };
  readonly #points: DiscardPoints = { status: 0, discardPoint: 0, maybeDiscardPoint: 0 };
  /** Of the stream in work. */
  #handle: StreamHandle = this.#ownHandle;
  #discard = KEEP_ALL;
  #maybe = KEEP_ALL;
  #isFirst = true;
  /** No "maybe" since the last certain discard: an entry without a record may then go with those before it. */
  #isContiguous = true;

  constructor(parts: CalculationParts) {
    this.#parts = parts;
    this.#entries = parts.entries.newWalk();
    this.#cutoffs = new CutoffMemo(parts.point.effectiveNow);
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

  async calculateBatch(batch: ActiveStreams): Promise<void> {
    const { state, control, point } = this.#parts;
    state.begin();
    try {
      for (let at = 0; at < batch.count; at++) {
        this.#start(batch, at);
        if (!this.#walk()) await this.#walkOn();
        this.#store(batch, at);
        control.advance(1);
        if (control.isDue()) await control.rest();
      }
      this.#weights.flush(state.weights);
      state.setCheckpoint({
        stage: 'calculating',
        scavengePoint: point,
        doneStream: batch.handleAt(batch.count - 1)
      });
      state.commit();
    } catch (error) {
      state.rollback();
      this.#weights.forget();
      throw error;
    }
  }

  /** Takes up a stream. */
  #start(batch: ActiveStreams, at: number): void {
    const rules = this.#rules;
    const walk = this.#entries;
    const handle = this.#handleOf(batch, at);
    walk.start(handle);
    rules.last = walk.last;
    rules.isTombstoned = batch.isTombstoned[at] === 1;
    rules.truncateBefore = batch.truncateBefore[at]!;
    rules.maxCount = batch.maxCount[at]!;
    this.#cutoffs.read(batch.maxAgeSeconds[at]!, rules.cutoff);
    this.#handle = handle;
    this.#discard = KEEP_ALL;
    this.#maybe = KEEP_ALL;
    this.#isFirst = true;
    this.#isContiguous = true;
  }

  #handleOf(batch: ActiveStreams, at: number): StreamHandle {
    if (at < batch.names.length) return batch.handleAt(at);
    const own = this.#ownHandle;
    own.high = batch.high[at]!;
    own.low = batch.low[at]!;
    return own;
  }

  /** Walks the entries of a long stream with rests. */
  async #walkOn(): Promise<void> {
    do await this.#parts.control.rest();
    while (!this.#walk());
  }

  /** Walks the entries upward until the first that is kept. False: a rest is due. */
  #walk(): boolean {
    const { state, control, log, trace } = this.#parts;
    const entries = this.#entries;
    const ranges = state.timeRanges;
    while (entries.next()) {
      const number: AtNumber = entries.number;
      const position: AtPosition = entries.position;
      if (this.#isFirst) {
        if (trace?.calculatingStream) {
          trace.calculatingStream({ ...this.#handle });
          control.throwIfStopped();
        }
        // What was below the first entry is gone already.
        this.#discard = this.#maybe = discardBefore(number);
        this.#isFirst = false;
      }
      const chunkNumber = chunkNumberOf(position, log.chunkSizeBytes);
      const decision = decideEvent(this.#rules, ranges, number, position, chunkNumber);
      if (decision === EventDecision.keep) {
        this.#maybe = discardEither(this.#maybe, this.#discard);
        return true;
      }
      if (decision === EventDecision.discard) {
        this.#weights.add(chunkNumber, DISCARD_WEIGHT);
        this.#discard = discardIncluding(number);
        this.#isContiguous = true;
      } else if (decision === EventDecision.maybeDiscard) {
        this.#weights.add(chunkNumber, MAYBE_DISCARD_WEIGHT);
        this.#maybe = discardIncluding(number);
        this.#isContiguous = false;
      } else if (this.#isContiguous) {
        this.#discard = discardIncluding(number);
      }
      if (control.isDue()) return false;
    }
    if (this.#isFirst) return true;
    throw indexCorrupt(
      `Every event of a stream would be discarded (${describeHandle(this.#handle)}), though the last one is always kept.`,
      {}
    );
  }

  /** What was found of a stream. */
  #store(batch: ActiveStreams, at: number): void {
    const { state, trace } = this.#parts;
    const oldDiscard = batch.discardPoint[at]!;
    const oldMaybe = batch.maybeDiscardPoint[at]!;
    const discardPoint = discardEither(this.#discard, discardBefore(oldDiscard));
    const maybeDiscardPoint = discardEither(this.#maybe, discardBefore(oldMaybe));
    assert(discardPoint >= oldDiscard, 'a discard point never moves backward');
    const status = statusAfter(this.#rules, batch.maxAgeSeconds[at]!);
    const isChanged =
      discardPoint !== oldDiscard || maybeDiscardPoint !== oldMaybe || status !== batch.status[at];
    if (!isChanged) return;
    const handle = this.#handle;
    const points = this.#points;
    points.status = status;
    points.discardPoint = discardPoint;
    points.maybeDiscardPoint = maybeDiscardPoint;
    state.originals.setDiscardPoints(handle, points);
    trace?.entry?.({ kind: 'setDiscardPoints', stream: { ...handle }, ...points });
  }
}

function describeHandle(handle: StreamHandle): string {
  return handle.kind === 'id' ? handle.stream : `hash ${hashText(handle.high, handle.low)}`;
}

/** Does the stream need another look in later scavenges? */
export function statusAfter(
  {
    isTombstoned,
    maxCount,
    truncateBefore,
    last
  }: Pick<CalculationRules, 'isTombstoned' | 'maxCount' | 'truncateBefore' | 'last'>,
  maxAgeSeconds: number
): number {
  if (isTombstoned) return StreamStatus.archived; // kept, so that a run that ignores hard deletes finds it
  if (maxAgeSeconds >= 0 || maxCount >= 0) return StreamStatus.active;
  const isWaiting =
    truncateBefore >= 0 && truncateBefore !== DELETED_STREAM_EVENT_NUMBER && last < truncateBefore;
  return isWaiting ? StreamStatus.active : StreamStatus.spent;
}
