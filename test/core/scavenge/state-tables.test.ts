/** What the tables of a scavenge state give in order, in a file and in memory alike. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashFromBigInt, hashStream } from '../../../src-core/index/stream-hash.ts';
import { MemoryState } from '../../../src-core/scavenge/state/memory/memory-state.ts';
import { ScavengeState } from '../../../src-core/scavenge/state/scavenge-state.ts';
import { StateStore } from '../../../src-core/scavenge/state/state-store.ts';
import type { StateStorage } from '../../../src-core/scavenge/state/state-tables.ts';

const stateOf = (store: StateStorage) => new ScavengeState({ store, hasher: hashStream });
const hash = (value: bigint) => ({ kind: 'hash', ...hashFromBigInt(value) }) as const;

describe.each([
  { place: 'a file', make: (path: string): StateStorage => StateStore.open({ path }) },
  { place: 'memory', make: (): StateStorage => new MemoryState() }
])('a scavenge state in $place', ({ make }) => {
  let directory: string;
  const open = () => make(join(directory, 'scavenging.db'));
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'winnow-tables-'))));
  afterEach(() => rmSync(directory, { recursive: true }));

  it('goes through hashes by falling key, within a range and up to a limit, without those that a name took over', () => {
    const store = open();
    const state = stateOf(store);
    const limits = { maxAgeSeconds: null, maxCount: 1n, truncateBefore: null };
    const keys = [0xffff_ffff_0000_0000n, 97n, 98n, 99n, 100n];
    for (const key of keys) state.originals.setMetadata(hash(key), limits);
    state.originals.moveToCollisions(0, 98, 'b-1');
    state.originals.moveToCollisions(0, 77, 'nobody');
    const down = (most: bigint, least: bigint, limit: number): number[] =>
      state.originals.hashesDownward({ most, least, limit }).map(({ low }) => low);
    expect(down(100n, 97n, 10)).toEqual([100, 99, 97]);
    expect(down(100n, 97n, 2)).toEqual([100, 99]);
    expect(down(99n, 98n, 10)).toEqual([99]);
    expect(down(1000n, -(2n ** 63n), 10)).toEqual([100, 99, 97, 0]);
    const visited: number[] = [];
    state.originals.forEachHash((_, low) => visited.push(low));
    expect(visited.sort((a, b) => a - b)).toEqual([0, 97, 99, 100]);
    expect(state.originals.getByHash(0, 98)).toBeUndefined();
    expect(state.originals.getByHash(0, 77)).toBeUndefined();
    expect(state.originals.get({ kind: 'id', stream: 'b-1' })?.maxCount).toBe(1);
    expect(state.originals.get({ kind: 'id', stream: 'nobody' })).toBeUndefined();
    expect([state.originals.hashCount, state.originals.count]).toEqual([4, 5]);
    store.close();
  });

  it('has weights that are all zero where what was added is removed again', () => {
    const store = open();
    const { weights } = stateOf(store);
    weights.add(2, 1);
    weights.add(2, -1);
    weights.add(5, 0);
    expect(weights.areAllZero).toBe(true);
    store.close();
  });
});
