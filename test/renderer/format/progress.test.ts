import { expect, test } from 'vitest';
import type { Progress } from '../../../src-main/contract/verbs/workbench-contract.ts';
import { formatDone, formatRate, phaseName, progressShare } from '../../../src-renderer/format/progress.ts';

const progress: Progress = {
  operation: 'verifyDatabase',
  dataDirectory: '/data',
  phase: 'log',
  done: 1_500_000,
  total: 3_000_000,
  unit: 'bytes',
  savedBytes: 0,
  elapsedMs: 10,
  message: null
};

test('says how far work is, in its own unit', () => {
  expect(formatDone(progress)).toBe('1.43 MiB / 2.86 MiB');
  expect(formatDone({ ...progress, unit: 'records' })).toBe('1,500,000 / 3,000,000 records');
  expect(formatDone({ ...progress, unit: 'chunks', done: 4, total: null })).toBe('4 chunks');
  expect(formatDone({ ...progress, unit: 'chunks', done: 4.9, total: 8 })).toBe('4 / 8 chunks');
});

test('says how fast it is', () => {
  expect(formatRate(212_000_000, 'bytes')).toBe('202 MiB/s');
  expect(formatRate(2.53, 'chunks')).toBe('2.5 chunks/s');
});

test('is at nought while the total is unknown and never beyond one', () => {
  expect(progressShare(null)).toBe(0);
  expect(progressShare({ ...progress, total: null })).toBe(0);
  expect(progressShare({ ...progress, done: 9, total: 3 })).toBe(1);
});

test('names phases as people do, and others as they are', () => {
  expect(phaseName('chunkExecution')).toBe('Chunk execution');
  expect(phaseName('log')).toBe('log');
});
