/** Rows of words, within the first block, at its ends, and beyond it. */
import { expect, it } from 'vitest';
import { WordRows } from '../../../src-core/codec/word-rows.ts';

const BLOCK_BITS = 10;
const BLOCK_ROWS = 2 ** BLOCK_BITS;

function rowsOf(count: number): WordRows {
  const rows = new WordRows(3, BLOCK_BITS);
  for (let row = 0; row < count; row++) {
    expect(rows.add()).toBe(row);
    for (let word = 0; word < 3; word++) rows.set(row, word, row * 10 + word);
  }
  return rows;
}

const wordsOf = (rows: WordRows, words: number) =>
  Array.from({ length: rows.count }, (_, row) =>
    Array.from({ length: words }, (_, word) => rows.get(row, word))
  );
const expected = (row: number, words: number) => Array.from({ length: words }, (_, word) => row * 10 + word);

it.each([0, 1, 255, 256, 257, BLOCK_ROWS - 1, BLOCK_ROWS, BLOCK_ROWS + 1, 2 * BLOCK_ROWS + 5])(
  '%i rows hold what was put into them, and some of them can be taken without the rest',
  (count) => {
    const all = rowsOf(count);
    expect(wordsOf(all, 3)).toEqual(Array.from({ length: count }, (_, row) => expected(row, 3)));
    const taken = all.takeFirst(2, (row) => row % 3 !== 1);
    const meant = Array.from({ length: count }, (_, row) => row).filter((row) => row % 3 !== 1);
    expect(wordsOf(taken, 2)).toEqual(meant.map((row) => expected(row, 2)));
    expect(all.count).toBe(0);
    expect(all.add()).toBe(0);
    expect(wordsOf(all, 3)).toEqual([[0, 0, 0]]);
  }
);
