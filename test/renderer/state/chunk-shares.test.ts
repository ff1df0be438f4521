import { expect, test } from 'vitest';
import {
  measure,
  plannedByStart,
  removableBytes,
  sharesOf
} from '../../../src-renderer/state/chunk-shares.ts';
import { chunksReport, plan } from '../fake-database.ts';

const [first, , merged] = chunksReport.chunks;

test('splits a chunk into live, removable and freed bytes that add up to its logical size', () => {
  const shares = sharesOf(first!, plan.chunks[0]);
  expect(shares).toEqual({
    unknown: 0,
    live: 1_048_576 - 700_000,
    removable: 700_000,
    freed: 0,
    total: 1_048_576
  });
  const scavenged = sharesOf(merged!, plan.chunks[2]);
  expect(scavenged.live + scavenged.removable + scavenged.freed).toBe(scavenged.total);
  expect(scavenged.freed).toBe(1_572_864);
});

test('without a plan for it nothing of a chunk is live or removable: it is not known', () => {
  expect(sharesOf(first!, undefined)).toEqual({
    unknown: 1_048_576,
    live: 0,
    removable: 0,
    freed: 0,
    total: 1_048_576
  });
  expect(sharesOf(merged!, undefined)).toMatchObject({ unknown: 524_288, live: 0, freed: 1_572_864 });
  // The file is not the one that was planned with, nor what a scavenge made of it.
  expect(sharesOf({ ...first!, fileSize: 5 }, plan.chunks[0])).toMatchObject({ live: 0, removable: 0 });
  // It is what a scavenge made of it: all of it stays.
  expect(sharesOf({ ...first!, fileSize: 5, isScavenged: true }, plan.chunks[0])).toMatchObject({
    unknown: 0,
    live: 1_048_576
  });
});

test('knows nothing removable in chunks the plan leaves', () => {
  expect(removableBytes({ ...plan.chunks[0]!, decision: 'keptLarger' })).toBe(0);
  expect(removableBytes({ ...plan.chunks[0]!, bytesAfter: 2_000_000 })).toBe(0);
});

test('finds the plan of a chunk by its first number, its own line before a merged one', () => {
  const byStart = plannedByStart({
    ...plan,
    chunks: [{ ...plan.chunks[0]!, chunkEnd: 1, decision: 'merged' }, plan.chunks[0]!]
  });
  expect(byStart.get(0)?.decision).toBe('rewritten');
});

test('measures between nought and one, whatever a cell is coloured by', () => {
  const largest = { fileSize: 0, version: 0, weight: 0 };
  for (const by of ['removable', 'freed', 'size', 'version', 'weight'] as const) {
    const value = measure(first!, plan.chunks[0], by, largest);
    if (value === null) throw new Error(`${by} is known`);
    expect(value).toBeGreaterThanOrEqual(0);
    expect(value).toBeLessThanOrEqual(1);
  }
});

test('measures nothing where nothing is known: that is not the same as none', () => {
  const largest = { fileSize: 1, version: 1, weight: 1, ageMs: 1 };
  expect(measure(first!, undefined, 'removable', largest)).toBeNull();
  expect(measure(first!, undefined, 'weight', largest)).toBeNull();
  expect(measure({ ...first!, weight: 0 }, undefined, 'weight', largest)).toBe(0);
  expect(measure(first!, undefined, 'age', largest)).toBeNull();
});
