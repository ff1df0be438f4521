/** The tables of a state in memory by themselves: what a file has of them, odd rows, and rows of an image. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareSigned } from '../../../src-core/index/hash-order.ts';
import { hashFromBigInt, type StreamHash } from '../../../src-core/index/stream-hash.ts';
import { HashRows } from '../../../src-core/scavenge/state/memory/hash-rows.ts';
import { MemoryTables } from '../../../src-core/scavenge/state/memory/memory-tables.ts';
import { writeFromMemory } from '../../../src-core/scavenge/state/memory/write-from-memory.ts';
import { StateStore } from '../../../src-core/scavenge/state/state-store.ts';
import { StreamStatus } from '../../../src-core/scavenge/state/stream-data.ts';
import { Prng } from '../../support/prng.ts';
import { seedList } from '../../support/seeds.ts';

const hash = (value: bigint) => ({ kind: 'hash', ...hashFromBigInt(value) }) as const;
const limits = { maxAgeSeconds: null, maxCount: 1n, truncateBefore: null };

it('tables with holes, and without a checkpoint, are written as they are', () => {
  const directory = mkdtempSync(join(tmpdir(), 'winnow-tables-'));
  const tables = new MemoryTables();
  tables.originals.setMetadata(hash(7n), limits);
  tables.metastreams.setTombstone(hash(8n));
  for (const chunk of [1, 3]) tables.timeRanges.put(chunk, 5n, 9n);
  const store = StateStore.open({ path: join(directory, 'state.db') });
  const written = writeFromMemory(tables, undefined, store);
  expect(store.checkpointText).toBeUndefined();
  expect([0, 1, 2, 3].map((chunk) => written.timeRanges.get(chunk))).toEqual([
    undefined,
    { min: 5n, max: 9n },
    undefined,
    { min: 5n, max: 9n }
  ]);
  expect(written.originals.get(hash(7n))?.maxCount).toBe(1);
  expect(written.metastreams.get(hash(8n))?.isTombstoned).toBe(true);
  store.close();
  rmSync(directory, { recursive: true });
});

it('weights are summed and reset over ranges of chunks, ends included, and of one chunk', () => {
  const { weights } = new MemoryTables();
  for (const [chunk, weight] of [
    [1, 1],
    [2, 10],
    [2, 10],
    [4, 100],
    [7, -1000]
  ] as const)
    weights.add(chunk, weight);
  const ranges = [
    [1, 1],
    [3, 3],
    [1, 2],
    [2, 4],
    [3, 6],
    [5, 7],
    [0, 9]
  ] as const;
  const sums = () => ranges.map(([first, last]) => weights.sum(first, last));
  expect(sums()).toEqual([1, 0, 21, 120, 100, -1000, -879]);
  weights.reset(3, 4);
  expect(sums()).toEqual([1, 0, 21, 20, 0, -1000, -979]);
  weights.reset(1, 1);
  expect(sums()).toEqual([0, 0, 20, 20, 0, -1000, -980]);
  expect(weights.get(1)).toBeUndefined();
});

it('a status that nobody knows makes a stream neither active nor superfluous', () => {
  const { originals } = new MemoryTables();
  const data = {
    ...{ isTombstoned: false, discardPoint: 0, maybeDiscardPoint: 0 },
    ...{ maxAgeSeconds: 9, maxCount: -1, truncateBefore: -1 }
  };
  originals.put(hash(7n), { ...data, status: 99 });
  expect(originals.get(hash(7n))?.status).toBe(StreamStatus.none);
  originals.put(hash(8n), { ...data, status: StreamStatus.archived });
  expect(originals.get(hash(8n))?.status).toBe(StreamStatus.archived);
});

it('so many maximum ages are told as were asked for, each once, and none where there are more', () => {
  const { originals } = new MemoryTables();
  for (let i = 0n; i < 6n; i++) originals.setMetadata(hash(i), { ...limits, maxAgeSeconds: 10n + (i % 3n) });
  expect(originals.maxAges(3)?.sort()).toEqual([10, 11, 12]);
  expect(originals.maxAges(2)).toBeUndefined();
});

it('rows of an image take further ones, and find all', () => {
  const image = { high: Uint32Array.of(0, 1), low: Uint32Array.of(5, 6) };
  const rows = HashRows.over(image, 2);
  const added = rows.add(0, 7);
  expect([rows.find(0, 5), rows.find(1, 6), rows.find(0, 7), rows.find(0, 8)]).toEqual([0, 1, added, -1]);
});

describe.each(['in the order of their hashes', 'in any order', 'in order at first'])(
  'rows that come %s',
  (how) => {
    it.each(seedList(20))('are found by hash, from wherever one looks (seed %i)', (seed) => {
      const random = new Prng(seed);
      const drawn = Array.from({ length: 300 }, () => ({
        high: random.below(40) * 0x0600_0000,
        low: random.below(9)
      }));
      const inOrder = [...drawn].sort((a, b) => compareSigned(a.high, a.low, b.high, b.low));
      const half = how === 'in order at first' ? 150 : 0;
      const hashes = how === 'in any order' ? drawn : [...inOrder.slice(half), ...inOrder.slice(0, half)];
      const rows = new HashRows();
      const known = new Map<string, number>();
      const keyOf = ({ high, low }: StreamHash) => `${high}/${low}`;
      const expectFound = ({ high, low }: StreamHash) => {
        const row = known.get(keyOf({ high, low })) ?? -1;
        expect([rows.findNear(high, low), rows.find(high, low)]).toEqual([row, row]);
      };
      for (const found of hashes) {
        expectFound(found);
        if (!known.has(keyOf(found))) known.set(keyOf(found), rows.add(found.high, found.low));
        if (random.below(4) === 0) expectFound(drawn[random.below(drawn.length)]!);
      }
      expect(rows.inOrder).toBe(how === 'in the order of their hashes' ? known.size : undefined);
      for (const found of [...inOrder, ...inOrder.reverse(), ...drawn]) {
        expectFound(found);
        expectFound({ high: found.high + 1, low: found.low });
      }
    });
  }
);

it('rows in order need no slots until many are looked for all over them', () => {
  const rows = new HashRows();
  const count = 4096;
  for (let i = 0; i < count; i++) rows.add(i, 0);
  const bytes = rows.bytes;
  for (let i = 0; i < count; i++) expect(rows.findNear(i, 0)).toBe(i);
  for (let i = 0; i < 100; i++) expect(rows.find((i * 997) % count, 0)).toBe((i * 997) % count);
  expect(rows.bytes).toBe(bytes);
  for (let i = 0; i < count; i++) expect(rows.find((i * 997) % count, 0)).toBe((i * 997) % count);
  expect(rows.bytes).toBeGreaterThan(bytes);
});

it('a row of a name breaks the order for those of hashes that come after it', () => {
  const { originals } = new MemoryTables();
  originals.setMetadata(hash(1n), limits);
  originals.setMetadata({ kind: 'id', stream: 'named' }, limits);
  originals.setMetadata(hash(2n), limits);
  originals.setTombstone(hash(1n));
  expect([...originals.handlesAfter(null)]).toEqual([{ kind: 'id', stream: 'named' }, hash(1n), hash(2n)]);
  expect(originals.get(hash(1n))?.isTombstoned).toBe(true);
  expect(originals.get(hash(2n))?.isTombstoned).toBe(false);
});
