/** Rows fetched in runs are those that a map gives, in whatever order they are asked for. */
import { expect, it } from 'vitest';
import { RowsByHash, type HashRow, type KeyRange } from '../../../src-core/scavenge/state/rows-by-hash.ts';
import { Prng } from '../../support/prng.ts';
import { seedCount } from '../../support/seeds.ts';

const SEEDS = seedCount(30);

function keyOf(high: number, low: number): bigint {
  return BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low));
}

/** Hashes that lie close together, at the ends of both halves, and anywhere. */
function randomHash(random: Prng): [high: number, low: number] {
  const high = random.pick([0, 1, 0x7fffffff, 0x80000000, 0xffffffff, random.next() >>> 0]);
  const low = random.pick([0, 1, 0xffffffff, random.below(50), random.next() >>> 0]);
  return [high, low];
}

/** As a table answers: falling keys of a range. */
function tableOf(rows: ReadonlyMap<bigint, HashRow<number>>) {
  const keys = [...rows.keys()].sort((a, b) => (a < b ? 1 : a > b ? -1 : 0));
  let asked = 0;
  const fetch = ({ most, least, limit }: KeyRange): HashRow<number>[] => {
    asked++;
    return keys
      .filter((key) => key <= most && key >= least)
      .slice(0, limit)
      .map((key) => rows.get(key)!);
  };
  return { fetch, asked: () => asked };
}

it('finds every row, and none that is not there', () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = new Prng(seed);
    const rows = new Map<bigint, HashRow<number>>();
    const count = random.below(600);
    for (let value = 0; value < count; value++) {
      const [high, low] = randomHash(random);
      rows.set(keyOf(high, low), { high, low, value });
    }
    const hashes = [...rows.values()].map(({ high, low }): [number, number] => [high, low]);
    const questions = Array.from({ length: 400 }, () =>
      hashes.length > 0 && random.chance(0.6) ? random.pick(hashes) : randomHash(random)
    );
    // In the order of an index table first, then as they come.
    const sorted = questions.toSorted((a, b) => b[0] - a[0] || b[1] - a[1]);
    for (const asked of [sorted, questions]) {
      const found = new RowsByHash(tableOf(rows).fetch);
      for (const [high, low] of asked)
        expect(found.find(high, low), `seed ${seed}: ${high} ${low}`).toBe(rows.get(keyOf(high, low))?.value);
    }
  }
});

it('asks the table a few times where all rows are asked for in order', () => {
  const rows = new Map<bigint, HashRow<number>>();
  const random = new Prng(77);
  for (let value = 0; value < 20_000; value++) {
    const [high, low] = [random.next() >>> 0, random.next() >>> 0];
    rows.set(keyOf(high, low), { high, low, value });
  }
  const table = tableOf(rows);
  const found = new RowsByHash(table.fetch);
  const inOrder = [...rows.values()].sort((a, b) => b.high - a.high || b.low - a.low);
  for (const { high, low, value } of inOrder) expect(found.find(high, low)).toBe(value);
  expect(table.asked()).toBeLessThan(40);
});
