/** Spans, times and points as an explanation says them, and chunks that are rewritten. */
import { expect, it } from 'vitest';
import type { ChunkFate } from '../../../../src-core/insight/explain/chunk-fate.ts';
import {
  becauseOfChunk,
  chunkText,
  durationText,
  pointText,
  timeText
} from '../../../../src-core/insight/explain/wording.ts';
import { ticksFromIso } from '../../../../src-core/units/ticks.ts';

it.each([
  [172_800, '2 days'],
  [86_400, '1 day'],
  [7200, '2 hours'],
  [90, '90 seconds'],
  [120, '2 minutes'],
  [1, '1 second'],
  [0.5, '0.5 seconds']
])('%d seconds are %s', (seconds, words) => {
  expect(durationText(seconds)).toBe(words);
});

it('a midnight is its date, another time has its seconds, and one that is not known is told as such', () => {
  expect(timeText(ticksFromIso('2026-12-01T00:00:00Z')!)).toBe('2026-12-01');
  expect(timeText(ticksFromIso('2026-12-01T10:00:01.5Z')!)).toBe('2026-12-01 10:00:01 UTC');
  expect(timeText(null)).toBe('an unknown time');
});

it('a point is told by its number, by its place where it is detached, and not at all where there is none', () => {
  const point = { number: 3, position: 4096 } as never;
  expect(pointText({ point, placement: 'existing' } as never)).toBe('3 at position 4096');
  expect(pointText({ point, placement: 'detached' } as never)).toBe('at position 4096 (detached)');
  expect(pointText({ point: undefined, placement: 'existing' } as never)).toBe('');
});

it('nothing keeps a chunk that is rewritten; one that stays is told with its numbers', () => {
  const of = (change: object): string | undefined =>
    becauseOfChunk({
      ...{ kind: 'rewritten', chunk: { startNumber: 2, endNumber: 2 }, weight: 3, threshold: 9 },
      ...change
    } as unknown as ChunkFate);
  expect(of({})).toBeUndefined();
  expect(of({ kind: 'belowThreshold' })).toContain('chunk 2 has weight 3, below the threshold of 9');
  expect(of({ kind: 'belowThreshold', weight: 0 })).toContain('chunk 2 has weight 0');
  const sizes = { before: 100, after: 120 };
  expect(of({ kind: 'keptLarger', sizes })).toContain('120 bytes instead of 100');
  expect(of({ kind: 'passed' })).toContain('before it was stopped');
  expect(chunkText({ startNumber: 1, endNumber: 4 })).toBe('1-4');
});
