import { describe, expect, it } from 'vitest';
import { WordRows } from '../../../src-core/codec/word-rows.ts';
import { byHash, bySignedHash, wordsBySignedHash } from '../../../src-core/index/hash-order.ts';
import { Prng } from '../../support/prng.ts';

/** Hashes with many or few upper halves; rows 0 to `count` - 1 in any order. */
function someRows(count: number, halves: number, seed: number) {
  const random = new Prng(seed);
  const uppers = Array.from({ length: halves }, () => random.next());
  const high = Uint32Array.from({ length: count }, () => uppers[random.below(halves)]!);
  const low = Uint32Array.from({ length: count }, () => (random.below(4) === 0 ? 7 : random.next()));
  const rows = Uint32Array.from({ length: count }, (_, row) => row).sort(
    (a, b) => ((a * 7) % 11) - ((b * 7) % 11)
  );
  return { high, low, rows };
}

/** The same as rows of five words, which have the hash from the third on. */
function wordsOf({ high, low }: { high: Uint32Array; low: Uint32Array }) {
  const words = new WordRows(5);
  for (const [row, half] of high.entries()) {
    words.add();
    words.set(row, 2, half);
    words.set(row, 3, low[row]!);
  }
  return { words, hashAt: 2 };
}

describe.each([
  [0, 1],
  [1, 1],
  [2, 1],
  [1000, 1],
  [1000, 3],
  [5000, 4000]
])('%i rows with %i upper halves of hashes', (count, halves) => {
  it('come in the order of their hashes, equal ones by number', () => {
    const { high, low, rows } = someRows(count, halves, count + halves);
    const expected = Array.from(rows).sort((a, b) => high[a]! - high[b]! || low[a]! - low[b]! || a - b);
    expect([...byHash(wordsOf({ high, low }), rows)]).toEqual(expected);
  });

  it('come in the order of the signed numbers', () => {
    const { high, low, rows } = someRows(count, halves, count + halves + 1);
    const key = (row: number) => BigInt.asIntN(64, (BigInt(high[row]!) << 32n) | BigInt(low[row]!));
    const expected = Array.from(rows).sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a - b));
    expect([...wordsBySignedHash(wordsOf({ high, low }), rows.slice())]).toEqual(expected);
    expect([...bySignedHash({ high, low }, rows)]).toEqual(expected);
  });
});
