/** Figures as `npm run bench -- all` keeps them, made up. */
import type { PartFigures, RunFigures } from '../../../scripts/bench/figure-tables.mjs';

const MIB = 2 ** 20;
const GIB = 2 ** 30;
const FACTS = { logBytes: 2 * GIB, records: 1_742_157, streams: 100_000 };

export const done = (figures: unknown, commit = 'abc1234567'): PartFigures => ({
  status: 'done',
  commit,
  load: 0.2,
  figures
});

export const failed = (reason: string): PartFigures => ({
  status: 'failed',
  commit: 'abc1234567',
  load: 0.2,
  reason
});

export const scavengeFigures = {
  facts: FACTS,
  runs: 3,
  threads: 1,
  rows: {
    accumulation: { ms: 1000, floorMs: 250, ratio: 0.25, peakBytes: 200 * MIB },
    calculation: { ms: 440, peakBytes: 210 * MIB },
    throttle: { ms: 30_000, share: 0.504 },
    nothingToDo: { ms: 140, peakBytes: 120 * MIB }
  }
};

export const threadFigures = {
  scavenge: [
    {
      facts: FACTS,
      rows: {
        whole: {
          ms: 13_400,
          accumulationMs: 2000,
          chunkExecutionMs: 8000,
          indexExecutionMs: 400,
          peakBytes: 300 * MIB
        },
        indexRebuild: { ms: 4600 },
        verification: { ms: 2800 },
        verificationThreads: { ms: 1500 }
      }
    },
    {
      facts: FACTS,
      rows: {
        whole: {
          ms: 9000,
          accumulationMs: 1100,
          chunkExecutionMs: 5000,
          indexExecutionMs: 400,
          peakBytes: 310 * MIB
        },
        indexRebuild: { ms: 2400, peakBytes: 250 * MIB }
      }
    }
  ],
  usage: [
    { hashing: 2300, first: 8000, again: 400 },
    { hashing: 2300, first: 4000, again: 400 }
  ]
};

/** `planMs` null: the plan was not made in its time. */
export function growthFigures(
  logBytes: number,
  streams: number,
  factor: number,
  planMs: number | null = 300
) {
  const row = (ms: number | null) => ({ ms, peakBytes: ms === null ? null : factor * 100 * MIB });
  return {
    scavenge: {
      facts: { logBytes, records: 1_000_000 * factor, streams },
      rows: {
        whole: { ms: 3000 * factor, accumulationMs: 500 * factor, peakBytes: factor * 200 * MIB },
        indexRebuild: row(400 * factor),
        verification: row(1500 * factor)
      }
    },
    answers: {
      rows: {
        firstReading: row(2000 * factor),
        usage: row(250 * factor),
        plan: row(planMs),
        explain: row(100 * factor),
        streams: row(90)
      }
    }
  };
}

export function runOf(parts: RunFigures['parts'], isQuick = false): RunFigures {
  return {
    version: 1,
    isQuick,
    date: '2026-11-22T22:40:00.000Z',
    commit: 'abc1234567',
    machine: {
      processor: 'Some 9000',
      processors: 2,
      memoryBytes: 24 * GIB,
      kernel: 'Linux 6.1.0',
      node: '24.21.0'
    },
    parts
  };
}
