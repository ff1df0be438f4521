import { describe, expect, it } from 'vitest';
import { reachesThreshold } from '../../../src-core/scavenge/decisions/chunk-weights.ts';
import {
  discardBefore,
  discardEither,
  discardIncluding,
  discards,
  KEEP_ALL
} from '../../../src-core/scavenge/decisions/discard-point.ts';
import {
  cutoffOf,
  decideEvent,
  emptyVerdict,
  EventDecision,
  shouldDiscardEntry,
  shouldDiscardRecord,
  type CalculationRules,
  type StreamVerdict,
  type TimeRanges
} from '../../../src-core/scavenge/decisions/should-discard.ts';
import { Throttle } from '../../../src-core/scavenge/throttle.ts';
import {
  TrailingCheckpoint,
  type TrailingItem
} from '../../../src-core/scavenge/state/trailing-checkpoint.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../../../src-core/units/event-number.ts';
import { ticksFromIso } from '../../../src-core/units/ticks.ts';

const noCutoff = { isSet: false, high: 0, low: 0 };
const now = ticksFromIso('2022-01-05T00:00:00Z')!;
const halves = (time: string) => {
  const ticks = ticksFromIso(time)!;
  return { high: Number(ticks >> 32n), low: Number(ticks & 0xffffffffn) };
};

describe('discard point', () => {
  it('keeps everything when it is zero, even the largest number', () => {
    expect(discards(KEEP_ALL, 0)).toBe(false);
    expect(discards(KEEP_ALL, DELETED_STREAM_EVENT_NUMBER)).toBe(false);
  });

  it('discards below, including, or whatever one of two discards', () => {
    expect(discards(discardBefore(5), 4)).toBe(true);
    expect(discards(discardBefore(5), 5)).toBe(false);
    expect(discardIncluding(4)).toBe(discardBefore(5));
    expect(discardEither(discardBefore(50), discardBefore(500))).toBe(discardBefore(500));
  });

  it('refuses to lie behind the largest number', () => {
    expect(() => discardIncluding(DELETED_STREAM_EVENT_NUMBER)).toThrow(/largest event number/);
  });
});

describe('threshold', () => {
  it.each([
    [0, -1, true],
    [0, 0, false],
    [1, 0, true],
    [9, 10, false],
    [10, 10, true],
    [11, 10, true]
  ])('weight %d with threshold %d: rewritten %s', (weight, threshold, expected) => {
    expect(reachesThreshold(weight, threshold)).toBe(expected);
  });
});

describe('decision on an index entry', () => {
  const rules = (change: Partial<CalculationRules>): CalculationRules => ({
    pointPosition: 1000,
    last: 10,
    isTombstoned: false,
    truncateBefore: -1,
    maxCount: -1,
    cutoff: noCutoff,
    isTombstoneAt: () => false,
    ...change
  });
  const rangeOf = (min: string, max: string) => ({
    has: () => true,
    isAllSince: (_: number, high: number, low: number) => {
      const { high: minHigh, low: minLow } = halves(min);
      return high < minHigh || (high === minHigh && low <= minLow);
    },
    isAllBefore: (_: number, high: number, low: number) => {
      const { high: maxHigh, low: maxLow } = halves(max);
      return maxHigh < high || (maxHigh === high && maxLow < low);
    }
  });
  const noRange: TimeRanges = { has: () => false, isAllSince: () => false, isAllBefore: () => false };
  const decide = (change: Partial<CalculationRules>, number: number, position = 0, ranges = noRange) =>
    decideEvent(rules(change), ranges, number, position, 0);

  it('keeps what lies at or behind the scavenge point, and the last event before it', () => {
    expect(decide({ isTombstoned: true }, 3, 1000)).toBe(EventDecision.keep);
    expect(decide({ truncateBefore: DELETED_STREAM_EVENT_NUMBER }, 10)).toBe(EventDecision.keep);
    expect(decide({ truncateBefore: DELETED_STREAM_EVENT_NUMBER }, 9)).toBe(EventDecision.discard);
  });

  it('discards all of a hard-deleted stream but an old tombstone', () => {
    const last = DELETED_STREAM_EVENT_NUMBER;
    expect(decide({ isTombstoned: true, last }, 3)).toBe(EventDecision.discard);
    expect(decide({ isTombstoned: true, last }, 2147483647)).toBe(EventDecision.discard);
    expect(decide({ isTombstoned: true, last, isTombstoneAt: () => true }, 2147483647)).toBe(
      EventDecision.keep
    );
  });

  it('counts a maximum count from the last number', () => {
    expect(decide({ maxCount: 3 }, 7)).toBe(EventDecision.discard);
    expect(decide({ maxCount: 3 }, 8)).toBe(EventDecision.keep);
    expect(decide({ maxCount: 100 }, 0)).toBe(EventDecision.keep);
  });

  it('judges an age by the time range of the chunk', () => {
    const cutoff = cutoffOf(now, 172800, { ...noCutoff });
    const at = (min: string, max: string) => decide({ cutoff }, 1, 0, rangeOf(min, max));
    expect(at('2022-01-03T00:00:00Z', '2022-01-04T00:00:00Z')).toBe(EventDecision.keep);
    expect(at('2022-01-01T00:00:00Z', '2022-01-02T23:59:59.9999999Z')).toBe(EventDecision.discard);
    expect(at('2022-01-01T00:00:00Z', '2022-01-03T00:00:00Z')).toBe(EventDecision.maybeDiscard);
    expect(decide({ cutoff }, 1)).toBe(EventDecision.alreadyDiscarded);
  });

  it('discards nothing by an age that reaches beyond the year 1', () => {
    const cutoff = cutoffOf(now, 922337203685, { ...noCutoff });
    expect(cutoff).toEqual({ isSet: true, high: 0, low: 0 });
  });
});

describe('decision on a record', () => {
  const stream = (change: Partial<StreamVerdict>): StreamVerdict => ({
    ...emptyVerdict(),
    isKnown: true,
    ...change
  });
  const record = (change: object = {}) => ({
    flags: 0x27,
    eventNumber: 3,
    timeHigh: 0,
    timeLow: 0,
    ...change
  });
  const begin = record({ flags: 2 });
  const inTransaction = record({ flags: 1 });

  it('keeps everything of a stream that nothing is known of', () => {
    expect(shouldDiscardRecord(record(), emptyVerdict(), true)).toBe(false);
  });

  it('keeps parts of explicit transactions unless the stream is hard-deleted', () => {
    expect(shouldDiscardRecord(inTransaction, stream({ discardPoint: 9 }), false)).toBe(false);
    expect(shouldDiscardRecord(inTransaction, stream({ isTombstoned: true }), false)).toBe(true);
    expect(shouldDiscardRecord(begin, stream({ isTombstoned: true }), false)).toBe(false);
    expect(shouldDiscardRecord(record({ flags: 8 }), stream({ isTombstoned: true }), false)).toBe(false);
    expect(shouldDiscardRecord(begin, stream({ isTombstoned: true }), true)).toBe(true);
  });

  it('takes the whole metastream of a hard-deleted stream, the stream itself only when hard deletes are ignored', () => {
    expect(shouldDiscardRecord(record(), stream({ isTombstoned: true, isMetastream: true }), false)).toBe(
      true
    );
    expect(shouldDiscardRecord(record(), stream({ isTombstoned: true }), false)).toBe(false);
    expect(shouldDiscardRecord(record(), stream({ isTombstoned: true }), true)).toBe(true);
  });

  it('looks at the own time between discard point and maybe point', () => {
    const cutoff = cutoffOf(now, 172800, { ...noCutoff });
    const verdict = stream({ discardPoint: 2, maybeDiscardPoint: 5, cutoff });
    const at = (eventNumber: number, time: string) => {
      const { high, low } = halves(time);
      return shouldDiscardRecord(record({ eventNumber, timeHigh: high, timeLow: low }), verdict, false);
    };
    expect(at(1, '2024-01-01T00:00:00Z')).toBe(true);
    expect(at(2, '2022-01-02T23:59:59.9999999Z')).toBe(true);
    expect(at(2, '2022-01-03T00:00:00Z')).toBe(false);
    expect(at(5, '2000-01-01T00:00:00Z')).toBe(false);
  });

  it('ignores the maybe point in the index', () => {
    const cutoff = cutoffOf(now, 172800, { ...noCutoff });
    const verdict = stream({ discardPoint: 2, maybeDiscardPoint: 5, cutoff });
    expect(shouldDiscardEntry(1, verdict, false)).toBe(true);
    expect(shouldDiscardEntry(2, verdict, false)).toBe(false);
  });
});

describe('throttle', () => {
  it('rests half of the time at 50 percent, and not for less than a second', () => {
    let nowMs = 0;
    const throttle = new Throttle({ percent: 50, clockMs: () => nowMs });
    nowMs = 900;
    expect(throttle.takeRest()).toBe(0);
    nowMs = 2000;
    expect(throttle.takeRest()).toBe(2000);
    nowMs = 4000;
    expect(throttle.takeRest()).toBe(0);
    nowMs = 5000;
    expect(throttle.takeRest()).toBe(1000);
  });

  it('never rests at full speed', () => {
    let nowMs = 0;
    const throttle = new Throttle({ percent: 100, clockMs: () => nowMs });
    nowMs = 1e9;
    expect(throttle.takeRest()).toBe(0);
  });
});

describe('trailing checkpoint', () => {
  function run(workers: number, items: number[], finishOrder: number[]): number[] {
    const trailing = new TrailingCheckpoint();
    const stored: number[] = [];
    const waiting = items.map<TrailingItem>((item) => ({
      checkpoint: item,
      before: item === 10 ? null : item - 10
    }));
    const inWork: TrailingItem[] = [];
    const take = () => {
      const item = waiting.shift();
      if (!item) return;
      trailing.start(item);
      inWork.push(item);
    };
    for (let i = 0; i < workers; i++) take();
    for (const finished of finishOrder) {
      trailing.finish(
        inWork.splice(
          inWork.findIndex((item) => item.checkpoint === finished),
          1
        )[0]!
      );
      take();
      const checkpoint = trailing.take();
      if (checkpoint !== undefined) stored.push(checkpoint);
    }
    return stored;
  }

  it.each([
    [2, [10, 20, 30, 40, 50], [20, 30, 40, 10, 50], [40, 50]],
    [2, [10, 20, 30, 40, 50], [20, 30, 40, 50, 10], [50]],
    [1, [10, 20, 30], [10, 20, 30], [10, 20, 30]],
    [2, [10, 20], [10, 20], [10, 20]],
    [2, [10, 20], [20, 10], [20]]
  ])('%d workers on %j finishing in the order %j store %j', (workers, items, order, expected) => {
    expect(run(workers, items, order)).toEqual(expected);
  });
});
