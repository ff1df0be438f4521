/** The times that a scavenge state has of chunks against a log of a few records, in whatever order their times are. */
import { describe, expect, it } from 'vitest';
import type { HeadSource, LogReader } from '../../../src-core/log/log-reader.ts';
import { holdTimes } from '../../../src-core/scavenge/state/hold-times.ts';
import type { ScavengeCheckpoint } from '../../../src-core/scavenge/state/scavenge-checkpoint.ts';
import type { ScavengeState } from '../../../src-core/scavenge/state/scavenge-state.ts';
import { ticksFromHalves } from '../../../src-core/units/ticks.ts';
import { halvesOfTicks } from '../../../src-core/scavenge/decisions/tick-halves.ts';

const CHUNK = 100;
const BASE = (5n << 32n) - 25n;
/** Of a chunk: times of its records, ten bytes apart; null is one that is no prepare. */
type Chunks = (number | null)[][];
type Ranges = ([number, number] | undefined)[];

interface Case {
  chunks: Chunks;
  ranges: Ranges;
  stage?: ScavengeCheckpoint['stage'];
  /** Position of the scavenge point. */
  point?: number;
  doneChunk?: number | null;
  /** Chunks that a scavenge has replaced. */
  replaced?: number[];
}

/** Both halves count: times of a few units lie around the place where the lower half overflows. */
function inHalves(time: number): { timeHigh: number; timeLow: number } {
  const { high, low } = halvesOfTicks(BASE + BigInt(time));
  return { timeHigh: high, timeLow: low };
}

let openCursors = 0;
function logOf({ chunks, replaced = [] }: Case): LogReader {
  const recordsOf = (from: number, to: number) =>
    chunks.flatMap((times, chunk) =>
      times
        .map((time, i) => ({
          position: chunk * CHUNK + i * 10,
          kind: time === null ? 'commit' : 'prepare',
          ...inHalves(time ?? 0)
        }))
        .filter(({ position }) => position >= from && position < to)
    );
  const log = {
    chunkSizeBytes: CHUNK,
    end: chunks.length * CHUNK,
    chunkAt: (position: number) => {
      const number = Math.floor(position / CHUNK);
      return number < chunks.length ? { isScavenged: replaced.includes(number) } : undefined;
    },
    cursor: (from: number, to: number) => {
      openCursors++;
      const records = recordsOf(from, to);
      let at = -1;
      return {
        get record() {
          return records[at];
        },
        next: () => ++at < records.length,
        close: () => void openCursors--
      };
    }
  };
  return log as unknown as LogReader;
}

/** What is known of the chunks, from the same records. */
function headsOf(log: LogReader): Pick<HeadSource, 'notableOf'> {
  return {
    notableOf: (_, from, to) => {
      const cursor = log.cursor(from, to);
      const times: bigint[] = [];
      while (cursor.next()) {
        const { kind, timeHigh, timeLow } = cursor.record;
        if (kind === 'prepare') times.push(ticksFromHalves(timeHigh, timeLow));
      }
      cursor.close();
      times.sort((a, b) => Number(a - b));
      const [min, max] = [times[0], times.at(-1)].map((ticks) =>
        ticks === undefined ? undefined : halvesOfTicks(ticks)
      );
      const prepares =
        min && max ? { minHigh: min.high, minLow: min.low, maxHigh: max.high, maxLow: max.low } : undefined;
      return { prepares } as unknown as ReturnType<HeadSource['notableOf']>;
    }
  };
}

async function held(question: Case): Promise<string> {
  const { ranges, stage, point = question.chunks.length * CHUNK - 1, doneChunk = null } = question;
  const known = ranges.map(
    (range) => range && { min: BASE + BigInt(range[0]), max: BASE + BigInt(range[1]) }
  );
  const state = {
    checkpoint: stage && { stage, scavengePoint: { position: point }, doneChunk },
    timeRanges: { lastChunk: known.length - 1, get: (chunk: number) => known[chunk] }
  } as unknown as ScavengeState;
  const log = logOf(question);
  const said: string[] = [];
  let breaths = 0;
  for (const heads of [undefined, headsOf(log)]) {
    const breathe = (): Promise<void> => {
      breaths++;
      return Promise.resolve();
    };
    try {
      await holdTimes({ state, log, heads, statePath: 'state', isDue: () => false, breathe });
      said.push('right');
    } catch (error) {
      said.push((error as Error).message.replace(/.*: (of chunk \d+) .*/, '$1'));
    }
  }
  expect(said[1]).toBe(said[0]);
  expect(openCursors).toBe(0);
  if (said[0] === 'right' && stage === 'done') expect(breaths).toBeGreaterThanOrEqual(2);
  return said[0]!;
}

const RISING: Chunks = [
  [10, 20, 30],
  [31, 35],
  [40, 41]
];
const RIGHT: Ranges = [
  [10, 30],
  [31, 35],
  [40, 41]
];

describe('times of chunks that nobody replaced', () => {
  const stage = 'done';

  it('are the earliest and the latest, wherever their records are', async () => {
    expect(await held({ chunks: RISING, ranges: RIGHT, stage })).toBe('right');
    for (const times of [
      [30, 10, 20],
      [20, 30, 10],
      [30, 20, 10],
      [20, null, 10, 30],
      [10, 30, 30, 10]
    ])
      expect(await held({ chunks: [times], ranges: [[10, 30]], stage })).toBe('right');
  });

  it('are not wider, not narrower, and not those of another', async () => {
    for (const [chunk, wrong] of [
      [0, [9, 30]],
      [0, [11, 30]],
      [1, [31, 34]],
      [1, [31, 36]],
      [2, [31, 35]],
      [2, undefined]
    ] as const) {
      const ranges = RIGHT.with(chunk, wrong && [...wrong]);
      expect(await held({ chunks: RISING, ranges, stage })).toBe(`of chunk ${chunk}`);
    }
  });

  it('are none where there are no events, and those up to the scavenge point', async () => {
    const chunks = [...RISING, [null, null], [50, 60, 70]];
    expect(await held({ chunks, ranges: [...RIGHT, undefined, [50, 60]], stage, point: 410 })).toBe('right');
    expect(await held({ chunks, ranges: [...RIGHT, undefined, [50, 70]], stage, point: 410 })).toBe(
      'of chunk 4'
    );
    expect(await held({ chunks, ranges: [...RIGHT, [1, 2], [50, 60]], stage, point: 410 })).toBe(
      'of chunk 3'
    );
    expect(await held({ chunks, ranges: [...RIGHT, undefined, [50, 60]], stage, point: 310 })).toBe(
      'of chunk 4'
    );
    expect(await held({ chunks, ranges: RIGHT, stage, point: 410 })).toBe('of chunk 4');
  });
});

describe('times of chunks that a scavenge replaced', () => {
  const question: Omit<Case, 'ranges'> = { chunks: [[15, 20]], stage: 'done', replaced: [0] };

  it('may be wider, since events are gone', async () => {
    for (const range of [
      [15, 20],
      [10, 20],
      [15, 30],
      [1, 99]
    ] as [number, number][])
      expect(await held({ ...question, ranges: [range] })).toBe('right');
    expect(await held({ ...question, chunks: [[null]], ranges: [[15, 20]] })).toBe('right');
  });

  it('are not narrower', async () => {
    for (const range of [[16, 20], [15, 19], [1, 2], [30, 40], undefined] as ([number, number] | undefined)[])
      expect(await held({ ...question, ranges: [range] })).toBe('of chunk 0');
  });
});

describe('times that were not read again yet', () => {
  const later: Ranges = RIGHT.with(2, [40, 40]);

  it('are those of the chunk with the point of the scavenge before: it is not judged until accumulation comes to it', async () => {
    for (const doneChunk of [null, 0, 1])
      expect(await held({ chunks: RISING, ranges: later, stage: 'accumulating', doneChunk })).toBe('right');
    expect(await held({ chunks: RISING, ranges: later, stage: 'accumulating', doneChunk: 2 })).toBe(
      'of chunk 2'
    );
    expect(await held({ chunks: RISING, ranges: later, stage: 'calculating' })).toBe('of chunk 2');
    expect(await held({ chunks: RISING, ranges: later })).toBe('right');
  });

  it('are judged in the chunks before it', async () => {
    const wrong = RIGHT.with(1, [31, 34]);
    for (const stage of ['accumulating', 'calculating', 'executingChunks', 'done', undefined] as const)
      expect(await held({ chunks: RISING, ranges: wrong, ...(stage ? { stage } : {}) })).toBe('of chunk 1');
  });

  it('are not there for chunks that it has still to read', async () => {
    const ranges = RIGHT.slice(0, 1);
    expect(await held({ chunks: RISING, ranges, stage: 'accumulating', doneChunk: 0 })).toBe('right');
    expect(await held({ chunks: RISING, ranges, stage: 'accumulating', doneChunk: 1 })).toBe('of chunk 1');
  });
});
