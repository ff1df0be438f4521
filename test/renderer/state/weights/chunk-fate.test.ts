import { describe, expect, test } from 'vitest';
import { byWeight, fateOf, weighedPlaces } from '../../../../src-renderer/state/weights/chunk-fate.ts';
import { plannedByStart } from '../../../../src-renderer/state/chunk-shares.ts';
import { costOf, nextThreshold } from '../../../../src-renderer/state/weights/threshold-costs.ts';
import {
  barCount,
  barPaths,
  placeUnder,
  slotOf
} from '../../../../src-renderer/state/weights/weight-bars.ts';
import { brokenChunksReport, chunksReport, plan } from '../../fake-database.ts';

const planned = plannedByStart(plan);
const [first, second] = [chunksReport.chunks[0]!, chunksReport.chunks[1]!];

describe('what becomes of a chunk', () => {
  test('follows from its weight: one that reaches the threshold is rewritten', () => {
    expect(fateOf(first, planned.get(0), 0)).toBe('rewritten');
    expect(fateOf(first, planned.get(0), 40)).toBe('rewritten');
    expect(fateOf(first, planned.get(0), 41)).toBe('left');
    expect(fateOf(second, planned.get(1), 13)).toBe('left');
  });

  test('is that it stays where its new file would not be smaller, or where nothing would go', () => {
    expect(fateOf(first, { ...planned.get(0)!, decision: 'keptLarger' }, 0)).toBe('keptLarger');
    expect(fateOf(second, { ...planned.get(1)!, weight: 0 }, 0)).toBe('left');
  });

  test('is not known without a plan, and the active chunk has none', () => {
    expect(fateOf(first, undefined, 0)).toBe('unknown');
    expect(fateOf({ ...first, isActive: true }, planned.get(0), 0)).toBe('active');
  });

  test('a part without a file has a place, but no weight', () => {
    const log = [...brokenChunksReport.chunks, ...brokenChunksReport.gaps].sort(
      (a, b) => a.chunkStart - b.chunkStart
    );
    expect(weighedPlaces(log, planned, 0)[1]).toEqual({
      chunkStart: 1,
      chunkEnd: 1,
      weight: null,
      fate: 'gap'
    });
  });
});

describe('a threshold', () => {
  test('frees what the plan says, and above all weights only the index', () => {
    expect(costOf(plan, null, 0)).toMatchObject({ bytes: 1_000_000, chunks: 2, scratchBytes: 2_000_000 });
    expect(costOf(plan, null, 13)).toMatchObject({ bytes: 700_000, chunks: 1, elapsedMs: null });
    expect(costOf(plan, null, 41)).toMatchObject({ bytes: 50_000, chunks: 0, scratchBytes: null });
    const compared = { rows: [{ threshold: 0, scratchBytes: 1_000_000, estimatedMs: 9 }] } as never;
    expect(costOf({ ...plan, estimatedMs: 7 }, compared, 0)).toMatchObject({
      elapsedMs: 7,
      scratchBytes: 2_000_000
    });
    expect(costOf({ ...plan, thresholds: [] }, null, 0)).toBeUndefined();
  });

  test('steps to where something changes, and one above all weights', () => {
    expect(nextThreshold(plan, 0, 1)).toBe(12);
    expect(nextThreshold(plan, 13, 1)).toBe(40);
    expect(nextThreshold(plan, 13, -1)).toBe(12);
    expect(nextThreshold(plan, 0, Infinity)).toBe(41);
    expect(nextThreshold(plan, 40, 10)).toBe(41);
    expect(nextThreshold(plan, 0, -1)).toBe(0);
  });
});

describe('the bars of ten thousand chunks', () => {
  const many = Array.from({ length: 10_000 }, (_, at) => ({
    chunkStart: at,
    chunkEnd: at,
    weight: at === 5000 ? 900 : at % 7,
    fate: at === 5000 ? ('rewritten' as const) : ('left' as const)
  }));
  const size = { width: 600, height: 96, most: 900 };

  test('are no more than there is room for, and none of the heaviest is lost', () => {
    expect(barCount(many.length, size.width)).toBe(200);
    const paths = barPaths(many, size);
    expect(paths.rewritten.match(/M/g)).toHaveLength(1);
    expect(paths.left.match(/M/g)).toHaveLength(199);
    expect(paths.rewritten).toContain('V0h');
  });

  test('are found again under the pointer', () => {
    const { left, width } = slotOf(5000, many.length, size.width);
    expect(placeUnder(many, left + width / 2, size.width)?.chunkStart).toBe(5000);
    expect(placeUnder([], 10, size.width)).toBeUndefined();
    expect(byWeight(many)[0]?.chunkStart).toBe(5000);
  });

  test('each have their own slot', () => {
    for (const [places, width] of [
      [7, 100],
      [333, 600],
      [10_000, 601]
    ] as const) {
      const bars = barCount(places, width);
      for (let at = 0; at < places; at += Math.ceil(places / 97)) {
        const bar = Math.round((slotOf(at, places, width).left * bars) / width);
        expect(Math.floor((bar * places) / bars)).toBeLessThanOrEqual(at);
        expect(Math.max(bar + 1, Math.floor(((bar + 1) * places) / bars))).toBeGreaterThan(at);
      }
    }
  });
});
