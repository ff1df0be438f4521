/** Events counted by name: how many names are counted by themselves, and what comes after them. */
import { describe, expect, it } from 'vitest';
import { NameCounts } from '../../../src-core/extraction/name-counts.ts';

const MOST_NAMES = 20_000;
const MOST_LETTERS = 2 * 1024 * 1024;

/** Those with the most events, with events and bytes, and what was counted together. */
function counted(counts: NameCounts, most = 10) {
  const { others } = counts.state;
  return {
    names: counts.largest(most).map(({ name, events, bytes }) => [name, events, bytes]),
    others: [others.events, others.bytes]
  };
}

describe('names', () => {
  it('have their events and bytes, the most events first, and equal ones in the order of the names', () => {
    const counts = new NameCounts();
    for (const [name, bytes] of [
      ['c', 1],
      ['b', 2],
      ['a', 4],
      ['b', 8],
      ['d', 16]
    ] as const)
      counts.add(name, bytes);
    expect(counted(counts, 3)).toEqual({
      names: [
        ['b', 2, 10],
        ['a', 1, 4],
        ['c', 1, 1]
      ],
      others: [0, 0]
    });
    expect([counts.size, counts.isComplete]).toEqual([4, true]);
  });

  it('are counted together once there are too many, but for those that have been met', () => {
    const counts = new NameCounts();
    for (let i = 0; i < MOST_NAMES; i++) counts.add(`n-${i}`, 1);
    expect([counts.size, counts.isComplete]).toEqual([MOST_NAMES, true]);
    counts.add('n-last', 5);
    counts.add('n-0', 7);
    expect([counts.size, counts.isComplete]).toEqual([MOST_NAMES, false]);
    expect(counted(counts, 1)).toEqual({ names: [['n-0', 2, 8]], others: [1, 5] });
  });

  it('are counted by themselves up to so many letters, and one that still fits comes after one that did not', () => {
    const counts = new NameCounts();
    const long = 'l'.repeat(MOST_LETTERS - 3);
    counts.add(long, 1);
    counts.add('four', 10);
    counts.add('one', 20);
    counts.add('x', 40);
    counts.add(long, 1);
    expect(counted(counts)).toEqual({
      names: [
        [long, 2, 2],
        ['one', 1, 20]
      ],
      others: [2, 50]
    });
  });

  it('of an earlier run are counted on, with the letters that they took', () => {
    const first = new NameCounts();
    first.add('l'.repeat(MOST_LETTERS - 3), 1);
    first.add('four', 10);
    const second = new NameCounts(first.state);
    second.add('four', 10);
    second.add('one', 20);
    second.add('x', 40);
    expect(counted(second, 1)).toEqual({ names: [['l'.repeat(MOST_LETTERS - 3), 1, 1]], others: [3, 60] });
    expect(second.size).toBe(2);
    // The earlier counts stay as they were.
    expect(counted(first).others).toEqual([1, 10]);
  });
});
