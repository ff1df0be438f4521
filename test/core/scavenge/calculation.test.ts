/** Calculation and what it asks: streams by name over several slices, chunks without times, and what it must never decide. */
import { describe, expect, it } from 'vitest';
import { OperationControl, uncontrolled } from '../../../src-core/database/operation-control.ts';
import type { IndexEntry } from '../../../src-core/index/index-entry.ts';
import { hashStream } from '../../../src-core/index/stream-hash.ts';
import { StreamEntries } from '../../../src-core/scavenge/decisions/stream-entries.ts';
import type { StreamHandle } from '../../../src-core/scavenge/decisions/stream-handle.ts';
import { runCalculation, statusAfter } from '../../../src-core/scavenge/phases/2-calculation.ts';
import { runCleaning } from '../../../src-core/scavenge/phases/6-cleaning.ts';
import { RunControl } from '../../../src-core/scavenge/run-control.ts';
import { MemoryState } from '../../../src-core/scavenge/state/memory/memory-state.ts';
import { ScavengeState } from '../../../src-core/scavenge/state/scavenge-state.ts';
import { StreamStatus } from '../../../src-core/scavenge/state/stream-data.ts';
import { DELETED_STREAM_EVENT_NUMBER } from '../../../src-core/units/event-number.ts';
import { TICKS_PER_SECOND, type Ticks } from '../../../src-core/units/ticks.ts';
import { appendedLog, someEvents, type AppendedLog } from '../../support/appended-log.ts';
import { SAMPLE_NOW } from '../../support/restore-fixture.ts';

const LATER = (SAMPLE_NOW + 1000n * TICKS_PER_SECOND) as Ticks;
const CHUNK_BYTES = 65_536;
const control = () => new RunControl({ operation: uncontrolled() });
const newState = () => new ScavengeState({ store: new MemoryState(), hasher: hashStream });

function calculated(
  { log, index }: AppendedLog,
  state: ScavengeState,
  {
    Entries = StreamEntries,
    readAt = (position: number) => log.readAt(position),
    operation = uncontrolled()
  } = {}
): Promise<void> {
  const entries = new Entries({ lookup: index.entries, state, readAt, beforePosition: log.end });
  const point = {
    number: 0,
    position: log.end,
    effectiveNow: LATER,
    threshold: 0
  };
  const control = new RunControl({ operation });
  return runCalculation({ log, entries, state, control, point }, null);
}

const NO_LIMITS = { isTombstoned: false, maxCount: -1, truncateBefore: -1, last: 9 };
it.each<[string, Partial<typeof NO_LIMITS>, number, keyof typeof StreamStatus]>([
  ['deleted', { isTombstoned: true, maxCount: 3 }, 60, 'archived'],
  ['with a maximum age', {}, 0, 'active'],
  ['with a maximum count', { maxCount: 0 }, -1, 'active'],
  ['without limits', {}, -1, 'spent'],
  ['cut up to its last event', { truncateBefore: 9 }, -1, 'spent'],
  ['cut after its last event', { truncateBefore: 10 }, -1, 'active'],
  ['cut before its first event, and empty', { truncateBefore: 0, last: -1 }, -1, 'active'],
  ['softly deleted', { truncateBefore: DELETED_STREAM_EVENT_NUMBER }, -1, 'spent']
])('a stream %s is looked at again as long as more of it may go', (_, rules, maxAgeSeconds, status) => {
  expect(statusAfter({ ...NO_LIMITS, ...rules }, maxAgeSeconds)).toBe(StreamStatus[status]);
});

it('a walk by name gives each number once, also where they fill a slice to the last', () => {
  const counts = [0, 3, 8192, 8193];
  const { log, index } = appendedLog(
    (after) => {
      for (const count of counts) if (count > 0) after(-1).append(`s-${count}`, someEvents(count));
    },
    4 * 1024 * 1024
  );
  const readAt = (position: number) => log.readAt(position);
  const parts = { lookup: index.entries, state: newState(), readAt, beforePosition: log.end };
  const walk = new StreamEntries(parts).newWalk();
  for (const count of counts) {
    walk.start({ kind: 'id', stream: `s-${count}` });
    expect(walk.last).toBe(count - 1);
    let next = 0;
    while (walk.next()) expect(walk.number).toBe(next++);
    expect(next).toBe(count);
  }
});

it('streams without an event give others their turn too', async () => {
  const opened = appendedLog((after) => void after(-1).append('s', someEvents(1)));
  const turnsAmong = async (streams: number): Promise<number> => {
    const state = newState();
    for (let i = 1; i <= streams; i++)
      state.originals.setMetadata(
        { kind: 'hash', high: i, low: i },
        { maxAgeSeconds: null, maxCount: 1n, truncateBefore: null }
      );
    let turns = 0;
    let elapsedMs = 0;
    const operation = new OperationControl({
      elapsedMs: () => (elapsedMs += 1000),
      yieldTurn: () => Promise.resolve(void turns++)
    });
    await calculated(opened, state, { operation });
    return turns;
  };
  expect((await turnsAmong(1000)) - (await turnsAmong(100))).toBeGreaterThanOrEqual(3);
});

describe('an event in a chunk of which no prepare is left', () => {
  /** Ten events of 15 KB in three chunks: four, four and two. */
  const opened = appendedLog((after) => {
    const appender = after(-1);
    for (let i = 0; i < 10; i++) appender.append('aging', someEvents(1, 15_000));
  }, CHUNK_BYTES);
  const early = { min: SAMPLE_NOW, max: SAMPLE_NOW };
  const mixed = { min: SAMPLE_NOW, max: SAMPLE_NOW + 2000n * TICKS_PER_SECOND };

  it.each([
    ['goes with the certain ones before it', early, { discardPoint: 8, maybeDiscardPoint: 8 }],
    ['stays where those before it may stay', mixed, { discardPoint: 0, maybeDiscardPoint: 4 }]
  ])('%s', async (_, range, points) => {
    const state = newState();
    const handle = state.handleOf('aging');
    state.originals.setMetadata(handle, { maxAgeSeconds: 500n, maxCount: null, truncateBefore: null });
    state.timeRanges.put(0, range.min, range.max);
    state.timeRanges.put(2, mixed.max, mixed.max);
    await calculated(opened, state);
    expect(state.originals.get(handle)).toMatchObject(points);
    expect(state.weights.get(1)).toBeUndefined();
  });
});

it('a stream of which all would go is an error, with its name, and nothing of it is kept', async () => {
  const opened = appendedLog((after) => void after(-1).append('vanishing', someEvents(3)));
  const state = newState();
  const handle = { kind: 'id', stream: 'vanishing' } as const;
  state.originals.setMetadata(handle, { maxAgeSeconds: null, maxCount: 1n, truncateBefore: null });
  // The last event is there when it is asked for, and is not when it is reached.
  let isGone = false;
  class Vanishing extends StreamEntries {
    override last(handle: StreamHandle): IndexEntry | undefined {
      const last = super.last(handle);
      isGone = true;
      return last;
    }
  }
  const readAt = (position: number) => {
    const record = opened.log.readAt(position);
    return isGone && record?.eventNumber === 2 ? undefined : record;
  };
  await expect(calculated(opened, state, { Entries: Vanishing, readAt })).rejects.toMatchObject({
    code: 'IndexCorrupt',
    message: expect.stringContaining('(vanishing)') as string
  });
});

describe('cleaning after a scavenge that ignored hard deletes, with weight left', () => {
  const point = { number: 0, position: 70, effectiveNow: SAMPLE_NOW, threshold: 0 };
  const cleaned = async (alwaysKeepScavenged: boolean, isResumed: boolean) => {
    const state = newState();
    state.weights.add(0, 2);
    state.originals.setTombstone({ kind: 'id', stream: 'gone' });
    await runCleaning({
      ...{ state, control: control(), point },
      ...{ ignoreHardDeletes: true, alwaysKeepScavenged, isResumed }
    });
    return state;
  };

  it('is refused where each chunk was to be replaced', async () => {
    await expect(cleaned(true, false)).rejects.toMatchObject({
      code: 'LogCorrupt',
      remedy: expect.stringContaining('threshold -1') as string,
      details: { position: 70 }
    });
  });

  it.each([
    [false, false],
    [true, true],
    [false, true]
  ])('is done where chunks may have been kept: always replaced %s, resumed %s', async (always, isResumed) => {
    const state = await cleaned(always, isResumed);
    expect(state.checkpoint).toEqual({ stage: 'cleaning', scavengePoint: point });
    expect(state.weights.areAllZero).toBe(false);
  });
});
