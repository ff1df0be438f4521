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
  expect(shares).toEqual({ live: 1_048_576 - 700_000, removable: 700_000, freed: 0, total: 1_048_576 });
  const scavenged = sharesOf(merged!, plan.chunks[2]);
  expect(scavenged.live + scavenged.removable + scavenged.freed).toBe(scavenged.total);
  expect(scavenged.freed).toBe(1_572_864);
});

test('knows nothing removable without a plan, and none in chunks the plan leaves', () => {
  expect(sharesOf(first!, undefined).removable).toBe(0);
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
    expect(value).toBeGreaterThanOrEqual(0);
    expect(value).toBeLessThanOrEqual(1);
  }
});
