import { expect, test } from 'vitest';
import { wholeProgress } from '../../../src-renderer/state/scavenge/run-progress.ts';
import type { ScavengeReport, WorkSnapshot } from '../../../src-main/contract/verbs/workbench-contract.ts';

const plan = {
  bytesBefore: 1000,
  chunks: [{ decision: 'rewritten', bytesBefore: 1000, bytesAfter: 500 }],
  tables: []
} as unknown as ScavengeReport;

const inExecution = (remainingMs: number | null): WorkSnapshot =>
  ({
    startedMs: 0,
    remainingMs,
    progress: { phase: 'chunkExecution', done: 1, total: 10, unit: 'chunks', savedBytes: 0 }
  }) as unknown as WorkSnapshot;

test('a run is not over before its phase is', () => {
  const { remainingMs } = wholeProgress(inExecution(60_000), plan, 3_000);
  expect(remainingMs).toBe(60_000);
});

test('what is left of a run follows from its share where its phase tells nothing', () => {
  const { share, remainingMs } = wholeProgress(inExecution(null), plan, 3_000);
  expect(remainingMs).toBeCloseTo((3_000 / share) * (1 - share));
});
