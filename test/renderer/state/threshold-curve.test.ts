import { expect, test } from 'vitest';
import { stepAt, thresholdSteps } from '../../../src-renderer/state/scavenge/threshold-curve.ts';
import { plan } from '../fake-database.ts';

test('frees less with each higher threshold, and everything with nought', () => {
  expect(thresholdSteps(plan)).toEqual([
    { threshold: 0, bytes: 1_000_000, chunks: 2, share: 1 },
    { threshold: 12, bytes: 1_000_000, chunks: 2, share: 1 },
    { threshold: 40, bytes: 700_000, chunks: 1, share: 0.7 }
  ]);
});

test('says for any threshold what it would free, and nothing above the heaviest chunk', () => {
  const steps = thresholdSteps(plan);
  expect(stepAt(steps, 13)?.chunks).toBe(1);
  expect(stepAt(steps, 41)).toBeUndefined();
});

test('has no curve when there is nothing to remove', () => {
  const thresholds = [{ threshold: 0, chunks: 0, spaceSaved: { log: 0, index: 0, total: 0 } }];
  expect(thresholdSteps({ ...plan, thresholds })).toEqual([]);
  expect(thresholdSteps({ ...plan, thresholds: undefined })).toEqual([]);
});
