/** Newest events that stay only since they are the newest. */
import { expect, it } from 'vitest';
import { LastEvents } from '../../../../src-core/insight/usage/last-events.ts';

const STREAM = {
  lastNumber: 7,
  lastBytes: 100,
  lastMs: 5000,
  truncateBefore: -1,
  maxCount: -1,
  maxAgeSeconds: -1,
  cutoffMs: 5000
};

it.each<[string, Partial<typeof STREAM>, boolean]>([
  ['without rules stays for good', {}, false],
  ['of which nothing is left', { lastNumber: -1, maxCount: 0 }, false],
  ['cut before its last event', { truncateBefore: 7 }, false],
  ['cut behind its last event', { truncateBefore: 8 }, true],
  ['whose last event is just young enough', { maxAgeSeconds: 9 }, false],
  ['whose last event is too old', { maxAgeSeconds: 9, cutoffMs: 5001 }, true],
  ['that has no maximum age, however old its last event is', { cutoffMs: 9000 }, false],
  ['that may have no event', { maxCount: 0 }, true],
  ['that may have one', { maxCount: 1 }, false]
])('the newest event of a stream %s', (_, change, isCounted) => {
  const last = new LastEvents();
  last.add({ ...STREAM, ...change });
  expect([last.records, last.bytes]).toEqual(isCounted ? [1, 100] : [0, 0]);
});
