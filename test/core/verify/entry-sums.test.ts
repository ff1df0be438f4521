/** Sums tell where log and index differ, whatever the order, and nothing else. */
import { describe, expect, it } from 'vitest';
import { EntrySums } from '../../../src-core/verify/entry-sums.ts';
import { Prng } from '../../support/prng.ts';

type Entry = { position: number; check: number };
const MIB = 1024 * 1024;

function entries(seed: number, count: number): Entry[] {
  const random = new Prng(seed);
  return Array.from({ length: count }, (_, i) => ({
    position: i * MIB + random.below(MIB),
    check: random.below(2 ** 32)
  }));
}

function sumsOf(log: readonly Entry[], index: readonly Entry[]): EntrySums {
  const sums = new EntrySums();
  for (const { position, check } of log) sums.addOfLog(position, check);
  for (const { position, check } of index) sums.addOfIndex(position, check);
  return sums;
}

/** Positions of entries in stretches that differ. */
const differing = (sums: EntrySums, log: readonly Entry[]) =>
  log.filter(({ position }) => !sums.isBalancedAt(position)).map(({ position }) => position);

describe('sums of entries', () => {
  const log = entries(1, 5000);

  it('agree for the same entries in another order', () => {
    const sums = sumsOf(
      log,
      [...log].sort((a, b) => a.check - b.check)
    );
    expect(sums.isBalanced).toBe(true);
    expect(differing(sums, log)).toEqual([]);
  });

  it('agree for a log and an index without entries', () => {
    expect(sumsOf([], []).isBalanced).toBe(true);
  });

  it.each([
    ['lacks one', (index: Entry[]) => index.splice(1000, 1)],
    ['has one twice', (index: Entry[]) => index.push(index[1000]!)],
    ['has one of another stream', (index: Entry[]) => index.splice(1000, 1, { ...index[1000]!, check: 7 })],
    [
      'has two with their positions exchanged',
      (index: Entry[]) => {
        const [a, b] = [index[1000]!, index[1001]!];
        index.splice(1000, 2, { ...a, position: b.position }, { ...b, position: a.position });
      }
    ],
    [
      'has one a byte behind its record',
      (index: Entry[]) => index.splice(1000, 1, { ...index[1000]!, position: index[1000]!.position + 1 })
    ],
    [
      'has one 4 GiB behind its record',
      (index: Entry[]) =>
        index.splice(1000, 1, { ...index[1000]!, position: index[1000]!.position + 4096 * MIB })
    ]
  ])('differ around an entry where the index %s, and nearly nowhere else', (_, change) => {
    const index = [...log];
    change(index);
    const sums = sumsOf(log, index);
    expect(sums.isBalanced).toBe(false);
    const found = differing(sums, log);
    expect(found).toContain(log[1000]!.position);
    expect(found.length).toBeLessThanOrEqual(128);
  });

  it('differ when the index leads behind all records', () => {
    const sums = sumsOf(log, [...log, { position: 2 ** 52, check: 1 }]);
    expect(sums.isBalanced).toBe(false);
    expect(sums.isBalancedAt(2 ** 52)).toBe(false);
    expect(differing(sums, log)).toEqual([]);
  });
});
