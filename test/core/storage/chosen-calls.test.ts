import { describe, expect, it } from 'vitest';
import { chosenCalls } from '../../support/chosen-calls.ts';

describe('the calls that a campaign tries', () => {
  it('are all of them', () => {
    expect(chosenCalls(5)).toEqual([1, 2, 3, 4, 5]);
    expect(chosenCalls(0, { every: 3 })).toEqual([]);
  });

  it('are one of each stretch, not always the same one of it', () => {
    const calls = chosenCalls(300, { every: 3, seed: 4 });
    expect(calls.map((call) => Math.ceil(call / 3))).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
    expect(new Set(calls.map((call) => call % 3)).size).toBe(3);
  });

  it('are no more than asked for, and spread over the whole operation', () => {
    for (const calls of [39, 40, 41, 80, 81, 459]) {
      const chosen = chosenCalls(calls, { most: 40, seed: calls });
      expect(chosen.length).toBeLessThanOrEqual(40);
      expect(chosen.length).toBeGreaterThan(19);
      expect(chosen.at(-1)).toBeGreaterThan(calls * 0.9);
      expect(chosen.at(-1)).toBeLessThanOrEqual(calls);
    }
  });

  it('are the same with the same seed, and others with another', () => {
    const drawn = (seed: number) => chosenCalls(200, { every: 5, seed });
    expect(drawn(7)).toEqual(drawn(7));
    expect(drawn(7)).not.toEqual(drawn(8));
  });
});
