import { describe, expect, it } from 'vitest';
import {
  entriesFrom,
  looseCount,
  readLoose,
  type ChunkEntries
} from '../../../src-core/verify/chunk-entries.ts';

/** A loose prepare at each of these positions: kind, position, position of its transaction, number, flags, hash. */
const looseAt = (...positions: number[]) =>
  Float64Array.from(positions.flatMap((position) => [0, position, position, 3, 0, 7, 9]));

function entriesAt(positions: number[], loose: number[] = []): ChunkEntries {
  return {
    positions: Float64Array.from(positions),
    checks: Uint32Array.from(positions, (position) => position + 1),
    loose: looseAt(...loose),
    scavengePoint: 42
  };
}

describe('the entries of a chunk within some range', () => {
  it('are the same where all of them lie in it', () => {
    const entries = entriesAt([10, 20], [15]);
    expect(entriesFrom(entries, 10, 21)).toBe(entries);
    expect(entriesFrom(entriesAt([]), 5, 6).positions).toHaveLength(0);
  });

  it.each([
    [15, 40, [20, 30]],
    [0, 20, [10]],
    [20, 30, [20]],
    [11, 20, []],
    [31, 99, []],
    [0, 10, []]
  ])('from %i to %i are those that lie in it, each with its check', (from, end, wanted) => {
    const { positions, checks, scavengePoint } = entriesFrom(entriesAt([10, 20, 30]), from, end);
    expect([...positions]).toEqual(wanted);
    expect([...checks]).toEqual(wanted.map((position) => position + 1));
    expect(scavengePoint).toBe(42);
  });

  it('leave out loose records before and behind it, whole', () => {
    const within = entriesFrom(entriesAt([], [5, 15, 25]), 10, 20);
    expect(looseCount(within)).toBe(1);
    expect(readLoose(within, 0)).toEqual({
      ...{ kind: 'prepare', position: 15, transactionPosition: 15 },
      ...{ number: 3, flags: 0, hashHigh: 7, hashLow: 9 }
    });
  });
});
